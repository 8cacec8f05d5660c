/** The shapes that cross rooms and reach callers. Fields may be added, never renamed. */

/**
 * What became of a fetch: a closed set, so that a caller can branch on it.
 * `ok` the page; `partial` the page was cut by a limit or a broken stream; `empty` no text (it may need JavaScript);
 * the walls (`bot_wall`, `consent_wall`, `login`, `paywall`), `soft_404` and `redirect` (handed back, not followed) are
 * never content; `error` an HTTP error status whose body is shown.
 */
export type Outcome =
  | "ok"
  | "partial"
  | "empty"
  | "bot_wall"
  | "consent_wall"
  | "login"
  | "paywall"
  | "soft_404"
  | "redirect"
  | "error";

/** One request of a redirect chain. */
export interface Hop {
  readonly url: string;
  readonly status: number;
  readonly durationMs: number;
  /**
   * How it left: straight to a checked address, to one through a proxy, through a named exemption, or from the local
   * index; `delegated`: somebody else chose the address, so that it could not be checked.
   */
  readonly via: "direct" | "proxy" | "exemption" | "delegated" | "index";
  /** The name of the exemption that opened the way. */
  readonly exemption?: string;
  /** The proxy it went through, without credentials. */
  readonly proxy?: string;
  /** The name of the exception by which the server's certificate was accepted. */
  readonly tlsException?: string;
}

/** Evidence of something hidden, forged or suspicious, in our own words and never in the page's. */
export interface Finding {
  /** The rule that fired, such as `hidden_imperative` or `forged_turn`. */
  readonly rule: string;
  /** 0 structural, 1 bundled model, 2 the user's own model, 3 distiller. */
  readonly tier: 0 | 1 | 2 | 3;
  /** 0..1. */
  readonly score: number;
  readonly channel: "visible" | "removed";
  readonly reason: string;
  /** UTF-16 offsets in the returned text, for `visible` findings. */
  readonly start?: number;
  readonly end?: number;
}

/** Counts of what was removed, by reason: `hidden_attribute`, `display_none`, `zero_width` … */
export type RemovedCounts = Readonly<Record<string, number>>;

export type CostBasis = "reported" | "table" | "unknown" | "free";

/** What a call used. An unknown price is `null`, never 0. */
export interface Usage {
  readonly requests: number;
  readonly wireBytes: number;
  readonly durationMs: number;
  readonly cacheHit: boolean;
  readonly costUsd: number | null;
  readonly costBasis: CostBasis;
}

/** Who asks: a model's call needs approval, a person's or a program's call is one already. */
export type Caller = "user" | "model";

export interface FetchRequest {
  /** An http(s) URL, or a `docs:` URL that a local search returned. */
  readonly url: string;
  /** A question for the second model; without one configured the page comes back with a notice. */
  readonly prompt?: string | undefined;
  /** Heading text or number from the outline. */
  readonly section?: string | undefined;
  /** Text to look for; the answer shows its surroundings. */
  readonly find?: string | undefined;
  /** Characters to skip. */
  readonly offset?: number | undefined;
  /** UTF-8 bytes of text to return at most. */
  readonly maxBytes?: number | undefined;
  /** Whether a browser runs the page's scripts, if one is set up: `auto` only where there is no text without them. */
  readonly render?: "auto" | "always" | "never" | undefined;
  /** Skip the cache. */
  readonly refresh?: boolean | undefined;
  readonly signal?: AbortSignal | undefined;
  readonly caller?: Caller | undefined;
}

export interface OutlineEntry {
  /** Position in the tree, such as `2.1`; usable as `section`. */
  readonly number: string;
  readonly level: number;
  readonly title: string;
  /** UTF-16 offsets of the section in the whole text, heading included, subsections included. */
  readonly start: number;
  readonly end: number;
}

/** How to read on: the arguments of the next `fetch`. */
export interface NextCall {
  readonly url: string;
  readonly section?: string;
  readonly find?: string;
  readonly offset: number;
}

export interface FetchResult {
  readonly url: string;
  readonly finalUrl: string;
  readonly status: number;
  /** What became of the page as a whole; a `section` or `find` that matched nothing gives empty `text` and a warning. */
  readonly outcome: Outcome;
  readonly title: string;
  readonly text: string;
  readonly mediaType: string;
  /** The slice of the whole text that `text` is, in UTF-16 units; absent for several pieces (`find`). */
  readonly range?: { readonly start: number; readonly end: number };
  readonly totalChars: number;
  readonly next?: NextCall;
  readonly outline: readonly OutlineEntry[];
  /** The outline as it is shown beside a page that was cut, or whose section was not found; the page's own words. */
  readonly outlineText?: string;
  readonly findings: readonly Finding[];
  readonly removed: RemovedCounts;
  readonly warnings: readonly string[];
  readonly hops: readonly Hop[];
  readonly usage: Usage;
}

export type Freshness = "day" | "week" | "month" | "year" | { readonly after?: string; readonly before?: string };

export interface SearchRequest {
  readonly query: string;
  /** 1..20, default 5. */
  readonly count?: number | undefined;
  /** One domain: its results and its subdomains' only. */
  readonly site?: string | undefined;
  readonly sites?: readonly string[] | undefined;
  readonly excludeSites?: readonly string[] | undefined;
  readonly freshness?: Freshness | undefined;
  /** ISO 3166-1 alpha-2. */
  readonly country?: string | undefined;
  /** BCP 47. */
  readonly lang?: string | undefined;
  /** `more` of an earlier result. */
  readonly cursor?: string | undefined;
  readonly signal?: AbortSignal | undefined;
  readonly caller?: Caller | undefined;
}

export interface SearchHit {
  readonly rank: number;
  readonly title: string;
  readonly url: string;
  /** Plain text. */
  readonly snippet: string;
  /** ISO 8601, as exact as the provider was. */
  readonly published?: string;
  readonly provider: string;
}

export interface SearchResult {
  readonly query: string;
  /** The provider that answered, or several joined by `+`. */
  readonly provider: string;
  readonly results: readonly SearchHit[];
  /** Opaque; pass as `cursor` for more. */
  readonly more?: string;
  readonly warnings: readonly string[];
  readonly usage: Usage;
}
