import type { CostBasis } from "../types.js";

/** What one call used. */
export interface LedgerEntry {
  readonly tool: "web_fetch" | "web_search";
  /** Who answered; absent for a page. */
  readonly provider?: string | undefined;
  /** `null` when the price is unknown, which is not nothing. */
  readonly costUsd: number | null;
  readonly costBasis: CostBasis;
  readonly requests: number;
  readonly wireBytes: number;
  readonly durationMs: number;
  readonly cacheHit: boolean;
}

export interface LedgerTotals {
  readonly calls: number;
  readonly cachedCalls: number;
  readonly requests: number;
  readonly wireBytes: number;
  readonly durationMs: number;
  /** Sum of the known prices. */
  readonly costUsd: number;
  /** Calls whose price is unknown, so that the sum is a lower bound when there are any. */
  readonly unknownCosts: number;
}

export interface Ledger {
  add(entry: LedgerEntry): void;
  /** The newest entries, oldest first; at most 10,000 are kept. */
  entries(): readonly LedgerEntry[];
  /** Over all entries ever added. */
  totals(): LedgerTotals;
}

const MAX_ENTRIES = 10_000;

export function createLedger(): Ledger {
  const entries: LedgerEntry[] = [];
  let totals: LedgerTotals = {
    calls: 0,
    cachedCalls: 0,
    requests: 0,
    wireBytes: 0,
    durationMs: 0,
    costUsd: 0,
    unknownCosts: 0,
  };
  return {
    add(entry) {
      entries.push(entry);
      // Half at a time, because dropping one from the front moves all the others.
      if (entries.length >= 2 * MAX_ENTRIES) entries.splice(0, entries.length - MAX_ENTRIES);
      totals = {
        calls: totals.calls + 1,
        cachedCalls: totals.cachedCalls + (entry.cacheHit ? 1 : 0),
        requests: totals.requests + entry.requests,
        wireBytes: totals.wireBytes + entry.wireBytes,
        durationMs: totals.durationMs + entry.durationMs,
        costUsd: totals.costUsd + (entry.costUsd ?? 0),
        unknownCosts: totals.unknownCosts + (entry.costUsd === null ? 1 : 0),
      };
    },
    entries: () => entries.slice(-MAX_ENTRIES),
    totals: () => totals,
  };
}
