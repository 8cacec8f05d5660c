import { spawnSync } from "node:child_process";
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { beforeAll, expect, it } from "vitest";

const SCRIPT = fileURLToPath(new URL("../scripts/layering.mjs", import.meta.url));

/** What the check says of a source tree of these files, one problem a line. */
function check(files: Readonly<Record<string, string>>): { problems: readonly string[]; exitCode: number | null } {
  const folder = mkdtempSync(join(tmpdir(), "postern-layering-"));
  for (const [name, source] of Object.entries(files)) {
    mkdirSync(dirname(join(folder, name)), { recursive: true });
    writeFileSync(join(folder, name), source);
  }
  const { stderr, status } = spawnSync(process.execPath, [SCRIPT, folder], { encoding: "utf8" });
  rmSync(folder, { recursive: true });
  return { problems: stderr.split("\n").filter((line) => line !== ""), exitCode: status };
}

it("lets a tree pass that keeps to the plan", () => {
  const files = {
    "net/dial.ts": `import { connect, type Socket } from "node:net";\nexport const dial = (): Socket => connect(1);`,
    "net/way.ts": `import type { Socket } from "node:net";\nexport type Way = Socket;`,
    "net/retry-after.ts": `export type Wait = number;`,
    "net/slots.ts": `export class Slots {\n  /** constructor */\n  constructor(count: number) { if (count < 1) throw new Error(); }\n}`,
    "search/run.ts": `import type { Wait } from "../net/retry-after.js";\nimport { readFileSync } from "fs";\nexport const run = (fetch: (wait: Wait) => void, require: number) => [fetch, require, readFileSync, process.env.HOME];`,
    "worker-queue.ts": `import { Worker } from "node:worker_threads";\nexport const start = Worker;`,
    "page-reader.ts": `export const read = async () => [await import("./worker-queue.js"), await import("./read-page.js")];`,
    "read-page.ts": `// import "node:net" and fetch("https://example.org/") are words here.\nexport const read = 'require("node:net")';`,
    "read-page.test.ts": `import "node:net";`,
  };
  expect(check(files)).toEqual({ problems: [], exitCode: 0 });
});

const ANYWHERE: readonly (readonly [folder: string, source: string, problem: string])[] = [
  ["search", `import { connect } from "node:net";`, "may not import node:net"],
  ["search", `import net from "net";`, "may not import node:net"],
  ["search", `import {\n  // a comment\n  connect,\n} from\n  'node:tls'`, "may not import node:tls"],
  ["search", `export * from "https";`, "may not import node:https"],
  ["search", `import "node:dns/promises";`, "may not import node:dns/promises"],
  ["search", `export const x = () => import("node:net");`, "may not import node:net"],
  ["search", `export const x = () => import(/* the */ \`node:net\`);`, "may not import node:net"],
  ["search", `export const x = (name: string) => import(name);`, "imports what is not said"],
  ["search", `export const x = () => import("node:" + "net");`, "may not import node:net"],
  ["search", `export const x = (name: string) => import(\`../search/\${name}.js\`);`, "imports what is not said"],
  ["search", `export const x = require("node:net");`, "uses the global require"],
  ["search", `const load = require; export const x = load("net");`, "uses the global require"],
  ["search", `import { createRequire } from "node:module";`, "may not import node:module"],
  ["search", `export const x = process.getBuiltinModule("net");`, "uses process.getBuiltinModule"],
  ["search", `export const x = process?.binding("tcp_wrap");`, "uses process.binding"],
  ["search", `export const x = process["binding"]("tcp_wrap");`, "uses the global process"],
  ["search", `const { binding } = process; export const x = binding;`, "uses the global process"],
  ["search", `import { binding } from "node:process";`, "may not import node:process"],
  ["search", `export const x = () => fetch("https://example.org/");`, "uses the global fetch"],
  ["search", `const get = fetch; export const x = get;`, "uses the global fetch"],
  ["search", `export const x = { fetch };`, "uses the global fetch"],
  ["search", `function unused() { fetch("https://example.org/"); }`, "uses the global fetch"],
  ["search", `export const x = globalThis["fe" + "tch"];`, "uses the global globalThis"],
  ["search", `export const x = new WebSocket("wss://example.org/");`, "uses the global WebSocket"],
  ["search", `export const x = new EventSource("https://example.org/");`, "uses the global EventSource"],
  ["search", `export class X extends XMLHttpRequest {}`, "uses the global XMLHttpRequest"],
  ["search", `export const x = eval("fetch");`, "uses the global eval"],
  ["search", `export const x = new Function("return fetch");`, "uses the global Function"],
  ["search", `export const x = (() => {}).constructor("return fetch");`, "uses constructor"],
  ["search", `export const x = (() => {})?.["constructor"]("return fetch");`, "uses constructor"],
  ["search", `export const x = process.stdout.\\u0063onstructor;`, "uses constructor"],
  ["search", `const {\n  constructor: Socket,\n} = process.stdout; export const x = Socket;`, "uses constructor"],
  ["search", `const { constructor, fd } = process.stdout; export const x = [constructor, fd];`, "uses constructor"],
  ["search", `let fd, constructor; ({ fd, constructor } = process.stdout); export const x = fd;`, "uses constructor"],
  ["search", `export class X { twin() { return new this.constructor(); } }`, "uses constructor"],
  ["search", `export const x = Object.getPrototypeOf(process.stdout).connect;`, "uses getPrototypeOf"],
  ["search", `export const x = process.stdout.__proto__;`, "uses __proto__"],
  ["search", `import { execFile } from "node:child_process";`, "may not import node:child_process"],
  ["search", `import { Worker } from "worker_threads";`, "may not import node:worker_threads"],
  ["search", `import { request } from "undici";`, "may not import undici"],
  ["search", `import got from "got";`, "may not import got"],
  ["search", `import "node:inspector";`, "may not import node:inspector"],
  ["search", `import "node:cluster";`, "may not import node:cluster"],
  ["search", `import "node:dgram";`, "may not import node:dgram"],
  ["search", `import "node:http2";`, "may not import node:http2"],
  ["search", `import "node:quic";`, "may not import node:quic"],
  ["search", `import { runInThisContext } from "node:vm";`, "may not import node:vm"],
  ["net/tls", `import { connect } from "node:net";`, "may not import node:net"],
  ["net/proxy", `import { connect } from "node:tls";`, "may not import node:tls"],
  ["guard", `import { readFileSync } from "node:fs";`, "a pure room imports node:fs"],
  ["guard", `import { fetch } from "../net/index.js";\nexport const x = fetch;`, "guard may not import net"],
  ["search", `import type { Way } from "../net/way.js";\nexport type X = Way;`, "search may not import net"],
  ["guard", `import type { Way } from "../net/way.js";\nexport type X = Way;`, "guard may not import net"],
  [
    "search/providers",
    `import { rank } from "../rank.js";\nexport const x = rank;`,
    "a provider imports ../provider.js and nothing else of ours",
  ],
  ["search", `export * from "./found.test.js";`, "may not import a test"],
  ["attic", `export const x = 1;`, "no room of that name stands in the plan"],
];
/** All of them in one tree, a file each. */
const nameOf = (index: number): string => `${ANYWHERE[index]?.[0]}/x${index}.ts`;
let found: readonly string[];
beforeAll(() => {
  found = check(Object.fromEntries(ANYWHERE.map(([, source], index) => [nameOf(index), source]))).problems;
});

it.each(ANYWHERE.map((row, index) => [...row, index] as const))("in %s: %s", (_folder, _source, problem, index) => {
  const name = nameOf(index);
  expect(found.filter((line) => line.startsWith(`${name}:`))).toEqual([`${name}: ${problem}`]);
});

it.each(["mts", "cts", "tsx", "js", "mjs", "json", "node", "TS"])("finds a file that ends in .%s", (ending) => {
  const name = `search/hidden.${ending}`;
  const problems = [`${name}: is not read here, since its name does not end in .ts`];
  expect(check({ [name]: `import "node:net";` })).toEqual({ problems, exitCode: 1 });
});

it.each([
  ["net/jail.ts", `import { lookup } from "node:dns";`, "may not import node:dns"],
  [
    "net/resolve.ts",
    `import { lookup, resolve4 } from "node:dns";\nexport const x = [lookup, resolve4];`,
    "may not import resolve4 of node:dns",
  ],
  ["net/ip-address.ts", `import * as net from "node:net";\nexport const x = net;`, "may not import * of node:net"],
  [
    "net/ip-address.ts",
    `import {\n  isIP,\n  connect as go,\n} from "net";\nexport const x = [isIP, go];`,
    "may not import connect of node:net",
  ],
  ["net/dial.ts", `export * from "node:net";`, "may not import * of node:net"],
  ["net/dial.ts", `export const x = () => import("node:net");`, "may not import node:net"],
  [
    "search/run-command.ts",
    `import { fork } from "node:child_process";\nexport const x = fork;`,
    "may not import fork of node:child_process",
  ],
])("%s: %s", (name, source, problem) => {
  expect(check({ [name]: source })).toEqual({ problems: [`${name}: ${problem}`], exitCode: 1 });
});
