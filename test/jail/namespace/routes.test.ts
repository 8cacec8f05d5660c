import { describe, expect, it } from "vitest";
import {
  exempt,
  OBSTACLE,
  PUBLIC,
  REACHED,
  REFUSED,
  SITE,
  SITE_NAME,
  site,
  titled,
  useBrokenWorld,
  useWorld,
} from "./scene.js";

/** `PUBLIC` behind a NAT64 gateway, as DNS64 answers (RFC 6052 2.1, RFC 6147). */
const BEHIND_GATEWAY = "64:ff9b::5db8:d70e";

describe.skipIf(OBSTACLE !== undefined)(titled("a network of IPv6 alone, with DNS64"), () => {
  const ask = useWorld({ families: [6], certified: [SITE_NAME] });

  it.each(["http", "https"])("reaches a host of IPv4 over %s", async (scheme) => {
    const { outcome, addresses } = await ask(`${scheme}://${SITE_NAME}/`, site(BEHIND_GATEWAY));
    expect({ outcome, addresses }).toMatchObject({ outcome: REACHED, addresses: [BEHIND_GATEWAY] });
  });

  it("reaches it when its own address is answered too", async () => {
    const { outcome, addresses } = await ask(SITE, site(PUBLIC, BEHIND_GATEWAY));
    expect({ outcome, addresses }).toMatchObject({ outcome: REACHED, addresses: [BEHIND_GATEWAY] });
  });

  it.each(["64:ff9b::a00:1", "64:ff9b::7f00:1", "64:ff9b::a9fe:a9fe", "64:ff9b:1::a00:1", "64:ff9b:1::808:808"])(
    "refuses %s, exempted or not",
    async (address) => {
      for (const exemption of [{}, exempt(new URL(SITE).origin)]) {
        const { outcome, tcpOpens } = await ask(SITE, { ...site(address), ...exemption });
        expect({ outcome, tcpOpens }).toMatchObject({ outcome: REFUSED, tcpOpens: 0 });
      }
    },
  );

  describe("and a prefix of its own, once it is named", () => {
    const nat64Prefixes = ["2a01:4f8:64::/96"];

    it("reaches a public host behind it", async () => {
      const { outcome, addresses } = await ask(SITE, { ...site("2a01:4f8:64::808:808"), nat64Prefixes });
      expect({ outcome, addresses }).toMatchObject({ outcome: REACHED, addresses: ["2a01:4f8:64::808:808"] });
    });

    it.each(["2a01:4f8:64::a00:1", "2a01:4f8:64::a9fe:a9fe"])("refuses %s", async (address) => {
      const { outcome, tcpOpens } = await ask(SITE, { ...site(address), nat64Prefixes });
      expect({ outcome, tcpOpens }).toMatchObject({ outcome: REFUSED, tcpOpens: 0 });
    });
  });

  it("does not take a certificate for another address", async () => {
    const { outcome, addresses } = await ask(`https://[${BEHIND_GATEWAY}]/`, {});
    expect({ outcome, addresses }).toMatchObject({
      outcome: { code: "tls_failed", reason: "wrong_host" },
      addresses: [],
    });
  });

  it("says at once that an IPv4 address cannot be reached", async () => {
    const { outcome, tcpOpens } = await ask(`http://${PUBLIC}/`, {});
    expect({ outcome, tcpOpens }).toMatchObject({ outcome: { code: "connect_failed" }, tcpOpens: 0 });
  });
});

describe.skipIf(OBSTACLE !== undefined)(titled("a broken network"), () => {
  const dead = {
    silent: "2a01:4f8:1::",
    unreachable: "2a01:4f8:2::",
    prohibit: "2a01:4f8:3::",
    blackhole: "2a01:4f8:4::",
  };
  const ask = useBrokenWorld({
    deadRoutes: [
      ...Object.entries(dead).map(([kind, prefix]) => ({ kind: kind as keyof typeof dead, prefix: `${prefix}/48` })),
      { kind: "silent", prefix: "198.41.0.0/24" },
    ],
  });

  it.each(Object.entries(dead))("reaches the IPv4 address when the way to the IPv6 one is %s", async (kind, prefix) => {
    const { outcome, addresses, tcpOpens } = await ask(SITE, site(`${prefix}1`, PUBLIC));
    expect({ outcome, addresses }).toMatchObject({ outcome: REACHED, addresses: [PUBLIC] });
    expect(tcpOpens, "of those that say so at once nothing is begun").toBe(kind === "silent" ? 2 : 1);
  });

  it("reaches it as soon when there are many silent ones, of which it tried one", async () => {
    const silent = [1, 2, 3, 4].map((last) => `${dead.silent}${last}`);
    const { outcome, addresses, tcpOpens } = await ask(SITE, site(...silent, PUBLIC));
    expect({ outcome, addresses, tcpOpens }).toMatchObject({ outcome: REACHED, addresses: [PUBLIC], tcpOpens: 2 });
    expect(outcome?.durationMs).toBeGreaterThan(200);
  });

  it("dials no private address, however silent the public one is", async () => {
    const { outcome, tcpOpens } = await ask(SITE, site(`${dead.silent}1`, "10.0.0.1"));
    expect({ outcome, tcpOpens }).toMatchObject({ outcome: REFUSED, tcpOpens: 0 });
  });

  it("ends a request at its deadline when every address is silent", async () => {
    const { outcome, tcpOpens } = await ask(SITE, { ...site(`${dead.silent}1`, "198.41.0.1"), timeoutMs: 1_500 });
    expect({ outcome, tcpOpens }).toMatchObject({ outcome: { code: "timeout", stage: "connect" }, tcpOpens: 2 });
    expect(outcome?.durationMs).toBeLessThan(5_000);
  });

  describe("whose name server is silent", () => {
    const zone = { [SITE_NAME]: [{ isSilent: true }] };
    const resolver = ["options timeout:1 attempts:1"];

    it("ends a request at its deadline, and asks nobody else", async () => {
      const patient = { zone, resolver: ["options timeout:5 attempts:1"], timeoutMs: 400 };
      const { outcome, tcpOpens, udpSends, udpQueries } = await ask(SITE, patient);
      expect(outcome).toMatchObject({ code: "timeout", stage: "dns" });
      expect(outcome?.durationMs, "before the system's resolver gives up").toBeLessThan(4_000);
      expect({ tcpOpens, udpSends }).toEqual({ tcpOpens: 0, udpSends: udpQueries });
    });

    it("says so when the system's resolver gives up first", async () => {
      const { outcome } = await ask(SITE, { zone, resolver });
      expect(outcome).toMatchObject({ code: "dns_failed", reason: "resolver_failed" });
    });

    // Node cannot leave a look-up behind: getaddrinfo has no way to be cancelled, and libuv joins its threads.
    it("ends the command once the system's resolver has given up", async () => {
      const { outcome } = await ask(SITE, { zone, resolver, timeoutMs: 400 }, "command");
      expect(outcome).toMatchObject({ code: "timeout", stage: "dns" });
      expect(outcome?.durationMs).toBeLessThan(10_000);
    });
  });
});
