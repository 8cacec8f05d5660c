import { describe, expect, it } from "vitest";
import type { Zone } from "./plays.js";
import {
  exempt,
  host,
  OBSTACLE,
  PUBLIC,
  REACHED,
  REFUSED,
  SITE,
  SITE_LOOK_UP,
  SITE_NAME,
  site,
  titled,
  useWorld,
} from "./scene.js";

/** The machine's and the clouds' own services, and the ways to write their addresses. */
const NEVER = [
  "169.254.169.254",
  "169.254.10.20",
  "168.63.129.16",
  "100.100.100.200",
  "192.0.0.192",
  "0.0.0.0",
  "fe80::1",
  "fd00:ec2::254",
  "fd20:ce::254",
  "::ffff:169.254.169.254",
  "::ffff:100.100.100.200",
  "64:ff9b::169.254.169.254",
];

describe.skipIf(OBSTACLE !== undefined)(titled("an exact exemption"), () => {
  const ask = useWorld({});

  const own = [
    { name: "a dev server", origin: "http://127.0.0.1:3000", answers: [] },
    { name: "a dev server by name", origin: "http://localhost:3000", answers: [] },
    { name: "a dev server over IPv6", origin: "http://[::1]:3000", answers: [] },
    { name: "an intranet host", origin: "http://wiki.corp", answers: ["10.0.0.9"] },
    { name: "an intranet host over IPv6", origin: "http://wiki.corp", answers: ["fd12:3456::9"] },
    { name: "a host behind a fake-IP proxy", origin: "http://site.example.org", answers: ["198.18.0.7"] },
  ];
  it.each(own)("reaches $name", async ({ origin, answers }) => {
    const url = new URL(origin);
    const scene = host(url.hostname, ...answers);
    const { outcome, arrivals } = await ask(`${origin}/`, { ...scene, ...exempt(origin) });
    expect(outcome).toMatchObject({ ...REACHED, via: ["exemption"] });
    expect(arrivals).toMatchObject([{ host: url.host, port: Number(url.port || 80) }]);
    if (answers.length > 0) expect(answers).toContain(arrivals[0]?.address);
    const unexempted = await ask(`${origin}/`, scene);
    expect(unexempted).toMatchObject({ outcome: { code: "jail_refused" }, tcpOpens: 0 });
  });

  describe.each(["http://wiki.corp", "http://localhost:3000", "http://site.example.org"])("of %s", (origin) => {
    it.each(NEVER)("is not turned to %s by the name server or the hosts file", async (address) => {
      const name = new URL(origin).hostname;
      const byHosts = await ask(`${origin}/`, { hosts: [`${address} ${name}`], ...exempt(origin) });
      expect(byHosts).toMatchObject({ outcome: REFUSED, tcpOpens: 0 });
      // What stands in the hosts file is never asked for.
      if (name === "localhost") return;
      const byDns = await ask(`${origin}/`, { ...host(name, address), ...exempt(origin) });
      expect(byDns).toMatchObject({ outcome: REFUSED, tcpOpens: 0 });
      const beside = await ask(`${origin}/`, { ...host(name, "10.0.0.9", address), ...exempt(origin) });
      expect(beside).toMatchObject({ outcome: REFUSED, tcpOpens: 0 });
    });
  });

  describe("and a redirect", () => {
    const zone: Zone = { [SITE_NAME]: [{ addresses: [PUBLIC] }], "wiki.corp": [{ addresses: ["10.0.0.9"] }] };
    const scene = { zone, ...exempt("http://wiki.corp") };

    it("from elsewhere does not lead into it", async () => {
      const { outcome, addresses } = await ask(SITE, { ...scene, redirects: ["http://wiki.corp/"] });
      expect(outcome).toMatchObject({ code: "jail_refused", rule: "redirect_exemption" });
      expect(addresses).toEqual([PUBLIC]);
    });

    it.each(["http://10.0.0.10/", "http://wiki.corp:8080/", "https://wiki.corp/", "http://169.254.169.254/"])(
      "does not lead on from it to %s",
      async (location) => {
        const { outcome, addresses } = await ask("http://wiki.corp/", { ...scene, redirects: [location] });
        expect(outcome).toMatchObject({ code: "jail_refused" });
        expect(addresses).toEqual(["10.0.0.9"]);
      },
    );
  });

  describe("of a fake-IP proxy's network", () => {
    const exemptions = [{ network: "198.18.0.0/15", name: "proxy" }];

    it("opens the proxy's answers, and says that the proxy chose", async () => {
      const { outcome, addresses } = await ask(SITE, { ...site("198.18.0.7"), exemptions });
      expect({ outcome, addresses }).toMatchObject({
        outcome: { ...REACHED, via: ["delegated"] },
        addresses: ["198.18.0.7"],
      });
    });

    it.each([
      ["answers beside them", SITE, ["198.18.0.7", "10.0.0.1"]],
      ["metadata beside them", SITE, ["198.18.0.7", "169.254.169.254"]],
      ["its addresses in a URL", "http://198.18.0.7/", []],
      ["local names", "http://wiki.corp/", ["198.18.0.7"]],
      ["other ports", "http://site.example.org:3000/", ["198.18.0.7"]],
    ])("does not open %s", async (_what, url, answers) => {
      const { outcome, tcpOpens } = await ask(url, { ...host(new URL(url).hostname, ...answers), exemptions });
      expect({ outcome, tcpOpens }).toMatchObject({ outcome: { code: "jail_refused" }, tcpOpens: 0 });
    });
  });
});

describe.skipIf(OBSTACLE !== undefined)(titled("a host that the policy denies"), () => {
  const ask = useWorld({});
  const zone: Zone = { "denied.example.org": [{ addresses: [PUBLIC] }], [SITE_NAME]: [{ addresses: [PUBLIC] }] };
  const scene = { zone, deny: ["denied.example.org"] };
  const denied = { code: "policy_refused", rule: "host_denied" };

  it.each(["fetch", "command"] as const)("is not looked up: %s", async (door) => {
    const { outcome, queries, tcpOpens } = await ask("http://denied.example.org/", scene, door);
    expect(outcome).toMatchObject(denied);
    expect({ queries, tcpOpens }).toEqual({ queries: [], tcpOpens: 0 });
  });

  it.each(["fetch", "command"] as const)("is not looked up after a redirect: %s", async (door) => {
    const { outcome, queries, addresses } = await ask(
      SITE,
      { ...scene, redirects: ["http://denied.example.org/"] },
      door,
    );
    expect(outcome).toMatchObject(denied);
    expect({ queries, addresses }).toEqual({ queries: SITE_LOOK_UP, addresses: [PUBLIC] });
  });
});
