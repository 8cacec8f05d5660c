/** What one session spends and remembers. */
export type { Amounts, Budget, BudgetLimits, Reservation, Spend } from "./budget.js";
export type { Cache, CacheEntryOptions, CacheOptions } from "./cache.js";
export type { EventLog, EventLogOptions, Span } from "./event-log.js";
export type { EventBody, FetchSummary, PosternEvent, SearchSummary, Spans } from "./events.js";
export type { Ledger, LedgerEntry, LedgerTotals } from "./ledger.js";
export type { Memo, MemoQuestion } from "./memo.js";
export { createSession, type Session, type SessionOptions } from "./session.js";
export type { SingleFlight } from "./single-flight.js";
