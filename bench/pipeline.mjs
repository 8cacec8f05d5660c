// A 50 kB page over loopback through the whole pipeline, against `undici.request` plus parsing the same page
// with the same parser; then the same page from the cache.
import { fork } from "node:child_process";
import { fileURLToPath } from "node:url";
import { parseDocument } from "htmlparser2";
import { createPostern } from "postern";
import { Agent, request } from "undici";
import { documentationPage } from "./pages.mjs";
import { median, percentile, printTable } from "./table.mjs";

const ROUNDS = 300;
const WARM_UP = 60;
const page = documentationPage(50_000);
// The server runs in its own process, so that its work is in neither figure.
const child = fork(fileURLToPath(new URL("./page-server.mjs", import.meta.url)), [], {
  stdio: ["ignore", "inherit", "inherit", "ipc"],
});
child.send({ pages: { "/page": page } });
const { origin } = await new Promise((resolve) => child.once("message", resolve));
const url = `${origin}/page`;

const postern = createPostern({
  env: {},
  jail: { exemptions: [{ origin, name: "bench" }] },
  fetch: { maxChars: 10_000_000 },
});
const agent = new Agent();
const peer = async () => {
  const { body } = await request(url, { dispatcher: agent });
  return parseDocument(await body.text());
};
const ours = () => postern.fetch({ url, refresh: true });

const timed = async (work) => {
  const begun = performance.now();
  await work();
  return performance.now() - begun;
};
for (let i = 0; i < WARM_UP; i += 1) {
  await peer();
  await ours();
}
const times = { peer: [], ours: [], cached: [] };
for (let i = 0; i < ROUNDS; i += 1) {
  times.peer.push(await timed(peer));
  times.ours.push(await timed(ours));
}
await postern.fetch({ url });
for (let i = 0; i < ROUNDS; i += 1) times.cached.push(await timed(() => postern.fetch({ url })));

await postern.close();
await agent.close();
child.disconnect();

const ratio = median(times.ours) / median(times.peer);
const p95 = percentile(times.cached, 0.95);
printTable(`A ${(page.length / 1_000).toFixed(0)} kB page over loopback (median of ${ROUNDS}, interleaved)`, [
  { name: "`undici.request` + `parseDocument`", value: `${median(times.peer).toFixed(2)} ms` },
  { name: "`postern.fetch`, no cache", value: `${median(times.ours).toFixed(2)} ms` },
  { name: "ours / peer", value: `${ratio.toFixed(2)} x`, bar: "2.5 x", ok: ratio <= 2.5 },
  { name: "a cache hit (p95)", value: `${p95.toFixed(3)} ms`, bar: "2 ms", ok: p95 < 2 },
]);
