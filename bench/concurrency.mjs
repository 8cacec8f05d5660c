// 200 fetches at once from 200 hosts: errors, growth of memory; then how long a 2 MB page holds the event loop.
import { fork } from "node:child_process";
import { monitorEventLoopDelay } from "node:perf_hooks";
import { fileURLToPath } from "node:url";
import { createPostern } from "postern";
import { documentationPage } from "./pages.mjs";
import { printTable } from "./table.mjs";

const HOSTS = 200;
const hosts = Array.from({ length: HOSTS }, (_, i) => `127.0.1.${i + 1}`);
const child = fork(fileURLToPath(new URL("./page-server.mjs", import.meta.url)), [], {
  stdio: ["ignore", "inherit", "inherit", "ipc"],
});
child.send({ pages: { "/page": documentationPage(50_000), "/large": documentationPage(1_950_000) }, hosts });
const { port } = await new Promise((resolve) => child.once("message", resolve));
const exemptions = hosts.map((host) => ({ origin: `http://${host}:${port}`, name: "bench" }));
const postern = createPostern({ env: {}, jail: { exemptions } });

await postern.fetch({ url: `http://${hosts[0]}:${port}/page`, refresh: true });
globalThis.gc?.();
const before = process.memoryUsage.rss();
let peak = before;
const sampling = setInterval(() => {
  peak = Math.max(peak, process.memoryUsage.rss());
}, 5);
const begun = performance.now();
const results = await Promise.allSettled(
  hosts.map((host) => postern.fetch({ url: `http://${host}:${port}/page`, refresh: true })),
);
const elapsedMs = performance.now() - begun;
clearInterval(sampling);
const errors = results.filter((result) => result.status === "rejected" || result.value.outcome !== "ok").length;

const url = `http://${hosts[0]}:${port}/large`;
await postern.fetch({ url, refresh: true });
const delay = monitorEventLoopDelay({ resolution: 1 });
delay.enable();
for (let i = 0; i < 5; i += 1) await postern.fetch({ url, refresh: true });
delay.disable();
const blockedMs = delay.max / 1e6;

await postern.close();
child.disconnect();
const growthMb = (peak - before) / 1e6;
printTable("Many at once, and one large page", [
  { name: `${HOSTS} fetches at once from ${HOSTS} hosts`, value: `${elapsedMs.toFixed(0)} ms` },
  { name: "errors", value: String(errors), bar: "0", ok: errors === 0 },
  { name: "growth of memory (peak RSS)", value: `${growthMb.toFixed(0)} MB`, bar: "200 MB", ok: growthMb < 200 },
  {
    name: "event loop held by a 2 MB page (longest of 5)",
    value: `${blockedMs.toFixed(1)} ms`,
    bar: "50 ms",
    ok: blockedMs <= 50,
  },
]);
