// What many requests to many hosts leave behind: `node --expose-gc bench/jail/leftovers.mjs REQUESTS HOSTS [tls]` prints
// it as JSON. A process of its own, so that nothing but the requests is measured.
import { getEventListeners } from "node:events";
import { readFileSync } from "node:fs";
import { setTimeout as wait } from "node:timers/promises";
import { createJail, createTransport } from "../../dist/net/index.js";
import { forkOrigins } from "./fork-origins.mjs";

const AT_ONCE = 32;
const BODY_BYTES = 2_000;
const TLS_HOST = "secure.example.org";

const [requests, hosts] = process.argv.slice(2, 4).map(Number);
const isTls = process.argv[4] === "tls";
const warnings = [];
process.on("warning", ({ name }) => warnings.push(name));

const listenersBefore = countListeners();
// What loading these modules left open closes in a moment.
await wait(10);
const resourcesBefore = resources();
const origins = await forkOrigins();

const addresses = Array.from({ length: hosts }, (_, i) => `127.0.${1 + (i >> 8)}.${i & 255}`);
const { transport, urlOf } = isTls ? overTls() : overTcp();
const { signal } = new AbortController();
const ask = async (url) => {
  const { status, bytes } = await transport.request({ url, signal });
  if (status !== 200 || bytes.length !== BODY_BYTES) throw new Error(`${status} with ${bytes.length} bytes`);
};
let asked = 0;
const sendAll = async (count) => {
  const last = asked + count;
  const work = async () => {
    while (asked < last) {
      const url = urlOf(asked / 2);
      asked += 2;
      // Without TLS, the second one finds the first one's connection.
      await ask(url);
      await ask(url);
    }
  };
  await Promise.all(Array.from({ length: AT_ONCE }, work));
};

// Every host twice: what is loaded or compiled on the way is no growth.
await sendAll(2 * hosts);
const heapBefore = await settledHeap();
const begun = performance.now();
await sendAll(requests - 2 * hosts);
const seconds = (performance.now() - begun) / 1000;
const heapAfter = await settledHeap();
const openWhileIdle = await openConnections();
const signalListeners = getEventListeners(signal, "abort").length;

await transport.close();
const heapClosed = await settledHeap();
const openAfterClose = await openConnections();
await origins.stop();
// The servers' process is gone in a moment.
for (let i = 0; i < 100 && resources() !== resourcesBefore; i += 1) await wait(20);

console.log(
  JSON.stringify({
    requests,
    hosts,
    seconds,
    growthBytes: heapAfter - heapBefore,
    growthAfterCloseBytes: heapClosed - heapBefore,
    openWhileIdle,
    openAfterClose,
    resourcesBefore,
    resourcesAfterClose: resources(),
    signalListeners,
    listenersAdded: countListeners() - listenersBefore,
    warnings,
  }),
);

/** A name and an origin for each address. */
function overTcp() {
  const names = addresses.map((_, i) => `host-${i}.example.org`);
  const addressOf = new Map(names.map((name, i) => [name, addresses[i]]));
  const exemptions = names.map((name) => ({ origin: `http://${name}:${origins.port}`, name: "bench" }));
  const jail = createJail({ exemptions, resolve: async (name) => [addressOf.get(name)] });
  return {
    transport: createTransport({ jail }),
    urlOf: (nth) => `${exemptions[nth % hosts].origin}/${BODY_BYTES}`,
  };
}

/** One certificate, so one name: its answer is another address each time, and so the connection is another one. */
function overTls() {
  const origin = `https://${TLS_HOST}:${origins.securePort}`;
  let lookUps = 0;
  const resolve = async () => {
    lookUps += 1;
    return [addresses[lookUps % hosts]];
  };
  return {
    transport: createTransport({
      jail: createJail({ exemptions: [{ origin, name: "bench" }], resolve }),
      ca: [readFileSync(new URL("../../test/fixtures/tls/ca.pem", import.meta.url), "utf8")],
      maxConnectionsPerOrigin: AT_ONCE,
    }),
    urlOf: () => `${origin}/${BODY_BYTES}`,
  };
}

/** Twice and a moment apart: what a finalizer frees is gone, too. */
async function settledHeap() {
  for (let i = 0; i < 3; i += 1) {
    await wait(50);
    globalThis.gc();
  }
  return process.memoryUsage().heapUsed;
}

/** As the server sees it, once the connections that are closing are closed. */
async function openConnections() {
  for (let last = -1; ; await wait(50)) {
    const open = await origins.countOpen();
    if (open === last) return open;
    last = open;
  }
}

/** What the process waits for: each kind with how many there are of it. */
function resources() {
  const counts = {};
  for (const kind of process.getActiveResourcesInfo().sort()) counts[kind] = (counts[kind] ?? 0) + 1;
  return Object.entries(counts)
    .map(([kind, count]) => `${kind} x ${count}`)
    .join(", ");
}

/** On the emitters that all requests share. */
function countListeners() {
  return [process, process.stdout, process.stderr]
    .flatMap((emitter) => emitter.eventNames().map((name) => emitter.listenerCount(name)))
    .reduce((sum, count) => sum + count, 0);
}
