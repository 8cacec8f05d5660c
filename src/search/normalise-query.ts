import { ConfigError } from "../errors.js";
import type { Freshness, SearchRequest } from "../types.js";
import type { ProviderQuery } from "./provider.js";
import { cutAtWord } from "./query-text.js";
import { siteHost } from "./site-filter.js";
import { oneLine } from "./snippet-text.js";

export interface NormalisedQuery {
  readonly query: ProviderQuery;
  /** Our own sentences about what was cut. */
  readonly warnings: readonly string[];
}

const MAX_QUERY_CHARS = 400;
/** Past this a query is a mistake, such as a pasted file. */
const REFUSED_QUERY_CHARS = 10_000;
const DEFAULT_COUNT = 5;
const MAX_COUNT = 20;
const MAX_SITES = 50;
const MAX_CURSOR_CHARS = 4_096;
const BARE_DOMAIN = "Give a bare domain, such as nodejs.org.";
const PRESETS: ReadonlySet<unknown> = new Set(["day", "week", "month", "year"]);

/** A request as providers get it. Throws `ConfigError` `invalid_argument` for what cannot be meant. */
export function normaliseQuery(request: SearchRequest): NormalisedQuery {
  if (typeof request.query !== "string") throw invalid("`query` is missing.", "Say what to search for.");
  if (request.query.length > REFUSED_QUERY_CHARS) {
    throw invalid(`The query is longer than ${REFUSED_QUERY_CHARS} characters.`, "Search with a few words instead.");
  }
  const whole = oneLine(request.query);
  if (whole === "") throw invalid("The query is empty.", "Say what to search for.");
  const query = cutAtWord(whole, MAX_QUERY_CHARS);
  const sites = hosts([...(request.site === undefined ? [] : [request.site]), ...(request.sites ?? [])]);
  return {
    query: {
      query,
      count: countOf(request.count),
      sites,
      excludeSites: hosts(request.excludeSites ?? []),
      freshness: freshnessOf(request.freshness),
      country: countryOf(request.country),
      lang: languageOf(request.lang),
      cursor: cursorOf(request.cursor),
    },
    warnings: query === whole ? [] : [`the query was cut to ${MAX_QUERY_CHARS} characters`],
  };
}

const invalid = (message: string, hint: string): ConfigError => new ConfigError("invalid_argument", message, { hint });

function countOf(count: number = DEFAULT_COUNT): number {
  if (Number.isNaN(count)) throw invalid("`count` is not a number.", `Give a number from 1 to ${MAX_COUNT}.`);
  return Math.min(Math.max(Math.trunc(count), 1), MAX_COUNT);
}

function hosts(sites: readonly string[]): readonly string[] {
  if (sites.length > MAX_SITES) throw invalid(`More than ${MAX_SITES} sites are named.`, "Name fewer sites.");
  if (sites.some((site) => typeof site !== "string")) throw invalid("A site is not a domain name.", BARE_DOMAIN);
  const named = sites.filter((site) => site.trim() !== "");
  return [
    ...new Set(
      named.map((site) => {
        const host = siteHost(site);
        if (host === undefined) throw invalid("A site is not a domain name.", BARE_DOMAIN);
        return host;
      }),
    ),
  ];
}

function freshnessOf(freshness: Freshness | undefined): Freshness | undefined {
  if (freshness === undefined || PRESETS.has(freshness)) return freshness;
  if (typeof freshness !== "object" || freshness === null) {
    throw invalid(
      "`freshness` is not one of its values.",
      "Use day, week, month, year, or { after, before } as YYYY-MM-DD.",
    );
  }
  const { after, before } = freshness;
  if (after === undefined && before === undefined) return undefined;
  if (![after, before].every((date) => date === undefined || isDate(date)) || (after ?? "") > (before ?? "9999")) {
    throw invalid(
      "`freshness` is not a range of dates.",
      "Give after and before as YYYY-MM-DD, the earlier one first.",
    );
  }
  return freshness;
}

/** A real calendar day: the parser alone would take 30 February for 2 March. */
function isDate(text: string): boolean {
  const time = /^\d{4}-\d\d-\d\d$/.test(text) ? Date.parse(text) : Number.NaN;
  return !Number.isNaN(time) && new Date(time).toISOString().startsWith(text);
}

function countryOf(country: string | undefined): string | undefined {
  if (country === undefined || /^[A-Za-z]{2}$/.test(country)) return country?.toUpperCase();
  throw invalid("`country` is not a two-letter code.", "Give an ISO 3166-1 alpha-2 code, such as DE.");
}

function languageOf(lang: string | undefined): string | undefined {
  if (lang === undefined) return undefined;
  try {
    if (lang.length <= 35) return Intl.getCanonicalLocales(lang)[0];
  } catch {
    // Named below, with the overlong ones.
  }
  throw invalid("`lang` is not a language tag.", "Give a BCP 47 tag, such as en or pt-BR.");
}

function cursorOf(cursor: string | undefined): string | undefined {
  if (cursor === undefined || (cursor.length <= MAX_CURSOR_CHARS && !/[\p{Cc}\p{Cs}]/u.test(cursor))) return cursor;
  throw invalid("The cursor is not one that a search gave.", "Pass `more` of the last answer, or leave it out.");
}
