// What the jail costs: a judgement, a request, and what many requests to many hosts leave behind.
import { execFileSync } from "node:child_process";
import { fileURLToPath } from "node:url";
import { printTable } from "../table.mjs";
import { forkOrigins } from "./fork-origins.mjs";
import { measureJudging } from "./judging.mjs";
import { measureRequests } from "./requests.mjs";

const MAX_JUDGE_MICROS = 20;
const MAX_RATIO = 1.15;
const MAX_GROWTH_MB = 5;

export async function printCost() {
  printJudging(await measureJudging());
  const origins = await forkOrigins();
  printRequests(await measureRequests(origins.port));
  await origins.stop();
  printLeftovers([measureLeftovers(10_000, 1_000), measureLeftovers(2_000, 500, "tls")]);
}

function printJudging({ rows, all, allowed, refused, literals, peers }) {
  const micros = ({ median, p95 }) => `${median.toFixed(1)} µs (p95 ${p95.toFixed(1)})`;
  printTable(`Judging a URL, its name answered from memory (${rows} rows)`, [
    { name: "all", value: micros(all), bar: `${MAX_JUDGE_MICROS} µs`, ok: all.median < MAX_JUDGE_MICROS },
    { name: "those allowed", value: micros(allowed) },
    { name: "those refused", value: micros(refused) },
    { name: "those with an address for a host", value: micros(literals) },
    ...peers.map((peer) => ({ name: `the same by ${peer.name}`, value: micros(peer) })),
  ]);
}

function printRequests(results) {
  const ratio = ({ median, least, most }) => `${median.toFixed(2)} x (${least.toFixed(2)} to ${most.toFixed(2)})`;
  printTable(
    "A jailed request against `undici.request`, warm, on loopback (median, least and most of the rounds' ratios)",
    results.map(({ bytes, concurrency, micros, toRequest, toFetch }) => ({
      name: `${bytes.toLocaleString("en")} bytes, ${concurrency} at once`,
      value: `${micros.ours.toFixed(0)} µs / ${micros.request.toFixed(0)} µs = ${ratio(toRequest)} · undici's \`fetch\` ${micros.fetch.toFixed(0)} µs = ${ratio(toFetch)}`,
      bar: `${MAX_RATIO} x`,
      ok: toRequest.median <= MAX_RATIO,
    })),
  );
}

function measureLeftovers(...args) {
  const script = fileURLToPath(new URL("./leftovers.mjs", import.meta.url));
  return JSON.parse(execFileSync(process.execPath, ["--expose-gc", script, ...args.map(String)], { encoding: "utf8" }));
}

function printLeftovers(runs) {
  const megabytes = (bytes) => `${(bytes / 1e6).toFixed(1)} MB`;
  const none = (count) => ({ value: String(count), bar: "0", ok: count === 0 });
  for (const [i, run] of runs.entries()) {
    const { requests, hosts } = run;
    const way = i === 0 ? "hosts" : "addresses over TLS";
    printTable(`What ${requests.toLocaleString("en")} requests to ${hosts.toLocaleString("en")} ${way} leave behind`, [
      { name: "connections kept warm", value: String(run.openWhileIdle), bar: "64", ok: run.openWhileIdle <= 64 },
      {
        name: "listeners on the caller's signal and on the process",
        ...none(run.signalListeners + run.listenersAdded),
      },
      {
        name: "growth of the heap since each was asked twice",
        value: megabytes(run.growthBytes),
        bar: `${MAX_GROWTH_MB} MB`,
        ok: run.growthBytes < MAX_GROWTH_MB * 1e6,
      },
      { name: "after close(): connections", ...none(run.openAfterClose) },
      {
        name: "after close(): sockets and timers",
        value: run.resourcesAfterClose === run.resourcesBefore ? "none" : run.resourcesAfterClose,
        bar: "none",
        ok: run.resourcesAfterClose === run.resourcesBefore,
      },
      { name: "after close(): growth of the heap", value: megabytes(run.growthAfterCloseBytes) },
      { name: "warnings", ...none(run.warnings.length) },
    ]);
  }
}
