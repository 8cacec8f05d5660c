// A jailed request against plain undici, on loopback, in the same run: the same server, the same bodies, as many
// connections, in random order.
import { Agent, fetch, request } from "undici";
import { createJail, createTransport } from "../../dist/net/index.js";
import { median } from "../table.mjs";

/** Bodies of this length, so many requests at once; a round has so many turns of so many requests a client. */
const LOADS = [
  { bytes: 200, concurrency: 1, turns: 300, requestsATurn: 1 },
  { bytes: 200, concurrency: 32, turns: 32, requestsATurn: 128 },
  { bytes: 10_000, concurrency: 1, turns: 300, requestsATurn: 1 },
  { bytes: 10_000, concurrency: 32, turns: 32, requestsATurn: 128 },
  { bytes: 50_000, concurrency: 1, turns: 300, requestsATurn: 1 },
  { bytes: 50_000, concurrency: 32, turns: 16, requestsATurn: 128 },
  { bytes: 500_000, concurrency: 1, turns: 200, requestsATurn: 1 },
  { bytes: 500_000, concurrency: 32, turns: 5, requestsATurn: 64 },
];
const ROUNDS = 7;
const WARM_UP_ROUNDS = 2;
const MAX_CONNECTIONS = 8;

/** @returns for each load the microseconds a request took, and what we took in relation to each peer in each round */
export async function measureRequests(port, loads = LOADS) {
  const origin = `http://127.0.0.1:${port}`;
  const agent = new Agent({ connections: MAX_CONNECTIONS });
  const transport = createTransport({
    jail: createJail({ exemptions: [{ origin, name: "bench" }] }),
    maxConnectionsPerOrigin: MAX_CONNECTIONS,
  });
  const clients = {
    ours: async (url) => (await transport.request({ url })).bytes,
    request: async (url) => (await request(url, { dispatcher: agent })).body.arrayBuffer(),
    fetch: async (url) => (await fetch(url, { dispatcher: agent })).arrayBuffer(),
  };
  const results = [];
  for (const load of loads) {
    const url = `${origin}/${load.bytes}`;
    for (const ask of Object.values(clients)) {
      const { byteLength } = await ask(url);
      if (byteLength !== load.bytes) throw new Error(`${byteLength} bytes came instead of ${load.bytes}`);
    }
    const rounds = [];
    for (let round = -WARM_UP_ROUNDS; round < ROUNDS; round += 1) {
      const times = await timeRound(clients, url, load);
      if (round >= 0) rounds.push(times);
    }
    results.push({ ...load, ...summary(rounds) });
  }
  await transport.close();
  await agent.close();
  return results;
}

async function timeRound(clients, url, { concurrency, turns, requestsATurn }) {
  const times = Object.fromEntries(Object.keys(clients).map((name) => [name, []]));
  for (let turn = 0; turn < turns; turn += 1) {
    for (const name of shuffled(Object.keys(clients))) {
      const begun = performance.now();
      if (requestsATurn === 1) await clients[name](url);
      else await askAll(clients[name], url, concurrency, requestsATurn);
      times[name].push(((performance.now() - begun) * 1000) / requestsATurn);
    }
  }
  return Object.fromEntries(Object.entries(times).map(([name, values]) => [name, median(values)]));
}

async function askAll(ask, url, concurrency, count) {
  let left = count;
  const work = async () => {
    while (left > 0) {
      left -= 1;
      await ask(url);
    }
  };
  await Promise.all(Array.from({ length: concurrency }, work));
}

function shuffled(items) {
  return items
    .map((item) => [Math.random(), item])
    .sort(([a], [b]) => a - b)
    .map(([, item]) => item);
}

/** Ratios are taken within a round, so that a machine that slows down for a while slows both. */
function summary(rounds) {
  const ratiosTo = (peer) => rounds.map((times) => times.ours / times[peer]);
  const spread = (values) => ({ median: median(values), least: Math.min(...values), most: Math.max(...values) });
  return {
    micros: Object.fromEntries(
      Object.keys(rounds[0]).map((name) => [name, median(rounds.map((times) => times[name]))]),
    ),
    toRequest: spread(ratiosTo("request")),
    toFetch: spread(ratiosTo("fetch")),
  };
}
