import { setImmediate as untilImmediate, setTimeout as wait } from "node:timers/promises";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { createJail, createJailedFetch, createTransport, type Transport } from "../../src/net/index.js";
import { closeAfter } from "../helpers/close-after.js";
import { serve } from "../helpers/jail-bench.js";
import { onBodyChunk } from "../helpers/on-body-chunk.js";
import { answer, type RawServer } from "../helpers/raw-server.js";

const unhandled: unknown[] = [];
const onUnhandled = (reason: unknown): void => void unhandled.push(reason);

beforeEach(() => {
  unhandled.length = 0;
  process.on("unhandledRejection", onUnhandled);
});
afterEach(() => process.removeListener("unhandledRejection", onUnhandled));

/** What a transport could leave behind; the test runner opens and closes other kinds meanwhile. */
const OWN_RESOURCES = /^(TCP|TLS|Connect|GetAddrInfo|Timeout)/;

function activeResources(): string {
  return process
    .getActiveResourcesInfo()
    .filter((name) => OWN_RESOURCES.test(name))
    .sort()
    .join();
}

/** The resources before a test, once the timers that vitest sets between two tests have run. */
async function resourcesAtStart(): Promise<string> {
  await untilTrue(() => !activeResources().includes("Timeout"));
  return activeResources();
}

/** Without a timer of its own while `isTrue` is asked. */
async function untilTrue(isTrue: () => boolean): Promise<boolean> {
  for (const startedAt = performance.now(); performance.now() - startedAt < 15_000; await wait(5)) {
    if (isTrue()) return true;
  }
  return isTrue();
}

interface Stage {
  readonly name: string;
  readonly onRequest?: Parameters<typeof serve>[0];
  /** Starts requests that hang in the stage. */
  readonly ask: (transport: Transport, origin: string, seen: Set<string>) => readonly Promise<unknown>[];
  readonly isReached: (server: RawServer, seen: ReadonlySet<string>) => boolean;
}

/** Hangs, once it is written down that it was come to. */
const never = (seen: Set<string>, what: string): Promise<never> => {
  seen.add(what);
  return new Promise(() => {});
};
const get = (transport: Transport, origin: string): readonly Promise<unknown>[] => [transport.request({ url: origin })];

const STAGES: readonly Stage[] = [
  {
    name: "looking the host up",
    ask: (transport) => get(transport, "http://slow.example.org/"),
    isReached: (_server, seen) => seen.has("dns"),
  },
  {
    name: "connecting",
    ask: (transport, origin) => get(transport, origin.replace("http:", "https:")),
    isReached: ({ connections }) => connections === 1,
  },
  {
    name: "waiting for a free connection",
    ask: (transport, origin) => [...get(transport, origin), ...get(transport, origin), ...get(transport, origin)],
    isReached: ({ received }) => received[0]?.startsWith("GET") === true,
  },
  {
    name: "waiting for the headers",
    ask: get,
    isReached: ({ received }) => received[0]?.startsWith("GET") === true,
  },
  {
    name: "reading the body",
    onRequest: (socket) => socket.write("HTTP/1.1 200 OK\r\ncontent-length: 100\r\n\r\nonly this"),
    ask: get,
    isReached: (_server, seen) => seen.has("body"),
  },
  {
    name: "waiting to try again",
    onRequest: (socket) => socket.write(answer("503 Busy", { "retry-after": "6" })),
    ask: (transport, origin) => [transport.request({ url: origin, retries: 1 })],
    isReached: (_server, seen) => seen.has("request.retried"),
  },
  {
    name: "someone decides",
    ask: (transport, origin, seen) => [transport.request({ url: origin, approveHop: () => never(seen, "approval") })],
    isReached: (_server, seen) => seen.has("approval"),
  },
];

describe("closing a transport", () => {
  it.each(STAGES)("ends at once what is $name", async ({ onRequest = () => {}, ask, isReached }) => {
    const server = await serve(onRequest);
    const origins = [server.origin, server.origin.replace("http:", "https:")];
    const seen = new Set<string>();
    onBodyChunk(() => seen.add("body"));
    const before = await resourcesAtStart();
    const transport = createTransport({
      jail: createJail({
        exemptions: origins.map((origin) => ({ origin, name: "test" })),
        resolve: () => never(seen, "dns"),
      }),
      maxConnectionsPerOrigin: 1,
      onEvent: ({ type }) => seen.add(type),
    });
    closeAfter(transport);
    const outcomes: unknown[] = [];
    const requests = ask(transport, server.origin, seen);
    for (const request of requests) {
      request.then(
        () => outcomes.push("an answer"),
        (error: { code: string; name: string }) => outcomes.push(`${error.name} ${error.code}`),
      );
    }
    expect(await untilTrue(() => isReached(server, seen))).toBe(true);
    expect(outcomes).toEqual([]);

    await transport.close();
    await untilImmediate();
    expect(outcomes).toEqual(requests.map(() => "FetchError aborted"));
    expect(await untilTrue(() => server.open === 0 && activeResources() === before), activeResources()).toBe(true);
    expect(unhandled).toEqual([]);
  });

  it("ends a request that has only begun", async () => {
    const server = await serve((socket) => socket.write(answer("200 OK")));
    const transport = createTransport({ jail: createJail({ exemptions: [{ origin: server.origin, name: "test" }] }) });
    const request = transport.request({ url: server.origin });
    await Promise.all([transport.close(), expect(request).rejects.toMatchObject({ code: "aborted" })]);
    expect(server.connections).toBe(0);
  });

  it("refuses what is asked later, before anyone is asked about it", async () => {
    const transport = createTransport({ jail: createJail() });
    await transport.close();
    let asked = 0;
    const approveHop = async (): Promise<void> => {
      asked += 1;
    };
    for (const url of ["http://example.org/", "http://192.0.2.1/", "no url"]) {
      await expect(transport.request({ url, approveHop })).rejects.toMatchObject({
        name: "FetchError",
        code: "aborted",
      });
    }
    expect(asked).toBe(0);
  });

  it("ends a request whose own body is still being read, and stops its source", async () => {
    const before = await resourcesAtStart();
    const fetch = createJailedFetch();
    let stoppedBy: unknown;
    const body = new ReadableStream({
      cancel(reason) {
        stoppedBy = reason;
      },
    });
    const request = fetch("http://example.org/", { method: "POST", body, duplex: "half" } as RequestInit);
    await Promise.all([
      expect(request).rejects.toMatchObject({ code: "aborted" }),
      untilImmediate().then(() => fetch.close()),
    ]);
    expect(stoppedBy).toMatchObject({ code: "aborted" });
    expect(await untilTrue(() => activeResources() === before)).toBe(true);
  });
});
