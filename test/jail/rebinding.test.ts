import type { Socket } from "node:net";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { createJail, createTransport, type TransportRequest } from "../../src/net/index.js";
import { ipRange } from "../../src/net/ip-range.js";
import { IPV4_DENIED, type ListedRange } from "../../src/net/ip-ranges.js";
import { closeAfter } from "../helpers/close-after.js";
import { answer, openRawServer, type RawServer } from "../helpers/raw-server.js";

// A stage on loopback: 127.1.0.0/16 plays the public web, since the table is changed to end the loopback block before
// it; 127.0.0.1 and ::1 stay private, and a canary on the same port stands there for every private host.
const PUBLIC = "127.1.0.1";
const PUBLIC_TOO = "127.1.0.2";
const PUBLIC_AND_DEAD = "127.1.0.3";

type Answers = readonly string[];

/** The attacker's second answer: private hosts, alone and among public ones, in every spelling that an answer can have. */
const PRIVATE: readonly Answers[] = [
  ["127.0.0.1"],
  ["::1"],
  ["::ffff:127.0.0.1"],
  ["::ffff:7f00:1"],
  [PUBLIC, "127.0.0.1"],
  ["127.0.0.1", PUBLIC],
  ["::1", PUBLIC],
  [PUBLIC, PUBLIC_TOO, "::1"],
  [PUBLIC_AND_DEAD, "127.0.0.1"],
  ["169.254.169.254"],
  ["fd00:ec2::254"],
  ["0.0.0.0"],
  ["::"],
];
const NTH = Array.from({ length: 10 }, (_, index) => index + 1);

const rows = IPV4_DENIED as ListedRange[];
const tableBefore = [...rows];
let obstacle = "";

let port = 0;
let servers: readonly RawServer[] = [];
let canaries: readonly RawServer[] = [];
let onRequest: (socket: Socket, head: string) => void = () => {};

beforeAll(async () => {
  rows.splice(
    rows.findIndex(({ cidr }) => cidr === "127.0.0.0/8"),
    1,
    { ...ipRange("127.0.0.0/16"), source: "test", isExemptible: true },
  );
  const play = (socket: Socket, head: string): void => onRequest(socket, head);
  try {
    const first = await openRawServer(play, { host: PUBLIC });
    port = first.port;
    servers = [first, await openRawServer(play, { host: PUBLIC_TOO, port })];
    const hit = (socket: Socket): void => void socket.end(answer("200 OK", {}, "private"));
    canaries = [await openRawServer(hit, { port }), await openRawServer(hit, { host: "::1", port })];
    await proveCanaries();
  } catch (error) {
    // Only Linux has the whole of 127/8 without being told to.
    obstacle = `${(error as Error).message}: the rebinding tests need 127.1.0.1, 127.1.0.2 and ::1 on this machine`;
  }
});

afterAll(async () => {
  rows.splice(0, rows.length, ...tableBefore);
  for (const server of [...servers, ...canaries]) await server.close();
});

beforeEach((test) => {
  if (obstacle !== "") test.skip(obstacle);
  onRequest = (socket) => socket.write(answer("200 OK", {}, "public"));
  // Closed first after a test is what it opened itself, so that this is looked at last.
  closeAfter({ close: expectNoHits });
});

function expectNoHits(): void {
  const hits = canaries.map(({ connections }) => connections - 1);
  expect(hits, "connections to the private canaries").toEqual(canaries.map(() => 0));
}

/** Whoever may reach them does, once: so a hole would show. */
async function proveCanaries(): Promise<void> {
  const exemptions = canaries.map(({ origin }) => ({ origin, name: "canary" }));
  const transport = createTransport({ jail: createJail({ exemptions }) });
  for (const { origin } of canaries) await transport.request({ url: origin });
  await transport.close();
}

/** A transport whose nth look-up of any name gets `answersOf(n)`, counted from 1. */
function attacked(answersOf: (nth: number) => Answers) {
  let lookUps = 0;
  const jail = createJail({
    ports: [port],
    resolve: async () => {
      lookUps += 1;
      return answersOf(lookUps);
    },
  });
  const transport = closeAfter(createTransport({ jail }));
  const ask = (path = "/", request: Partial<TransportRequest> = {}): Promise<string> =>
    transport
      .request({ url: `http://app.example.org:${port}${path}`, timeoutMs: 5_000, ...request })
      .then(({ status, bytes }) => (status === 200 ? new TextDecoder().decode(bytes) : String(status)))
      .catch((error: { rule?: string; code: string }) => error.rule ?? error.code);
  return { jail, ask, lookUps: () => lookUps };
}

const publicUntil =
  (nth: number, then: Answers) =>
  (lookUp: number): Answers =>
    lookUp < nth ? [PUBLIC] : then;

describe.each(NTH)("an answer that turns private at look-up %i", (nth) => {
  it("is refused on warm connections, from then on", async () => {
    for (const then of PRIVATE) {
      const { ask, lookUps } = attacked(publicUntil(nth, then));
      for (let request = 1; request <= 11; request += 1) {
        expect(await ask(), `${then} at request ${request}`).toBe(request < nth ? "public" : "dns_answer");
      }
      expect(lookUps()).toBe(11);
    }
  });

  it("is refused once, when it turns back, and the legal host is served again", async () => {
    for (const then of PRIVATE) {
      const { ask } = attacked((lookUp) => (lookUp === nth ? then : [PUBLIC]));
      for (let request = 1; request <= 11; request += 1) {
        expect(await ask(), `${then} at request ${request}`).toBe(request === nth ? "dns_answer" : "public");
      }
    }
  });

  it("is refused when the server closes every connection", async () => {
    onRequest = (socket) => void socket.end(answer("200 OK", { connection: "close" }, "public"));
    const { ask } = attacked(publicUntil(nth, ["127.0.0.1"]));
    for (let request = 1; request <= 11; request += 1) {
      expect(await ask()).toBe(request < nth ? "public" : "dns_answer");
    }
  });

  it("is refused at that hop of a chain of redirects to the same host", async () => {
    let hops = 0;
    onRequest = (socket, head) => {
      hops += 1;
      const next = Number(/^GET \/(\d+)/.exec(head)?.[1] ?? 0) + 1;
      const isEnd = next > 11;
      socket.write(isEnd ? answer("200 OK", {}, "public") : answer("302 Found", { location: `/${next}` }));
    };
    for (const then of PRIVATE) {
      hops = 0;
      const { ask } = attacked(publicUntil(nth, then));
      expect(await ask("/0", { maxRedirects: 12 })).toBe("dns_answer");
      expect(hops, "requests before the refusal").toBe(nth - 1);
    }
    expect(await attacked(() => [PUBLIC]).ask("/0", { maxRedirects: 12 })).toBe("public");
  });

  it("is refused among requests at once: each has the verdict of its own look-up", async () => {
    onRequest = (socket) => void setTimeout(() => socket.write(answer("200 OK", {}, "public")), 5);
    for (const then of [["127.0.0.1"], ["::1"], [PUBLIC, "127.0.0.1"]]) {
      const { ask } = attacked((lookUp) => (lookUp % (nth + 1) === 0 ? then : [PUBLIC]));
      const outcomes = await Promise.all(Array.from({ length: 22 }, () => ask()));
      const refused = outcomes.filter((outcome) => outcome === "dns_answer").length;
      expect(refused).toBe(Math.floor(22 / (nth + 1)));
      expect(outcomes.filter((outcome) => outcome === "public").length).toBe(22 - refused);
    }
  });
});

describe("an answer that turns private between two attempts of one request", () => {
  it("is refused after a 503 that asks to come back at once", async () => {
    let requests = 0;
    onRequest = (socket) => {
      requests += 1;
      socket.write(answer("503 Busy", { "retry-after": "0" }));
    };
    for (const then of PRIVATE) {
      const { ask, lookUps } = attacked(publicUntil(2, then));
      expect(await ask("/", { retries: 1 })).toBe("dns_answer");
      expect(lookUps()).toBe(2);
    }
    expect(requests).toBe(PRIVATE.length);
  });

  it("is refused after a connection that was refused, and after one that broke", async () => {
    for (const then of PRIVATE.slice(0, 4)) {
      const dead = attacked((lookUp) => (lookUp === 1 ? [PUBLIC_AND_DEAD] : then));
      expect(await dead.ask("/", { retries: 1 })).toBe("dns_answer");
      expect(dead.lookUps()).toBe(2);
    }
    onRequest = (socket) => void socket.destroy();
    for (const then of PRIVATE.slice(0, 4)) {
      const broken = attacked(publicUntil(2, then));
      expect(await broken.ask("/", { retries: 1 })).toBe("dns_answer");
      expect(broken.lookUps()).toBe(2);
    }
  });

  it("does not keep an honest host from a second attempt at its other address", async () => {
    const { ask } = attacked((lookUp) => (lookUp === 1 ? [PUBLIC_AND_DEAD] : [PUBLIC]));
    expect(await ask("/", { retries: 1 })).toBe("public");
  });
});

describe("answers that never stand still", () => {
  it.each([
    ["private every other time", [[PUBLIC], ["127.0.0.1"]]],
    ["from IPv4 to IPv6 and back", [[PUBLIC], ["::1"], [PUBLIC_TOO], ["::ffff:127.0.0.1"]]],
    ["mixed in every order", [[PUBLIC], [PUBLIC, "::1"], ["::1", PUBLIC], ["127.0.0.1", PUBLIC_TOO], [PUBLIC_TOO]]],
    [
      "a dead public address beside a private one",
      [
        [PUBLIC_AND_DEAD, PUBLIC],
        [PUBLIC_AND_DEAD, "127.0.0.1"],
      ],
    ],
  ] as const)("are judged one by one: %s", async (_what, turns) => {
    const turn = (nth: number): Answers => turns[(nth - 1) % turns.length] ?? [];
    const { ask } = attacked(turn);
    for (let request = 1; request <= 20; request += 1) {
      const isPublic = turn(request).every((address) => address.startsWith("127.1."));
      expect(await ask(), turn(request).join()).toBe(isPublic ? "public" : "dns_answer");
    }
  });

  it("are not served from a connection to an earlier public address of the same host", async () => {
    const before = servers.map(({ received }) => received.join("").length);
    const { ask } = attacked((lookUp) => [lookUp % 2 === 1 ? PUBLIC : PUBLIC_TOO]);
    for (let request = 0; request < 6; request += 1) expect(await ask(`/turn-${request}`)).toBe("public");
    const seen = servers.map(({ received }, index) =>
      received
        .join("")
        .slice(before[index])
        .match(/turn-\d/g),
    );
    expect(seen).toEqual([
      ["turn-0", "turn-2", "turn-4"],
      ["turn-1", "turn-3", "turn-5"],
    ]);
  });

  it("cannot use a verdict that judge() gave: the connection asks for itself", async () => {
    const { jail, ask, lookUps } = attacked(publicUntil(2, ["127.0.0.1"]));
    expect(await jail.judge(`http://app.example.org:${port}/`)).toEqual({ verdict: "allow" });
    expect(await ask()).toBe("dns_answer");
    expect(lookUps()).toBe(2);
  });

  it("are not asked for again once the connection is being made", async () => {
    const { ask, lookUps } = attacked((lookUp) => (lookUp === 1 ? [PUBLIC_AND_DEAD, PUBLIC] : ["127.0.0.1"]));
    expect(await ask()).toBe("public");
    expect(lookUps()).toBe(1);
  });
});
