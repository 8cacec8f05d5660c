import {
  asObject,
  assertKey,
  baseUrlOf,
  type Failure,
  type HitFields,
  ignoredFilters,
  type Provider,
  type ProviderAnswer,
  type ProviderCapabilities,
  type ProviderQuery,
  type ProviderReply,
  parseJson,
  providerFailure,
  readHits,
  sendJson,
} from "../provider.js";

export const tavilyCapabilities: ProviderCapabilities = {
  keyless: true,
  official: true,
  maxCount: 20,
  sites: "native",
  freshness: "both",
  paging: "none",
  dates: false,
  usdPerThousand: 8,
};

export interface TavilyOptions {
  /** Without one the vendor's keyless mode is used: free, with caps per address. */
  readonly apiKey?: string | undefined;
  /** Default `https://api.tavily.com`. */
  readonly baseUrl?: string | undefined;
}

const ID = "tavily";
const USD_PER_CREDIT = 0.008;
const FIELDS: HitFields = {
  url: "url",
  title: "title",
  snippet: "content",
  published: "published_date",
  text: "text",
};
const STATUSES: Readonly<Record<number, Failure>> = {
  432: { code: "provider_quota_exhausted" },
  433: { code: "provider_quota_exhausted" },
};
const KEYLESS_HINT =
  "The keyless allowance of this address is used up for now; set TAVILY_API_KEY for a plan of your own.";

/** Countries whose English name is the one that the API takes; it answers 400 for a name outside its list. */
const COUNTRIES: ReadonlySet<string> = new Set(
  "AR AU AT BE BR CA CH CL CN DE DK ES FI FR GB GR ID IE IN IT JP KR MX MY NL NO NZ PH PL PT RU SA SE US ZA".split(" "),
);

/** Tavily, `POST /search`: https://docs.tavily.com */
export function createTavilyProvider(options: TavilyOptions = {}): Provider {
  const apiKey = options.apiKey === undefined ? undefined : assertKey(ID, options.apiKey);
  const url = new URL(`${baseUrlOf(ID, options.baseUrl ?? "https://api.tavily.com")}/search`);
  const access: Readonly<Record<string, string>> =
    apiKey === undefined ? { "x-tavily-access-mode": "keyless" } : { authorization: `Bearer ${apiKey}` };
  const headers = { accept: "application/json", "content-type": "application/json", ...access };
  return {
    id: ID,
    capabilities: apiKey === undefined ? { ...tavilyCapabilities, usdPerThousand: 0 } : tavilyCapabilities,
    origins: [url.origin],
    async search(query, context) {
      if (query.cursor !== undefined) {
        throw providerFailure(ID, "provider_invalid_request", { hint: "Tavily has one page: raise `count` instead." });
      }
      const { body, warnings } = requestBody(query, apiKey !== undefined);
      const reply = await sendJson(ID, { url, method: "POST", headers, body: JSON.stringify(body) }, context, explain);
      const hits = readHits(ID, reply.results, FIELDS).slice(0, query.count);
      return { hits, cost: apiKey === undefined ? { usd: 0, basis: "free" } : costOf(reply.usage), warnings };
    },
  };
}

function requestBody(
  query: ProviderQuery,
  keyed: boolean,
): { readonly body: object; readonly warnings: readonly string[] } {
  const { freshness } = query;
  const country =
    query.country !== undefined && COUNTRIES.has(query.country)
      ? new Intl.DisplayNames(["en"], { type: "region" }).of(query.country)?.toLowerCase()
      : undefined;
  const range = typeof freshness === "object" ? freshness : undefined;
  const warnings = [...ignoredFilters(query, ["lang"])];
  if (query.country !== undefined && country === undefined) warnings.push("country ignored");
  return {
    body: {
      query: query.query,
      max_results: Math.min(query.count, tavilyCapabilities.maxCount),
      // Left to itself the API may choose `advanced`, at twice the price.
      search_depth: "basic",
      topic: "general",
      include_answer: false,
      include_raw_content: false,
      ...(keyed ? { include_usage: true } : {}),
      ...(query.sites.length > 0 ? { include_domains: query.sites } : {}),
      ...(query.excludeSites.length > 0 ? { exclude_domains: query.excludeSites } : {}),
      ...(typeof freshness === "string" ? { time_range: freshness } : {}),
      ...(range?.after === undefined ? {} : { start_date: range.after }),
      ...(range?.before === undefined ? {} : { end_date: range.before }),
      ...(country === undefined ? {} : { country }),
    },
    warnings,
  };
}

/** A basic search is one credit, unless the answer says otherwise; what a credit costs is list price. */
function costOf(usage: unknown): ProviderAnswer["cost"] {
  const credits = asObject(usage)?.credits;
  const known = typeof credits === "number" && credits >= 0 && credits <= 100 ? credits : 1;
  return { usd: known * USD_PER_CREDIT, basis: "table" };
}

/** The keyless limit carries `next_actions`, an outsider's advice to sign up or pay: it is never read. */
function explain(reply: ProviderReply): Failure | undefined {
  const limit = asObject(asObject(parseJson(reply.text))?.error);
  const seconds = limit?.retry_after_seconds;
  if (reply.status !== 429 || typeof seconds !== "number" || !Number.isFinite(seconds)) return STATUSES[reply.status];
  return { code: "provider_rate_limited", retryAfterMs: seconds * 1_000, hint: KEYLESS_HINT };
}
