import { describe, expect, it } from "vitest";
import { ConfigError } from "../errors.js";
import { climb, environmentLayers, type Layer, layerOf, settingsFrom } from "./ladder.js";
import type { ProjectRule, SettingPath } from "./setting.js";
import { SETTING_PATHS, settingAt } from "./settings.js";

/** What a cloned repository may change, said a second time: whoever loosens a setting has to loosen it here too. */
const PROJECT_RULES: Readonly<Record<SettingPath, ProjectRule>> = {
  "search.provider": "choose",
  "search.searxngUrl": "never",
  "search.timeoutMs": "lower",
  "keys.brave": "never",
  "keys.tavily": "never",
  "fetch.timeoutMs": "lower",
  "fetch.maxBytes": "lower",
  "fetch.maxRedirects": "lower",
  "fetch.maxChars": "lower",
  "fetch.cacheTtlMs": "lower",
  "fetch.cacheMaxBytes": "lower",
  "fetch.userAgent": "never",
  "jail.ports": "never",
  "jail.exemptions": "never",
  "jail.deny": "extend",
  "jail.nat64Prefixes": "never",
  "jail.caFiles": "never",
  "jail.tlsExceptions": "never",
  "proxy.url": "never",
  "proxy.bypass": "never",
  "proxy.dns": "never",
  "policy.allow": "never",
  "policy.ask": "extend",
  "policy.deny": "extend",
  "policy.approval": "never",
  "policy.seenOnly": "enable",
  "policy.offline": "enable",
  "budget.maxRequests": "lower",
  "budget.maxBytes": "lower",
  "budget.maxResults": "lower",
  "budget.maxDurationMs": "lower",
  "budget.maxCostUsd": "lower",
  "index.directory": "never",
  "log.file": "never",
};

const layer = (kind: Layer["origin"]["kind"], input: object): Layer =>
  layerOf({ kind, detail: `${kind}.json` }, input, (path) => {
    throw new Error(`unknown ${path}`);
  });
const user = layer("user", { fetch: { timeoutMs: 9_000 }, policy: { deny: ["a.example"] } });

describe("the ladder", () => {
  it("prefers flag over project over user over environment over default, and says which it was", () => {
    const env = environmentLayers({ POSTERN_FETCH_TIMEOUT_MS: "8000", POSTERN_FETCH_MAX_BYTES: "5000" });
    const project = layer("project", { fetch: { timeoutMs: 5_000 } });
    const flag = layer("flag", { fetch: { maxRedirects: 1 } });
    const { settings, origins } = climb({ layers: [...env, user, flag], project });
    expect(settings.fetch).toMatchObject({ timeoutMs: 5_000, maxBytes: 5_000, maxRedirects: 1, maxChars: 11_000 });
    expect(origins.get("fetch.timeoutMs")).toEqual({ kind: "project", detail: "project.json" });
    expect(origins.get("fetch.maxBytes")).toEqual({ kind: "env", detail: "POSTERN_FETCH_MAX_BYTES" });
    expect(origins.get("fetch.maxRedirects")?.kind).toBe("flag");
    expect(origins.get("fetch.maxChars")).toEqual({ kind: "default" });
  });

  it.each([
    ["raises a limit", { fetch: { timeoutMs: 10_000 } }, "only lower"],
    ["allows a host", { policy: { allow: ["evil.example"] } }, "may not set"],
    ["sets a provider's address", { search: { searxngUrl: "http://10.0.0.1/" } }, "may not set"],
    ["exempts an origin", { jail: { exemptions: [{ origin: "http://10.0.0.1", name: "x" }] } }, "may not set"],
    ["brings a key", { keys: { brave: "their-key" } }, "may not set"],
    ["chooses a provider that is not set up", { search: { provider: "searxng" } }, "only choose among"],
    ["turns approval off", { policy: { approval: "allow" } }, "may not set"],
  ])("ignores a project file that %s, with a warning", (_what, input, reason) => {
    const before = climb({ layers: [user], choosable: () => ["brave"] });
    const after = climb({ layers: [user], project: layer("project", input), choosable: () => ["brave"] });
    expect(after.settings).toEqual(before.settings);
    expect(after.warnings).toHaveLength(1);
    expect(after.warnings[0]).toContain(reason);
    expect(after.warnings[0]).not.toContain("their-key");
  });

  it("lets a project file tighten", () => {
    const { settings, warnings } = climb({
      layers: [user],
      project: layer("project", {
        policy: { deny: ["b.example"], seenOnly: true, offline: true },
        search: { provider: "brave" },
        budget: { maxRequests: 3 },
      }),
      choosable: () => ["brave"],
    });
    expect(warnings).toEqual([]);
    expect(settings.policy).toMatchObject({ deny: ["a.example", "b.example"], seenOnly: true, offline: true });
    expect(settings.search.provider).toBe("brave");
    expect(settings.budget.maxRequests).toBe(3);
  });

  it("lets a project file switch search off whatever is set up", () => {
    const project = layer("project", { search: { provider: "none" } });
    expect(climb({ layers: [], project }).settings.search.provider).toBe("none");
  });
});

describe("the environment", () => {
  it("reads numbers, switches and comma-separated lists", () => {
    const { settings } = settingsFrom(
      {},
      {
        POSTERN_MAX_CHARS: "5000",
        POSTERN_SEEN_ONLY: "yes",
        POSTERN_DENY_HOSTS: "a.example, b.example",
        POSTERN_SEARCH_PROVIDER: "brave,ddgs",
      },
    );
    expect(settings.fetch.maxChars).toBe(5_000);
    expect(settings.policy.seenOnly).toBe(true);
    expect(settings.policy.deny).toEqual(["a.example", "b.example"]);
    expect(settings.search.provider).toEqual(["brave", "ddgs"]);
  });

  it("takes an empty variable for one that is not there", () => {
    expect(settingsFrom({}, { BRAVE_API_KEY: "  " }).settings.keys.brave).toBeUndefined();
  });

  it("names the variable and the meaning of a bad value, and never the value", () => {
    const read = () => settingsFrom({}, { BRAVE_API_KEY: "secret key with spaces" });
    expect(read).toThrow(ConfigError);
    expect(read).toThrow(/BRAVE_API_KEY/);
    expect(read).not.toThrow(/secret/);
  });
});

describe("unknown settings", () => {
  it("are refused with the nearest name", () => {
    expect(() => settingsFrom({ fetch: { timeoutMS: 1 } } as never, {})).toThrow(
      expect.objectContaining({ code: "invalid_configuration", hint: expect.stringContaining("fetch.timeoutMs") }),
    );
  });
});

describe("the table", () => {
  it("has a default that its own schema accepts", () => {
    for (const path of SETTING_PATHS) {
      const { schema, fallback } = settingAt(path);
      if (fallback !== undefined) expect(schema.safeParse(fallback).success, path).toBe(true);
    }
  });

  it("lets a project file do to each setting what is written here, and no more", () => {
    expect(Object.fromEntries(SETTING_PATHS.map((path) => [path, settingAt(path).project]))).toEqual(PROJECT_RULES);
  });

  it("lets no project file set anything secret", () => {
    for (const path of SETTING_PATHS) {
      const { secret, project } = settingAt(path);
      if (secret === true) expect(project, path).toBe("never");
    }
  });
});
