import type { NetEvent } from "../net/net-event.js";
import type { PolicyEvent } from "../policy/approver.js";
import type { Outcome } from "../types.js";

/** What happens within a call or beside one. No event carries a body, a header or a whole query. */
export type EventBody =
  | { readonly type: "fetch.started"; readonly url: string }
  | ({ readonly type: "fetch.finished"; readonly durationMs: number } & FetchSummary)
  | ({ readonly type: "fetch.failed"; readonly durationMs: number } & FailureSummary)
  | { readonly type: "search.started"; readonly queryChars: number; readonly queryHash: string }
  | ({ readonly type: "search.finished"; readonly durationMs: number } & SearchSummary)
  | ({ readonly type: "search.failed"; readonly durationMs: number } & FailureSummary)
  | { readonly type: "cache.hit"; readonly url?: string; readonly tool: "web_fetch" | "web_search" }
  | { readonly type: "provider.called"; readonly provider: string; readonly attempt: number }
  | {
      readonly type: "provider.retried";
      readonly provider: string;
      readonly code: string;
      readonly delayMs: number;
    }
  | { readonly type: "provider.failed"; readonly provider: string; readonly code: string }
  | { readonly type: "budget.exhausted"; readonly budget: string }
  | { readonly type: "guard.found"; readonly url: string; readonly rules: readonly string[] }
  | NetEvent
  | PolicyEvent;

/** What a log needs to tell failures apart: an error's code, and of its details the words that are ours. */
export interface FailureSummary {
  readonly code: string;
  readonly rule?: string;
  readonly reason?: string;
  readonly stage?: string;
}

export interface FetchSummary {
  readonly outcome: Outcome;
  readonly status: number;
  readonly bytes: number;
  readonly cacheHit: boolean;
}

export interface SearchSummary {
  readonly provider: string;
  readonly results: number;
  readonly cacheHit: boolean;
}

/** One line of the event log. */
export type PosternEvent = EventBody & {
  /** ISO 8601, UTC. */
  readonly time: string;
  /** The call it belongs to: the same on all events from `*.started` to `*.finished` or `*.failed`. */
  readonly id: string;
};

/** How a call begins and ends, by its noun. */
export interface Spans {
  readonly fetch: { readonly start: { readonly url: string }; readonly summary: FetchSummary };
  readonly search: { readonly start: { readonly query: string }; readonly summary: SearchSummary };
}
