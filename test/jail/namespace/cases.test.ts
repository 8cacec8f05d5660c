import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { CASE_FILES, type JailCase } from "../jail-cases.js";
import type { Door, Outcome, Played } from "./plays.js";
import {
  askedFor,
  DECIDED_BEFORE_DNS,
  expectArrivals,
  hopsOf,
  hostsOf,
  inBothSchemes,
  isWireable,
  lookUpOf,
  playRow,
} from "./rows.js";
import { OBSTACLE, titled } from "./scene.js";
import { openWorld, type World } from "./world.js";

for (const { name, isPresent, cases } of CASE_FILES) {
  const rows = cases.filter((row) => row.grade === "must" && isWireable(row));
  const attacks = rows.filter((row) => row.verdict === "deny");
  const legal = rows.filter((row) => row.verdict === "allow");
  const title = isPresent ? titled(`${name} in a network of its own`) : `${name} is absent: its rows are skipped`;

  describe.skipIf(!isPresent || OBSTACLE !== undefined)(title, () => {
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

    const play = (door: Door, row: JailCase, urls: readonly string[] = [row.url]): Promise<Played> =>
      playRow(world, door, row, urls);

    describe("an attack", () => {
      const plain = attacks.filter((row) => row.redirects === undefined && row.resolves_seq === undefined);

      it.each(byId(plain.filter((row) => row.layer !== "policy")))("%s connects to nothing", async (_id, row) => {
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

      it.each(byId(plain.filter((row) => row.layer === "policy")))("%s asks no name server", async (_id, row) => {
        const { outcomes, queries, tcpOpens } = await play("fetch", row);
        expect(outcomes[0], row.why).toMatchObject({ isReached: false });
        expect(outcomes[0]?.code).toMatch(/^(policy|jail)_refused$/);
        expect({ queries, tcpOpens }).toEqual({ queries: [], tcpOpens: 0 });
        stopped += 1;
      });

      it.each(byId(attacks.filter((row) => row.resolves_seq !== undefined)))("%s never rebinds", async (_id, row) => {
        const sequence = row.resolves_seq ?? [];
        const { outcomes, arrivals, queries } = await play("request", row, askedFor(row));
        const harmless = sequence.slice(0, -1);
        expect(outcomes.map(({ isReached }) => isReached)).toEqual([...harmless.map(() => true), false]);
        expect(outcomes.at(-1)).toMatchObject({ code: "jail_refused", rule: "dns_answer" });
        expect(arrivals.map(({ address }) => [address])).toEqual(harmless);
        expect(queries.length).toBe(2 * sequence.length);
        stopped += 1;
      });

      it.each(byId(attacks.filter((row) => row.redirects !== undefined)))("%s is not followed", async (_id, row) => {
        const { outcomes, arrivals } = await play("request", row);
        expect(outcomes[0], row.why).toMatchObject({ isReached: false });
        expect(outcomes[0]?.code).toMatch(/^(jail_refused|redirect_limit)$/);
        expectArrivals(arrivals, hopsOf(row), row);
        stopped += 1;
      });
    });

    describe("a legal URL", () => {
      const plain = legal.filter((row) => row.redirects === undefined);

      it.each(byId(plain))("%s arrives where it leads to, over http and https", async (_id, row) => {
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

      it.each(byId(legal.filter((row) => row.redirects !== undefined)))("%s is followed", async (_id, row) => {
        const { outcomes, arrivals } = await play("request", row);
        expect(outcomes[0], row.why).toMatchObject({ isReached: true });
        expectArrivals(arrivals, hopsOf(row), row);
        reached += 1;
      });
    });
  });
}

function byId(rows: readonly JailCase[]): (readonly [string, JailCase])[] {
  return rows.map((row) => [row.id, row]);
}

function isDecidedByDns(row: JailCase, outcome: Outcome | undefined): boolean {
  return !DECIDED_BEFORE_DNS.test(row.kind) && outcome?.rule === "dns_answer";
}

function sorted(queries: readonly string[]): readonly string[] {
  return [...queries].sort();
}
