import type { CostBasis, Freshness } from "../types.js";

// What adapters share stands behind this one door: `providers/*` import nothing else of ours.
export { closedRange } from "./date-range.js";
export { pageOf, readPageCursor } from "./page-cursor.js";
export { type ProviderCode, providerFailure } from "./provider-failure.js";
export { type HitFields, publishedDate, readHits, webUrl } from "./provider-hits.js";
export {
  asArray,
  asObject,
  assertKey,
  asText,
  baseUrlOf,
  type Failure,
  type ProviderReply,
  parseJson,
  sendJson,
  sendRequest,
  statusFailure,
} from "./provider-http.js";
export { ignoredFilters, operatorQuery } from "./query-text.js";
export { unwrapRedirect } from "./redirect-wrapper.js";
export { clippedLine, SNIPPET_CHARS, TITLE_CHARS } from "./snippet-text.js";

/** A query as every provider gets it: trimmed, clamped, free of control characters. */
export interface ProviderQuery {
  /** 1..400 characters. */
  readonly query: string;
  /** 1..20; a provider that cannot go so high returns fewer. */
  readonly count: number;
  /** Bare lower-case hosts; a result must be on one of them or below. Empty means any. */
  readonly sites: readonly string[];
  readonly excludeSites: readonly string[];
  readonly freshness?: Freshness | undefined;
  readonly country?: string | undefined;
  readonly lang?: string | undefined;
  /** The provider's own `more` of an earlier answer. */
  readonly cursor?: string | undefined;
}

export interface ProviderHit {
  /** As the provider gave it, http(s) or `docs:`. */
  readonly url: string;
  /** Plain text: tags stripped, entities decoded once. */
  readonly title: string;
  readonly snippet: string;
  /** ISO 8601; absent when the provider only gave relative words. */
  readonly published?: string;
}

export interface ProviderAnswer {
  readonly hits: readonly ProviderHit[];
  readonly more?: string;
  readonly cost: { readonly usd: number | null; readonly basis: CostBasis };
  /** Engines behind the provider that failed while others answered. */
  readonly partial?: readonly { readonly engine: string; readonly reason: string }[];
  /** Our own sentences, such as "freshness ignored". */
  readonly warnings: readonly string[];
}

/** What a provider can do, declared once: the registry, `doctor` and the documentation read it. */
export interface ProviderCapabilities {
  readonly keyless: boolean;
  /** Offered by the vendor for this use, not scraped. */
  readonly official: boolean;
  readonly maxCount: number;
  /** `native` a parameter, `operator` `site:` in the query, `none` filtered locally only. */
  readonly sites: "native" | "operator" | "none";
  readonly freshness: "preset" | "range" | "both" | "none";
  readonly paging: "page" | "item" | "token" | "none";
  readonly dates: boolean;
  /** USD for 1,000 searches at list price, `null` when unknown. */
  readonly usdPerThousand: number | null;
}

/** What a provider is given to work with. It opens no socket and reads no setting of its own. */
export interface ProviderContext {
  /** Leaves through the jail; refuses redirects off the provider's own origin; 2 MiB at most. */
  readonly fetch: typeof fetch;
  /** Runs an executable without a shell, stdin closed, in an empty directory that is removed afterwards. */
  readonly run: RunCommand;
  readonly signal: AbortSignal;
  /** Milliseconds since the epoch, for dates in `Retry-After` and open date ranges; `Date.now` when absent. */
  readonly now?: () => number;
}

export type RunCommand = (
  command: string,
  /** `directory` is the fresh working directory. */
  args: (directory: string) => readonly string[],
  options?: { readonly signal?: AbortSignal; readonly readFile?: string },
) => Promise<CommandResult>;

export interface CommandResult {
  readonly exitCode: number;
  readonly stdout: string;
  readonly stderr: string;
  /** Text of `readFile` (a name inside the directory), `undefined` when it was not written. */
  readonly file?: string | undefined;
}

export interface Provider {
  readonly id: string;
  readonly capabilities: ProviderCapabilities;
  /** Exact origins it contacts, shown when approval is asked; empty for a local one. */
  readonly origins: readonly string[];
  /** Throws `ProviderError`; an empty `hits` means "nothing found" and nothing else. */
  search(query: ProviderQuery, context: ProviderContext): Promise<ProviderAnswer>;
}
