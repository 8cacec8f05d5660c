/** What one session spends and remembers. */
export { type Amounts, type Budget, type BudgetLimits, createBudget, type Reservation, type Spend } from "./budget.js";
export { type Cache, type CacheEntryOptions, type CacheOptions, createCache } from "./cache.js";
export { createEventLog, type EventLog, type EventLogOptions, type Span } from "./event-log.js";
export type { EventBody, FetchSummary, PosternEvent, SearchSummary, Spans } from "./events.js";
export { createLedger, type Ledger, type LedgerEntry, type LedgerTotals } from "./ledger.js";
export { createMemo, type Memo, type MemoQuestion } from "./memo.js";
export { redactSecrets, redactUrl } from "./redact.js";
export { createSession, type Session, type SessionOptions } from "./session.js";
export { createSingleFlight, type SingleFlight } from "./single-flight.js";
