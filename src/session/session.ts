import { type Budget, type BudgetLimits, createBudget } from "./budget.js";
import { type Cache, createCache } from "./cache.js";
import { createEventLog, type EventLog, type EventLogOptions } from "./event-log.js";
import { createLedger, type Ledger } from "./ledger.js";
import { createMemo, type Memo } from "./memo.js";
import { createSingleFlight, type SingleFlight } from "./single-flight.js";

export interface SessionOptions<Page extends object = object> extends EventLogOptions {
  readonly budget?: BudgetLimits | undefined;
  /** Default 15 minutes. */
  readonly cacheTtlMs?: number | undefined;
  /** Default 5 seconds. */
  readonly cacheNegativeTtlMs?: number | undefined;
  /** Default 50 MB. */
  readonly cacheMaxBytes?: number | undefined;
  /** In place of the cache in memory, such as one that several processes share. */
  readonly cache?: Cache<Page> | undefined;
}

/** What one session spends and remembers. `Page` is what the cache keeps, `Answer` what a search is remembered by. */
export interface Session<Page extends object = object, Answer extends object = object> {
  readonly budget: Budget;
  readonly cache: Cache<Page>;
  readonly memo: Memo<Answer>;
  readonly ledger: Ledger;
  readonly events: EventLog;
  readonly singleFlight: SingleFlight<Page>;
  /** Forgets pages and answers. The ledger stays readable. */
  close(): Promise<void>;
}

export function createSession<Page extends object = object, Answer extends object = object>(
  options: SessionOptions<Page> = {},
): Session<Page, Answer> {
  const cache =
    options.cache ??
    createCache<Page>({
      ttlMs: options.cacheTtlMs,
      negativeTtlMs: options.cacheNegativeTtlMs,
      maxBytes: options.cacheMaxBytes,
      now: options.now,
    });
  const memo = createMemo<Answer>({ ttlMs: options.cacheTtlMs, now: options.now });
  return {
    budget: createBudget(options.budget),
    cache,
    memo,
    ledger: createLedger(),
    events: createEventLog({ write: options.write, onEvent: options.onEvent, now: options.now }),
    singleFlight: createSingleFlight<Page>(),
    async close() {
      await Promise.all([cache.clear(), memo.clear()]);
    },
  };
}
