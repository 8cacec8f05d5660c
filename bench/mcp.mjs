// From `postern mcp` to the answer of `initialize`, its memory and the tokens of its tool list,
// against a bare server on the same SDK bundled the same way, and against Node itself.
import { spawn } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { build } from "esbuild";
import { encode } from "gpt-tokenizer/encoding/o200k_base";
import { median, printTable } from "./table.mjs";

const RUNS = 15;
const root = fileURLToPath(new URL("..", import.meta.url));
const folder = mkdtempSync(join(tmpdir(), "postern-bench-"));
const home = mkdtempSync(join(tmpdir(), "postern-bench-home-"));

const BARE = `
import { McpServer } from "@modelcontextprotocol/server";
import { serveStdio } from "@modelcontextprotocol/server/stdio";
import * as z from "zod";
serveStdio(() => {
  const server = new McpServer({ name: "bare", version: "1.0.0" });
  server.registerTool("echo", { description: "Echo", inputSchema: z.object({ text: z.string() }) }, async ({ text }) => ({
    content: [{ type: "text", text }],
  }));
  return server;
});`;
await build({
  stdin: { contents: BARE, resolveDir: root, loader: "ts" },
  outfile: join(folder, "bare.mjs"),
  bundle: true,
  format: "esm",
  platform: "node",
  target: "node20.19",
  minifySyntax: true,
  minifyWhitespace: true,
  legalComments: "none",
  logLevel: "error",
});

const request = (id, method, params) => `${JSON.stringify({ jsonrpc: "2.0", id, method, params })}\n`;
const INITIALIZE = request(1, "initialize", {
  protocolVersion: "2025-11-25",
  capabilities: {},
  clientInfo: { name: "bench", version: "1" },
});

async function start(args) {
  const begun = performance.now();
  const child = spawn(process.execPath, args, {
    stdio: ["pipe", "pipe", "inherit"],
    env: { PATH: process.env.PATH, HOME: home },
  });
  const replies = lines(child.stdout);
  child.stdin.write(INITIALIZE);
  await replies.next();
  const elapsedMs = performance.now() - begun;
  child.stdin.write(`${JSON.stringify({ jsonrpc: "2.0", method: "notifications/initialized" })}\n`);
  child.stdin.write(request(2, "tools/list", {}));
  const tools = JSON.parse((await replies.next()).value).result.tools;
  const rssMb = Number(/VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${child.pid}/status`, "utf8"))?.[1]) / 1_000;
  const closed = new Promise((resolve) => child.once("exit", resolve));
  child.stdin.end();
  await closed;
  return { elapsedMs, rssMb, tools };
}

async function* lines(stream) {
  let rest = "";
  for await (const chunk of stream) {
    const parts = `${rest}${chunk}`.split("\n");
    rest = parts.pop();
    yield* parts;
  }
}

function bareNode() {
  const begun = performance.now();
  return new Promise((resolve) =>
    spawn(process.execPath, ["-e", "0"]).once("exit", () => resolve(performance.now() - begun)),
  );
}

const ours = [];
const bare = [];
const node = [];
for (let i = 0; i < RUNS; i += 1) {
  ours.push(await start([join(root, "dist/bin/postern.js"), "mcp"]));
  bare.push(await start([join(folder, "bare.mjs")]));
  node.push(await bareNode());
}
rmSync(folder, { recursive: true });
rmSync(home, { recursive: true });

const ms = (runs) => median(runs.map((run) => run.elapsedMs));
const rss = (runs) => median(runs.map((run) => run.rssMb));
const tokens = encode(JSON.stringify({ tools: ours[0].tools })).length;
const toBare = ms(ours) / ms(bare);
const toNode = ms(ours) / median(node);
printTable(`MCP over stdio (median of ${RUNS}, interleaved, Node ${process.versions.node})`, [
  { name: "`postern mcp` to initialize", value: `${ms(ours).toFixed(0)} ms` },
  { name: "a bare SDK server, bundled the same way", value: `${ms(bare).toFixed(0)} ms` },
  { name: "`node -e 0`", value: `${median(node).toFixed(0)} ms` },
  { name: "ours / bare server", value: `${toBare.toFixed(2)} x`, bar: "1.3 x", ok: toBare <= 1.3 },
  { name: "ours / `node -e 0`", value: `${toNode.toFixed(2)} x`, bar: "3.5 x", ok: toNode <= 3.5 },
  {
    name: "memory after tools/list (bare server)",
    value: `${rss(ours).toFixed(0)} MB (${rss(bare).toFixed(0)})`,
    bar: "85 MB",
    ok: rss(ours) <= 85,
  },
  { name: "tools/list, both tools", value: `${tokens} tokens (o200k)`, bar: "450", ok: tokens <= 450 },
]);
