import type { Freshness } from "../types.js";

/** Before the web: the open end of a range for engines that only know closed ones. */
const FIRST_DAY = "1990-01-01";

/** Both ends of a date range, for engines that know no open one; `undefined` for a preset. */
export function closedRange(
  freshness: Freshness | undefined,
  now: (() => number) | undefined,
): { readonly after: string; readonly before: string } | undefined {
  if (freshness === undefined || typeof freshness === "string") return undefined;
  return {
    after: freshness.after ?? FIRST_DAY,
    before: freshness.before ?? new Date((now ?? Date.now)()).toISOString().slice(0, 10),
  };
}
