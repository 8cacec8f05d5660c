import { chmod, mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { loadConfig } from "./files.js";

let home: string;
let env: Record<string, string>;

beforeEach(async () => {
  home = await mkdtemp(join(tmpdir(), "postern-config-"));
  env = { HOME: home, XDG_CONFIG_HOME: join(home, "xdg") };
  await mkdir(join(home, "xdg", "postern"), { recursive: true });
  await mkdir(join(home, "repo", ".git"), { recursive: true });
  await mkdir(join(home, "repo", "deep", "er"), { recursive: true });
});
afterEach(() => rm(home, { recursive: true, force: true }));

const writeUser = (text: string, mode = 0o600) =>
  writeFile(join(home, "xdg", "postern", "config.json"), text, { mode });
const writeProject = (text: string, folder = "repo") => writeFile(join(home, folder, "postern.config.json"), text);
const load = (cwd = join("repo", "deep", "er")) => loadConfig({ env, cwd: join(home, cwd) });

describe("configuration files", () => {
  it("are all optional", async () => {
    const { settings, warnings } = await load();
    expect(settings.search.provider).toBe("auto");
    expect(warnings).toEqual([]);
  });

  it("are found in XDG_CONFIG_HOME and up to the repository's root", async () => {
    await writeUser('{"fetch":{"timeoutMs":9000}}');
    await writeProject('{"policy":{"deny":["tracker.example"]}}');
    const { settings, origins } = await load();
    expect(settings.fetch.timeoutMs).toBe(9_000);
    expect(settings.policy.deny).toEqual(["tracker.example"]);
    expect(origins.get("policy.deny")?.kind).toBe("project");
  });

  it("above the repository belong to somebody else", async () => {
    await writeProject('{"policy":{"deny":["tracker.example"]}}', ".");
    expect((await load()).settings.policy.deny).toEqual([]);
  });

  it("that are not JSON are refused with file, line and column, and without their text", async () => {
    await writeUser('{\n  "keys": { "brave": "top-secret" oops }\n}');
    const failure = load();
    await expect(failure).rejects.toMatchObject({ code: "invalid_configuration" });
    await expect(failure).rejects.toThrow(/config\.json is not valid JSON at line 2, column \d+/);
    await expect(failure).rejects.not.toThrow(/top-secret|oops/);
  });

  it("that hold something else than an object are refused", async () => {
    await writeUser("[]");
    await expect(load()).rejects.toThrow(/one JSON object/);
  });

  it("that cannot be read are refused with the reason", async () => {
    await mkdir(join(home, "repo", "postern.config.json"));
    await expect(load()).rejects.toThrow(/cannot be read: it is not a file/);
  });

  it("with an unknown key are refused when they are the user's, and warned about when they are the project's", async () => {
    await writeProject('{"fetch":{"timeout":1}}');
    expect((await load()).warnings[0]).toContain("no setting `fetch.timeout`");
    await writeUser('{"fetch":{"timeout":1}}');
    await expect(load()).rejects.toMatchObject({ hint: expect.stringContaining("fetch.timeoutMs") });
  });

  it("are never taken from the working directory because HOME is empty or relative", async () => {
    await mkdir(join(home, "repo", ".config", "postern"), { recursive: true });
    await writeFile(join(home, "repo", ".config", "postern", "config.json"), '{"policy":{"approval":"allow"}}');
    for (const HOME of ["", ".", "repo"]) {
      const { origins } = await loadConfig({ env: { HOME }, cwd: join(home, "repo") });
      expect(origins.get("policy.approval")?.kind, HOME).toBe("default");
    }
  });

  it("of a clone write no escape sequence to the terminal, and cannot break search by a chain of nobody", async () => {
    await writeProject('{"\\u001b]0;pwned\\u0007": {"x": 1}, "search": {"provider": "none"}}');
    expect((await load()).warnings.join("")).not.toMatch(/[\u0000-\u001f]/);
    await writeProject('{"search": {"provider": ["none"]}}');
    await expect(load()).rejects.toThrow(/search\.provider/);
  });

  it("leave a misspelt variable not unnoticed", async () => {
    const { warnings } = await loadConfig({ env: { ...env, POSTERN_DENY_HOST: "a.example" }, cwd: home });
    expect(warnings).toEqual(["The environment variable POSTERN_DENY_HOST is no setting."]);
  });

  it.skipIf(process.platform === "win32")("with keys that others can read bring a warning", async () => {
    await writeUser('{"keys":{"brave":"k"}}');
    await chmod(join(home, "xdg", "postern", "config.json"), 0o644);
    expect((await load()).warnings[0]).toContain("chmod 600");
  });
});
