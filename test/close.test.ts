import { chmod, mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createPostern, type Postern, type PosternOptions } from "postern";
import { beforeEach, describe, expect, it } from "vitest";
import { closeAfter } from "./helpers/close-after.js";
import { onBodyChunk } from "./helpers/on-body-chunk.js";
import { openSite, type Site } from "./helpers/site.js";

const PATIENCE = { timeout: 10_000 };
let site: Site;
let folder: string;
/** What was come to in the test that runs: types of events, and steps that hang. */
let seen: string[];

beforeEach(async () => {
  seen = [];
  folder = await mkdtemp(join(tmpdir(), "postern-close-"));
  closeAfter({ close: () => rm(folder, { recursive: true }) });
  site = closeAfter(
    await openSite({
      "/silent": () => undefined,
      "/busy": (_request, response) => void response.writeHead(503, { "retry-after": "6" }).end(),
      "/arriving": (_request, response) => {
        response.writeHead(200, { "content-type": "text/plain" });
        response.write("the beginning");
      },
    }),
  );
});

const open = (options: PosternOptions = {}): Postern =>
  closeAfter(
    createPostern({
      env: {},
      index: { directory: folder },
      jail: { exemptions: [{ origin: site.origin, name: "test" }] },
      onEvent: ({ type }) => seen.push(type),
      ...options,
    }),
  );

const hang = (step: string): Promise<never> => {
  seen.push(step);
  return new Promise(() => undefined);
};
const approve = (): Promise<never> => hang("approval");

/** A command that writes its process id and never ends. */
async function endlessDdgs(): Promise<PosternOptions> {
  const file = join(folder, "ddgs");
  await writeFile(
    file,
    `#!/bin/sh\n[ "$1" = version ] && { echo 9.14.4; exit 0; }\necho $$ > "${folder}/pid"\nexec sleep 60\n`,
  );
  await chmod(file, 0o755);
  return { env: { PATH: `${folder}:${process.env.PATH}` }, search: { provider: "ddgs" } };
}

/** Of the endless command, once it runs. */
const processId = async (): Promise<number | undefined> => {
  const text = await readFile(join(folder, "pid"), "utf8").catch(() => "");
  return text.endsWith("\n") ? Number(text) : undefined;
};

interface Begun {
  readonly postern: Postern;
  readonly call: Promise<unknown>;
}

interface Stage {
  readonly name: string;
  /** Starts a call that hangs in the stage. */
  readonly begin: () => Promise<Begun>;
  readonly isReached: () => boolean | Promise<boolean>;
}

async function fetching(path: string, options: PosternOptions = {}, caller: "user" | "model" = "user"): Promise<Begun> {
  const postern = open(options);
  return { postern, call: postern.fetch({ url: new URL(path, site.origin).href, caller }) };
}

async function searching(options: PosternOptions, caller: "user" | "model" = "user"): Promise<Begun> {
  const postern = open(options);
  return { postern, call: postern.search({ query: "x", caller }) };
}

const STAGES: readonly Stage[] = [
  {
    name: "waits for headers",
    begin: () => fetching("/silent"),
    isReached: () => site.requests.includes("/silent"),
  },
  {
    name: "reads a body",
    begin() {
      onBodyChunk(() => seen.push("body"));
      return fetching("/arriving");
    },
    isReached: () => seen.includes("body"),
  },
  {
    name: "waits to try again",
    begin: () => fetching("/busy"),
    isReached: () => seen.includes("request.retried"),
  },
  {
    name: "looks a name up",
    begin: () => fetching("http://slow.example.com/", { resolve: () => hang("look-up") }),
    isReached: () => seen.includes("look-up"),
  },
  {
    name: "waits for a person",
    begin: () => fetching("/silent", { approve }, "model"),
    isReached: () => seen.includes("approval"),
  },
  {
    name: "waits for a person before a search",
    begin: () => searching({ search: { provider: "duckduckgo" }, approve }, "model"),
    isReached: () => seen.includes("approval"),
  },
  {
    name: "runs a search command",
    begin: async () => searching(await endlessDdgs()),
    isReached: async () => (await processId()) !== undefined,
  },
];

describe.each(STAGES)("a call that $name", ({ begin, isReached }) => {
  it("ends at once when its Postern is closed", async () => {
    const { postern, call } = await begin();
    const ended = expect(call).rejects.toMatchObject({ code: "aborted" });
    await expect.poll(isReached, PATIENCE).toBe(true);
    const before = performance.now();
    await postern.close();
    await ended;
    expect(performance.now() - before).toBeLessThan(10_000);
  });
});

it("no child outlives its Postern", async () => {
  const { postern, call } = await searching(await endlessDdgs());
  const ended = call.catch((error: unknown) => error);
  await expect.poll(processId, PATIENCE).toBeDefined();
  const id = Number(await processId());
  await postern.close();
  await ended;
  await expect.poll(() => isRunning(id), PATIENCE).toBe(false);
});

function isRunning(id: number): boolean {
  try {
    return process.kill(id, 0);
  } catch {
    return false;
  }
}

it("a caller who leaves while a person is asked hears of it at once", async () => {
  const postern = open({ approve });
  const controller = new AbortController();
  const call = postern.fetch({ url: `${site.origin}/silent`, caller: "model", signal: controller.signal });
  const ended = expect(call).rejects.toMatchObject({ code: "aborted" });
  await expect.poll(() => seen, PATIENCE).toContain("approval");
  const before = performance.now();
  controller.abort();
  await ended;
  expect(performance.now() - before).toBeLessThan(10_000);
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
  await expect.poll(() => seen.filter((type) => type === "hop.started"), PATIENCE).toHaveLength(calls.length);
  controller.abort();
  await Promise.all(calls);
  await postern.close();
  process.removeListener("warning", listen);
  expect(warnings).toEqual([]);
});
