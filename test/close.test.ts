import { chmod, mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createPostern, type Postern, type PosternOptions } from "postern";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { openSite, type Site } from "./helpers/site.js";

let site: Site;
let folder: string;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "postern-close-"));
  site = await openSite({
    "/silent": () => undefined,
    "/busy": (_request, response) => void response.writeHead(503, { "retry-after": "6" }).end(),
    "/arriving": (_request, response) => {
      response.writeHead(200, { "content-type": "text/plain" });
      response.write("the beginning");
    },
  });
});
afterAll(async () => {
  await site.close();
  await rm(folder, { recursive: true });
});

const open = (options: PosternOptions = {}) =>
  createPostern({
    env: {},
    index: { directory: folder },
    jail: { exemptions: [{ origin: site.origin, name: "test" }] },
    ...options,
  });
const moment = (ms = 150) => new Promise((resolve) => setTimeout(resolve, ms));

/** A command that writes its process id and never ends. */
async function endlessDdgs(): Promise<string> {
  const file = join(folder, "ddgs");
  await writeFile(
    file,
    `#!/bin/sh\n[ "$1" = version ] && { echo 9.14.4; exit 0; }\necho $$ > "${folder}/pid"\nexec sleep 60\n`,
  );
  await chmod(file, 0o755);
  return `${folder}:${process.env.PATH}`;
}

const STAGES: readonly (readonly [
  stage: string,
  begin: () => Promise<{ postern: Postern; call: Promise<unknown> }>,
])[] = [
  ["waits for headers", async () => begin(open(), "/silent")],
  ["reads a body", async () => begin(open(), "/arriving")],
  ["waits to try again", async () => begin(open(), "/busy")],
  [
    "looks a name up",
    async () => {
      const postern = open({ resolve: () => new Promise(() => undefined) });
      return { postern, call: postern.fetch({ url: "http://slow.example.com/" }) };
    },
  ],
  [
    "waits for a person",
    async () => {
      const postern = open({ approve: () => new Promise(() => undefined) });
      return { postern, call: postern.fetch({ url: `${site.origin}/silent`, caller: "model" }) };
    },
  ],
  [
    "waits for a person before a search",
    async () => {
      const postern = open({ search: { provider: "duckduckgo" }, approve: () => new Promise(() => undefined) });
      return { postern, call: postern.search({ query: "x", caller: "model" }) };
    },
  ],
  [
    "runs a search command",
    async () => {
      const postern = open({ env: { PATH: await endlessDdgs() }, search: { provider: "ddgs" } });
      return { postern, call: postern.search({ query: "x" }) };
    },
  ],
];

function begin(postern: Postern, path: string) {
  return { postern, call: postern.fetch({ url: `${site.origin}${path}` }) };
}

describe.each(STAGES)("a call that %s", (stage, start) => {
  it("ends at once when its Postern is closed", async () => {
    const { postern, call } = await start();
    const ended = expect(call).rejects.toMatchObject({ code: "aborted" });
    await moment(stage.includes("command") ? 600 : 150);
    const before = performance.now();
    await postern.close();
    await ended;
    expect(performance.now() - before).toBeLessThan(1_500);
  });
});

it("no child outlives its Postern", async () => {
  const postern = open({ env: { PATH: await endlessDdgs() }, search: { provider: "ddgs" } });
  const call = postern.search({ query: "x" }).catch((error: unknown) => error);
  let pid = "";
  for (let i = 0; i < 50 && pid === ""; i += 1) {
    await moment(50);
    pid = await readFile(join(folder, "pid"), "utf8").catch(() => "");
  }
  await postern.close();
  await call;
  await moment(100);
  expect(() => process.kill(Number(pid), 0)).toThrow(/ESRCH/);
});

it("a caller who leaves while a person is asked hears of it at once", async () => {
  const postern = open({ approve: () => new Promise(() => undefined) });
  const controller = new AbortController();
  const call = postern.fetch({ url: `${site.origin}/silent`, caller: "model", signal: controller.signal });
  setTimeout(() => controller.abort(), 50);
  const before = performance.now();
  await expect(call).rejects.toMatchObject({ code: "aborted" });
  expect(performance.now() - before).toBeLessThan(1_000);
  await postern.close();
});

it("warns nobody of a leak when many calls share one signal", async () => {
  const warnings: Error[] = [];
  const listen = (warning: Error): unknown => warnings.push(warning);
  process.on("warning", listen);
  const postern = open();
  const controller = new AbortController();
  const calls = Array.from({ length: 40 }, () =>
    postern.fetch({ url: `${site.origin}/silent`, refresh: true, signal: controller.signal }).catch(() => undefined),
  );
  await moment();
  controller.abort();
  await Promise.all(calls);
  await postern.close();
  process.removeListener("warning", listen);
  expect(warnings).toEqual([]);
});
