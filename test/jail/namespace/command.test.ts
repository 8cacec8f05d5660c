import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { CASE_FILES, isJailCase, type JailCase } from "../jail-cases.js";
import { askedFor, DECIDED_BEFORE_DNS, expectArrivals, hopsOf, hostsOf, isWireable, playRow } from "./rows.js";
import { OBSTACLE, titled } from "./scene.js";
import { openWorld, type World } from "./world.js";

/** The first row of each kind that there is: a command takes a hundred times as long as a request. */
const sample = new Map<string, JailCase>();
for (const row of CASE_FILES.flatMap(({ cases }) => cases)) {
  if (isJailCase(row) && isWireable(row) && !sample.has(row.kind)) sample.set(row.kind, row);
}

describe.skipIf(OBSTACLE !== undefined)(titled("postern fetch in a network of its own"), () => {
  let world: World;
  beforeAll(async () => {
    world = await openWorld({
      certified: [...sample.values()].filter(({ verdict }) => verdict === "allow").flatMap(hostsOf),
    });
  });
  afterAll(() => world.close());

  it.each([...sample])("%s ends as it must", async (kind, row) => {
    const { outcomes, arrivals, queries } = await playRow(world, "command", row, askedFor(row));
    expect(outcomes.at(-1), row.why).toMatchObject({ isReached: row.verdict === "allow" });
    if (row.verdict === "allow" || row.redirects !== undefined) expectArrivals(arrivals, hopsOf(row), row);
    else expect(arrivals.length).toBe(askedFor(row).length - 1);
    if (DECIDED_BEFORE_DNS.test(kind)) expect(queries).toEqual([]);
  });
});
