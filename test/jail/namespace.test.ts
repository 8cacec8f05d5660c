import { isIP } from "node:net";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { namespaceObstacle, openWorld, type World } from "../helpers/namespace.js";
import type { Arrival, Door, Outcome, Play, Played, Zone } from "../helpers/namespace-plays.js";
import { CASE_FILES, type JailCase } from "./jail-cases.js";

/** Kinds that no answer of a name server may decide: nothing is asked for them. */
const DECIDED_BEFORE_DNS = /^(v4|v6|zone|scheme|port|parser|policy)/;
const MAX_REQUESTS = 6;

const obstacle = namespaceObstacle();
const skipped = obstacle === undefined ? "" : ` is skipped, since no network can be laid out here: ${obstacle}`;

for (const { name, isPresent, cases } of CASE_FILES) {
  const rows = cases.filter((row) => row.grade === "must" && isWireable(row));
  const attacks = rows.filter((row) => row.verdict === "deny");
  const legal = rows.filter((row) => row.verdict === "allow");
  const absent = isPresent ? "" : " is absent";

  describe.skipIf(!isPresent || obstacle !== undefined)(`${name} in a network of its own${absent || skipped}`, () => {
    let world: World;
    let stopped = 0;
    let reached = 0;
    beforeAll(async () => {
      world = await openWorld({ certified: [...new Set(legal.flatMap(hostsOf))] });
    });
    afterAll(async () => {
      await world.close();
      console.info(
        `${name}: ${stopped} of ${attacks.length} attacks stopped, ${reached} of ${legal.length} legal reached`,
      );
    });

    /** Plays a row, and holds that nothing left the machine but what its servers heard. */
    const play = async (door: Door, row: JailCase, urls: readonly string[] = [row.url]): Promise<Played> => {
      const { redirects = [], status } = row as JailCase & { readonly status?: number };
      const scene: Play = { door, urls, zone: zoneOf(row), redirects, ...(status === undefined ? {} : { status }) };
      const played = await world.play(scene);
      expect(played.tcpOpens, "connections begun and accepted").toBe(played.accepted);
      expect(played.udpSends, "datagrams sent and questions heard").toBe(played.udpQueries);
      return played;
    };

    describe("an attack", () => {
      const plain = attacks.filter((row) => row.redirects === undefined && row.resolves_seq === undefined);

      it.each(titled(plain.filter((row) => row.layer !== "policy")))("%s connects to nothing", async (_id, row) => {
        const judged = await play("judge", row);
        const requested = await play("request", row);
        expect(requested.outcomes[0], row.why).toMatchObject({ isReached: false, code: "jail_refused" });
        expect(judged.outcomes[0]).toMatchObject({ isReached: false, rule: requested.outcomes[0]?.rule });
        for (const played of [judged, requested]) {
          expect(played.tcpOpens).toBe(0);
          expect(sorted(played.queries)).toEqual(isDecidedByDns(row, played.outcomes[0]) ? lookUpOf(row.url) : []);
        }
        stopped += 1;
      });

      it.each(titled(plain.filter((row) => row.layer === "policy")))("%s asks no name server", async (_id, row) => {
        const { outcomes, queries, tcpOpens } = await play("fetch", row);
        expect(outcomes[0], row.why).toMatchObject({ isReached: false });
        expect(outcomes[0]?.code).toMatch(/^(policy|jail)_refused$/);
        expect({ queries, tcpOpens }).toEqual({ queries: [], tcpOpens: 0 });
        stopped += 1;
      });

      it.each(titled(attacks.filter((row) => row.resolves_seq !== undefined)))("%s never rebinds", async (_id, row) => {
        const sequence = row.resolves_seq ?? [];
        const { outcomes, arrivals, queries } = await play("request", row, Array(sequence.length).fill(row.url));
        const harmless = sequence.slice(0, -1);
        expect(outcomes.map(({ isReached }) => isReached)).toEqual([...harmless.map(() => true), false]);
        expect(outcomes.at(-1)).toMatchObject({ code: "jail_refused", rule: "dns_answer" });
        expect(arrivals.map(({ address }) => [address])).toEqual(harmless);
        expect(queries.length).toBe(2 * sequence.length);
        stopped += 1;
      });

      it.each(titled(attacks.filter((row) => row.redirects !== undefined)))("%s is not followed", async (_id, row) => {
        const { outcomes, arrivals } = await play("request", row);
        expect(outcomes[0], row.why).toMatchObject({ isReached: false });
        expect(outcomes[0]?.code).toMatch(/^(jail_refused|redirect_limit)$/);
        expectArrivals(arrivals, hopsOf(row), row);
        stopped += 1;
      });
    });

    describe("a legal URL", () => {
      const plain = legal.filter((row) => row.redirects === undefined);

      it.each(titled(plain))("%s arrives where it leads to, over http and https", async (_id, row) => {
        for (const url of inBothSchemes(row.url)) {
          const { outcomes, arrivals, accepted } = await play("request", row, [url]);
          expect(outcomes[0], `${url} ${row.why}`).toMatchObject({ isReached: true });
          expectArrivals(arrivals, [url], row);
          expect(accepted).toBe(1);
        }
        const judged = await play("judge", row);
        expect(judged.outcomes[0]).toMatchObject({ isReached: true });
        expect(judged.tcpOpens).toBe(0);
        reached += 1;
      });

      it.each(titled(legal.filter((row) => row.redirects !== undefined)))("%s is followed", async (_id, row) => {
        const { outcomes, arrivals } = await play("request", row);
        expect(outcomes[0], row.why).toMatchObject({ isReached: true });
        expectArrivals(arrivals, hopsOf(row), row);
        reached += 1;
      });
    });

    describe("the command, for one row of each kind", () => {
      const sample = [...new Map(rows.filter((row) => row.layer !== "policy").map((row) => [row.kind, row])).values()];

      it.each(titled(sample))("%s ends as it must", async (_id, row) => {
        const urls = Array(row.resolves_seq?.length ?? 1).fill(row.url);
        const { outcomes, arrivals, queries } = await play("command", row, urls);
        expect(outcomes.at(-1), row.why).toMatchObject({ isReached: row.verdict === "allow" });
        if (row.resolves_seq !== undefined) expect(arrivals.length).toBe(urls.length - 1);
        else if (row.verdict === "allow" || row.redirects !== undefined) expectArrivals(arrivals, hopsOf(row), row);
        else expect(arrivals).toEqual([]);
        if (DECIDED_BEFORE_DNS.test(row.kind)) expect(queries).toEqual([]);
      });
    });
  });
}

function titled(rows: readonly JailCase[]): (readonly [string, JailCase])[] {
  return rows.map((row) => [row.id, row]);
}

/** Can its answers be put into an A or AAAA record? What cannot, the injected resolver of cases.test.ts gives. */
function isWireable({ resolves_to = [] }: JailCase): boolean {
  return resolves_to.every((answer) => isIP(answer) !== 0 && !answer.includes("%"));
}

function parsed(url: string): URL | undefined {
  return URL.canParse(url) ? new URL(url) : undefined;
}

/** A host as the name server hears it. */
function nameOf(url: URL): string {
  return url.hostname.replace(/\.$/, "");
}

function zoneOf(row: JailCase): Zone {
  const url = parsed(row.url);
  const answers = row.resolves_seq ?? (row.resolves_to === undefined ? [] : [row.resolves_to]);
  const own = url === undefined || answers.length === 0 ? [] : [[nameOf(url), answers] as const];
  return Object.fromEntries(
    [...own, ...Object.entries(row.dns ?? {})].map(([name, turns]) => [
      name,
      turns.map((addresses) => ({ addresses })),
    ]),
  );
}

function isDecidedByDns(row: JailCase, outcome: Outcome | undefined): boolean {
  return !DECIDED_BEFORE_DNS.test(row.kind) && outcome?.rule === "dns_answer";
}

/** One look-up: both families of exactly this name. */
function lookUpOf(url: string): readonly string[] {
  const name = nameOf(new URL(url));
  return [`A ${name}`, `AAAA ${name}`];
}

function sorted(queries: readonly string[]): readonly string[] {
  return [...queries].sort();
}

/** The URLs that may be asked for, first to last: those before the redirect that is refused, and at most six. */
function hopsOf(row: JailCase): readonly string[] {
  const hops = [row.url];
  for (const location of row.redirects ?? []) {
    if (!URL.canParse(location, hops.at(-1))) break;
    hops.push(new URL(location, hops.at(-1)).href);
  }
  const isCutShort = row.verdict === "deny" && hops.length <= MAX_REQUESTS;
  return hops.slice(0, isCutShort ? -1 : MAX_REQUESTS);
}

function expectArrivals(arrivals: readonly Arrival[], hops: readonly string[], row: JailCase): void {
  expect(arrivals.map(({ address: _, ...arrival }) => arrival)).toEqual(hops.map(asArrival));
  for (const [index, { address }] of arrivals.entries()) {
    expect(answersFor(hops[index] ?? "", row), "an address of the host that was asked for").toContain(address);
  }
}

function asArrival(hop: string): Omit<Arrival, "address"> {
  const url = new URL(hop);
  const isSecure = url.protocol === "https:";
  const port = Number(url.port || (isSecure ? 443 : 80));
  return { port, isSecure, host: url.host, target: url.pathname + url.search };
}

function answersFor(hop: string, row: JailCase): readonly string[] {
  const name = nameOf(new URL(hop));
  const answers = zoneOf(row)[name]?.flatMap(({ addresses = [] }) => addresses) ?? [name.replace(/^\[|\]$/g, "")];
  return answers.map((address) =>
    address.includes(":") ? new URL(`http://[${address}]`).hostname.slice(1, -1) : address,
  );
}

/** The URL as it stands, and in the other scheme on that scheme's port. */
function inBothSchemes(text: string): readonly string[] {
  const url = new URL(text);
  const isSecure = url.protocol === "https:";
  if (url.port !== "") url.port = isSecure ? "8080" : "8443";
  url.protocol = isSecure ? "http:" : "https:";
  return [text, url.href];
}

/** Names and addresses for the certificate. */
function hostsOf(row: JailCase): readonly string[] {
  return hopsOf(row).map((hop) => nameOf(new URL(hop)).replace(/^\[|\]$/g, ""));
}
