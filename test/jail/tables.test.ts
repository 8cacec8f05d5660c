import { afterEach, describe, expect, it } from "vitest";
import { LOCAL_TLDS, METADATA_NAMES } from "../../src/net/host-names.js";
import { createJail, createTransport } from "../../src/net/index.js";
import { ipRange } from "../../src/net/ip-range.js";
import { FAKE_IP_RANGES, IPV4_DENIED, IPV6_DENIED, IPV6_OWNED, METADATA_RANGES } from "../../src/net/ip-ranges.js";
import { BAD_PORTS, DEFAULT_PORTS } from "../../src/net/ports.js";
import { answer, openRawServer } from "../helpers/raw-server.js";

// The tables are constants to everyone else. Here they are changed, to see that the verdict and the connection both
// follow: neither has a second list of its own.
const undoing: (() => void)[] = [];
afterEach(() => {
  for (const undo of undoing.splice(0).reverse()) undo();
});

function change<T>(table: readonly T[], edit: (rows: T[]) => void): void {
  const rows = table as T[];
  const before = [...rows];
  undoing.push(() => rows.splice(0, rows.length, ...before));
  edit(rows);
}

function changeMap<K, V>(table: ReadonlyMap<K, V>, edit: (rows: Map<K, V>) => void): void {
  const rows = table as Map<K, V>;
  const before = [...rows];
  undoing.push(() => {
    rows.clear();
    for (const [key, value] of before) rows.set(key, value);
  });
  edit(rows);
}

interface Outcome {
  readonly judged: string;
  readonly dialled: string;
  readonly connections: number;
}

/** What both paths make of a URL whose port is a real server's on loopback. */
async function outcomeOf(url: (port: number) => string, answers: readonly string[] = []): Promise<Outcome> {
  const server = await openRawServer((socket) => socket.write(answer("200 OK", {}, "ok")));
  const jail = createJail({ ports: BAD_PORTS.has(server.port) ? [] : [server.port], resolve: async () => answers });
  const transport = createTransport({ jail });
  try {
    const { verdict, rule } = await jail.judge(url(server.port));
    const dialled = await transport
      .request({ url: url(server.port), timeoutMs: 1_000 })
      .then(() => "allow")
      .catch((error: { rule?: string; code: string }) => error.rule ?? error.code);
    return { judged: rule ?? verdict, dialled, connections: server.connections };
  } finally {
    await transport.close();
    await server.close();
  }
}

const served: Outcome = { judged: "allow", dialled: "allow", connections: 1 };
const refusedBy = (rule: string): Outcome => ({ judged: rule, dialled: rule, connections: 0 });
const literal = (port: number): string => `http://127.0.0.1:${port}/`;
const named = (port: number): string => `http://app.example.org:${port}/`;

describe("a change of a table", () => {
  it("of IPv4 blocks changes literals and answers", async () => {
    expect(await outcomeOf(literal)).toEqual(refusedBy("ipv4_special"));
    expect(await outcomeOf(named, ["127.0.0.1"])).toEqual(refusedBy("dns_answer"));
    change(IPV4_DENIED, (rows) =>
      rows.splice(
        rows.findIndex(({ cidr }) => cidr === "127.0.0.0/8"),
        1,
      ),
    );
    expect(await outcomeOf(literal)).toEqual(served);
    expect(await outcomeOf(named, ["127.0.0.1"])).toEqual(served);
    expect(await createJail().judge("http://[::ffff:7f00:1]/")).toEqual({ verdict: "allow" });
    change(IPV4_DENIED, (rows) => rows.push({ ...ipRange("127.0.0.1/32"), source: "test" }));
    expect(await outcomeOf(literal)).toEqual(refusedBy("ipv4_special"));
  });

  it("of IPv6 blocks changes literals and answers", async () => {
    const url = () => "http://[2a01:4f8::1]/";
    const judge = async () => [
      await createJail().judge(url()),
      await createJail({ resolve: async () => ["2a01:4f8::1"] }).judge("http://example.org/"),
    ];
    expect(await judge()).toEqual([{ verdict: "allow" }, { verdict: "allow" }]);
    change(IPV6_DENIED, (rows) => rows.push({ ...ipRange("2a01:4f8::/32"), source: "test" }));
    expect(await outcomeOf(url)).toEqual(refusedBy("ipv6_special"));
    expect(await outcomeOf(named, ["198.41.0.4", "2a01:4f8::1"])).toEqual(refusedBy("dns_answer"));
  });

  it("of owned IPv6 blocks changes what an exemption opens", () => {
    const exemptions = [{ origin: "http://[::1]:3000", name: "x" }];
    expect(() => createJail({ exemptions })).not.toThrow();
    change(IPV6_OWNED, (rows) => rows.shift());
    expect(() => createJail({ exemptions })).toThrow(/may reach/);
  });

  it("of metadata addresses changes literals and answers", async () => {
    change(METADATA_RANGES, (rows) => rows.push({ ...ipRange("198.41.0.4/32"), source: "test" }));
    expect(await outcomeOf(() => "http://198.41.0.4/")).toEqual(refusedBy("metadata"));
    expect(await outcomeOf(named, ["198.41.0.4"])).toEqual(refusedBy("dns_answer"));
    expect(await outcomeOf(() => "http://[64:ff9b::198.41.0.4]/")).toEqual(refusedBy("ipv6_embedded"));
  });

  it("of fake-IP blocks changes what a network exemption may be", () => {
    const exemptions = [{ network: "198.18.0.0/15", name: "x" }];
    expect(() => createJail({ exemptions })).not.toThrow();
    change(FAKE_IP_RANGES, (rows) => rows.shift());
    expect(() => createJail({ exemptions })).toThrow(/may hold real hosts/);
  });

  it("of local names changes both", async () => {
    const url = (port: number) => `http://app.museum:${port}/`;
    change(IPV4_DENIED, (rows) =>
      rows.splice(
        rows.findIndex(({ cidr }) => cidr === "127.0.0.0/8"),
        1,
      ),
    );
    expect(await outcomeOf(url, ["127.0.0.1"])).toEqual(served);
    changeMap(LOCAL_TLDS, (rows) => rows.set("museum", "test"));
    expect(await outcomeOf(url, ["127.0.0.1"])).toEqual(refusedBy("host_name"));
  });

  it("of metadata names changes both", async () => {
    changeMap(METADATA_NAMES, (rows) => rows.set("example.org", "test"));
    expect(await outcomeOf(named, ["198.41.0.4"])).toEqual(refusedBy("metadata"));
  });

  it("of ports changes both", async () => {
    change(IPV4_DENIED, (rows) =>
      rows.splice(
        rows.findIndex(({ cidr }) => cidr === "127.0.0.0/8"),
        1,
      ),
    );
    const server = await openRawServer((socket) => socket.write(answer("200 OK", {}, "ok")));
    const ask = async (ports: readonly number[]): Promise<readonly unknown[]> => {
      const jail = createJail({ ports });
      const transport = createTransport({ jail });
      const dialled = await transport.request({ url: server.origin }).then(
        ({ status }) => status,
        ({ rule }) => rule,
      );
      await transport.close();
      return [(await jail.judge(server.origin)).rule, dialled];
    };
    try {
      expect(await ask([])).toEqual(["port", "port"]);
      change(DEFAULT_PORTS, (rows) => rows.push(server.port));
      expect(await ask([])).toEqual([undefined, 200]);
      const badPorts = BAD_PORTS as Set<number>;
      badPorts.add(server.port);
      undoing.push(() => badPorts.delete(server.port));
      expect(await ask([])).toEqual(["port", "port"]);
      expect(() => createJail({ ports: [server.port] })).toThrow(/another protocol/);
      expect(server.connections).toBe(1);
    } finally {
      await server.close();
    }
  });
});
