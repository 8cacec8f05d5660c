import { existsSync } from "node:fs";
import { chmod, mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import type { ProviderContext } from "../../src/search/index.js";
import { createRunCommand } from "../../src/search/index.js";
import { createDdgsProvider } from "../../src/search/providers/ddgs.js";
import { contextWith, failureOf, query } from "./loopback.js";

const ownFake = join(import.meta.dirname, "../fixtures/search/ddgs.sh");
const sharedFake = join(
  process.env.POSTERN_SHARED ?? join(process.cwd(), "../shared"),
  "fixtures/providers/ddgs/fake-ddgs.sh",
);

let folder: string;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), "postern-test-"));
});
afterEach(() => rm(folder, { recursive: true }));

/** Puts a `ddgs` on a PATH of its own. The environment is set inside: the runner passes none of ours on. */
async function install(fake: string, environment: Readonly<Record<string, string>>): Promise<ProviderContext> {
  const settings = Object.entries(environment).map(([name, value]) => `export ${name}='${value}'`);
  const path = join(folder, "ddgs");
  await writeFile(path, ["#!/bin/sh", ...settings, `exec sh '${fake}' "$@"`, ""].join("\n"));
  await chmod(path, 0o755);
  return contextWith({ run: createRunCommand({ env: { PATH: `${folder}:${process.env.PATH}` } }) });
}

describe("ddgs", () => {
  it("reads the file that the command wrote", async () => {
    const context = await install(ownFake, { FAKE_DDGS: "ok" });
    const answer = await createDdgsProvider().search(query(), context);
    expect(answer.hits).toEqual([
      { url: "https://ferns.example/spore?x=1", title: "Fern & spore <T>", snippet: "Body 'q' …" },
      { url: "https://ferns.example/a+b", title: "Decoded", snippet: "A plain paragraph." },
      { url: "https://untitled.example/", title: "", snippet: "" },
    ]);
    expect(answer.cost).toEqual({ usd: 0, basis: "free" });
    expect(answer.warnings.join()).toContain("decodes addresses");
  });

  const argumentsOf = async (version: string, asked: Parameters<typeof query>[0]): Promise<string[]> => {
    const log = join(folder, "arguments");
    const context = await install(ownFake, { FAKE_DDGS: "ok", FAKE_VERSION: version, FAKE_ARGS: log });
    await createDdgsProvider().search(query(asked), context);
    return (await readFile(log, "utf8")).trim().split("\n");
  };

  it("passes everything as arguments of its own, and the file as an absolute path", async () => {
    const asked = {
      query: "-r $(id) 'x' \"y\"",
      sites: ["a.example"],
      freshness: "week",
      country: "US",
      lang: "en-US",
    } as const;
    const [verb, flag, words, m, size, o, file, ...rest] = await argumentsOf("9.14.4", asked);
    expect([verb, flag, words, m, size, o]).toEqual([
      "text",
      "-q",
      "-r $(id) 'x' \"y\" site:a.example",
      "-m",
      "10",
      "-o",
    ]);
    expect(file).toMatch(/^\/.*\/results\.json$/);
    expect(existsSync(file ?? "")).toBe(false);
    expect(rest).toEqual(["-t", "w", "-r", "us-en"]);
  });

  it("speaks the dialect of versions before 9, without pages", async () => {
    expect(await argumentsOf("8.1.1", { cursor: "2.0" })).toEqual(expect.not.arrayContaining(["-q", "-p"]));
    expect(await argumentsOf("9.0.2", { cursor: "2.0" })).toEqual(expect.arrayContaining(["-q", "-p", "2"]));
  });

  it.each([
    ["network", "provider_network"],
    ["timeout", "provider_timeout"],
    ["limited", "provider_blocked"],
    ["other", "provider_bad_response"],
    ["usage", "provider_invalid_request"],
    ["cut", "provider_bad_response"],
    ["link", "provider_bad_response"],
  ])("takes %s for %s, whatever the exit code", async (mode, code) => {
    const context = await install(ownFake, { FAKE_DDGS: mode });
    expect(await failureOf(createDdgsProvider().search(query(), context))).toMatchObject({ code, provider: "ddgs" });
  });

  it("does not vouch for an empty answer", async () => {
    const context = await install(ownFake, { FAKE_DDGS: "none" });
    const answer = await createDdgsProvider().search(query(), context);
    expect(answer.hits).toEqual([]);
    expect(answer.partial).toEqual([{ engine: "all engines", reason: "found nothing or refused" }]);
  });

  it("names the install command when there is none", async () => {
    const run = createRunCommand({ env: { PATH: folder } });
    const error = await failureOf(createDdgsProvider().search(query(), contextWith({ run })));
    expect(error).toMatchObject({ code: "provider_command_missing", provider: "ddgs" });
    expect(error).toMatchObject({ hint: expect.stringContaining("pipx install ddgs") });
  });

  it.each(["a\nb", "a\0b", "a\rb"])("refuses %j before it starts anything", async (text) => {
    const search = createDdgsProvider().search(query({ query: text }), contextWith());
    expect(await failureOf(search)).toMatchObject({ code: "provider_invalid_request" });
  });

  it("ends with the signal", async () => {
    const context = await install(ownFake, { FAKE_DDGS: "hang" });
    const startedAt = performance.now();
    const search = createDdgsProvider().search(query(), { ...context, signal: AbortSignal.timeout(300) });
    expect(await failureOf(search)).toMatchObject({ code: "provider_timeout" });
    expect(performance.now() - startedAt).toBeLessThan(5_000);
  });
});

describe.skipIf(!existsSync(sharedFake))("ddgs against the shared stand-in", () => {
  it.each([
    ["network", "provider_network"],
    ["timeout", "provider_timeout"],
    ["usage", "provider_invalid_request"],
    ["hang", "provider_timeout"],
  ])("takes %s for %s", async (mode, code) => {
    const context = await install(sharedFake, { FAKE_DDGS: mode });
    const search = createDdgsProvider().search(query(), { ...context, signal: AbortSignal.timeout(3_000) });
    expect(await failureOf(search)).toMatchObject({ code });
  });

  it("reads success and doubts an empty answer", async () => {
    const found = await createDdgsProvider().search(query(), await install(sharedFake, { FAKE_DDGS: "ok" }));
    expect(found.hits).toHaveLength(3);
    const none = await createDdgsProvider().search(query(), await install(sharedFake, { FAKE_DDGS: "none" }));
    expect(none).toMatchObject({ hits: [], partial: [{ engine: "all engines" }] });
  });
});
