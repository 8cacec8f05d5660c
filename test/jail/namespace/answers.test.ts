import { describe, expect, it } from "vitest";
import type { DnsReply, Zone } from "./plays.js";
import {
  exempt,
  NOT_FOUND,
  OBSTACLE,
  PUBLIC,
  PUBLIC6,
  REACHED,
  REFUSED,
  RESOLVER_FAILED,
  SITE,
  SITE_LOOK_UP,
  SITE_NAME,
  site,
  titled,
  useWorld,
} from "./scene.js";

describe.skipIf(OBSTACLE !== undefined)(titled("the system's resolver"), () => {
  const ask = useWorld({ certified: [SITE_NAME] });

  describe("when the name server answers with", () => {
    const many = Array.from({ length: 100 }, (_, index) => `198.41.0.${index + 1}`);
    const cases: readonly { name: string; reply: DnsReply; outcome: object }[] = [
      {
        name: "an alias of a public host",
        reply: { aliases: ["a.example.net"], addresses: [PUBLIC] },
        outcome: REACHED,
      },
      {
        name: "an alias of an intranet host",
        reply: { aliases: ["db.corp"], addresses: ["10.0.0.9"] },
        outcome: REFUSED,
      },
      {
        name: "a chain of aliases into the intranet",
        reply: { aliases: ["a.example.net", "b.example.net", "db.corp"], addresses: ["10.0.0.9"] },
        outcome: REFUSED,
      },
      { name: "an alias of nothing", reply: { aliases: ["gone.example.net"] }, outcome: NOT_FOUND },
      { name: "no address", reply: {}, outcome: NOT_FOUND },
      { name: "NXDOMAIN", reply: { code: 3 }, outcome: NOT_FOUND },
      { name: "SERVFAIL", reply: { code: 2 }, outcome: RESOLVER_FAILED },
      { name: "REFUSED", reply: { code: 5 }, outcome: RESOLVER_FAILED },
      { name: "a cut answer", reply: { isCut: true, addresses: [PUBLIC] }, outcome: REACHED },
      { name: "a cut private answer", reply: { isCut: true, addresses: ["10.0.0.1"] }, outcome: REFUSED },
      { name: "a hundred addresses", reply: { isCut: true, addresses: many }, outcome: REACHED },
      {
        name: "a hundred addresses and a private one",
        reply: { isCut: true, addresses: [...many, "10.0.0.1"] },
        outcome: REFUSED,
      },
      { name: "a public address mapped into IPv6", reply: { addresses: [`::ffff:${PUBLIC}`] }, outcome: REACHED },
      { name: "a private address mapped into IPv6", reply: { addresses: ["::ffff:10.0.0.1"] }, outcome: REFUSED },
      { name: "public IPv6 and private IPv4", reply: { addresses: [PUBLIC6, "10.0.0.1"] }, outcome: REFUSED },
      { name: "private IPv6 and public IPv4", reply: { addresses: ["fd00::1", PUBLIC] }, outcome: REFUSED },
      { name: "a fake-IP proxy's address", reply: { addresses: ["198.18.0.7"] }, outcome: REFUSED },
    ];
    it.each(cases)("$name", async ({ reply, outcome: wanted }) => {
      const { outcome, addresses, queries } = await ask(SITE, { zone: { [SITE_NAME]: [reply] } });
      expect(outcome).toMatchObject(wanted);
      expect(addresses.length).toBe(wanted === REACHED ? 1 : 0);
      for (const address of addresses) expect([PUBLIC, ...many]).toContain(address);
      expect(new Set(queries)).toEqual(new Set(SITE_LOOK_UP));
      for (const secret of [SITE_NAME, ...(reply.addresses ?? [])])
        expect(outcome?.message ?? "").not.toContain(secret);
    });
  });

  describe("with a hosts file", () => {
    const hosts = ["10.1.2.3 wiki.example.org wiki # the team's"];

    it("follows it to a private address, which is refused", async () => {
      const { outcome, tcpOpens, queries } = await ask("http://wiki.example.org/", { hosts });
      expect(outcome).toMatchObject(REFUSED);
      expect({ tcpOpens, queries }).toEqual({ tcpOpens: 0, queries: [] });
    });

    it.each(["http://wiki.example.org", "http://wiki", "http://wiki:3000"])("reaches %s, exempted", async (origin) => {
      const { outcome, addresses } = await ask(`${origin}/page`, { hosts, ...exempt(origin) });
      expect({ outcome, addresses }).toMatchObject({ outcome: REACHED, addresses: ["10.1.2.3"] });
    });

    it.each(["http://wiki.example.org:8080/", "https://wiki.example.org/", "http://sub.wiki.example.org/"])(
      "does not reach %s by the exemption of its neighbour",
      async (url) => {
        const scene = { hosts: [...hosts, "10.1.2.3 sub.wiki.example.org"], ...exempt("http://wiki.example.org") };
        expect((await ask(url, scene)).outcome).toMatchObject(REFUSED);
      },
    );

    it("takes it before the name server", async () => {
      const { addresses, queries } = await ask(SITE, { hosts: [`${PUBLIC} Site.Example.org`], ...site("10.0.0.1") });
      expect({ addresses, queries }).toEqual({ addresses: [PUBLIC], queries: [] });
    });

    it("does not mistake a part of a line for a name", async () => {
      const hosts = [`${PUBLIC6} my${SITE_NAME} # ${SITE_NAME}`];
      const { addresses, queries } = await ask(SITE, {
        hosts,
        resolver: ["search corp", "options ndots:9"],
        ...site(PUBLIC),
      });
      expect({ addresses, queries }).toEqual({ addresses: [PUBLIC], queries: SITE_LOOK_UP });
    });
  });

  describe("with a search list", () => {
    const resolver = ["search corp.example"];
    const zone: Zone = {
      [SITE_NAME]: [{ addresses: [PUBLIC] }],
      [`${SITE_NAME}.corp.example`]: [{ addresses: [PUBLIC6] }],
      "gone.example.org.corp.example": [{ addresses: [PUBLIC6] }],
      "wiki.corp.example": [{ addresses: ["10.0.0.9"] }],
      "wiki.team.corp.example": [{ addresses: ["10.0.0.9"] }],
    };

    it("does not complete a public name that does not exist", async () => {
      const { outcome, queries } = await ask("http://gone.example.org/", { resolver, zone });
      expect(outcome).toMatchObject(NOT_FOUND);
      expect(queries).toEqual(["A gone.example.org", "AAAA gone.example.org"]);
    });

    it("does not complete a public name before it is asked for itself", async () => {
      const { addresses, queries } = await ask(SITE, { resolver: [...resolver, "options ndots:5"], zone });
      expect({ addresses, queries }).toEqual({ addresses: [PUBLIC], queries: SITE_LOOK_UP });
    });

    it.each(["wiki", "wiki.", "kubernetes", "localhost", "localhost.", "LOCALHOST", "a.localhost."])(
      "asks nobody for %s",
      async (name) => {
        const { outcome, queries, tcpOpens } = await ask(`http://${name}/`, { resolver, zone });
        expect(outcome).toMatchObject({ code: "jail_refused", rule: "host_name" });
        expect({ queries, tcpOpens }).toEqual({ queries: [], tcpOpens: 0 });
      },
    );

    it.each(["http://wiki", "http://wiki.team"])("completes %s, exempted", async (origin) => {
      const { outcome, addresses } = await ask(`${origin}/`, { resolver, zone, ...exempt(origin) });
      expect({ outcome, addresses }).toMatchObject({ outcome: REACHED, addresses: ["10.0.0.9"] });
    });
  });
});
