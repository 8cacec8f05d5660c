import {
  asObject,
  assertKey,
  asText,
  baseUrlOf,
  closedRange,
  type Failure,
  type HitFields,
  operatorQuery,
  type Provider,
  type ProviderCapabilities,
  type ProviderContext,
  type ProviderQuery,
  type ProviderReply,
  pageOf,
  parseJson,
  readHits,
  readPageCursor,
  sendJson,
} from "../provider.js";

export const braveCapabilities: ProviderCapabilities = {
  keyless: false,
  official: true,
  maxCount: 20,
  sites: "operator",
  freshness: "both",
  paging: "page",
  dates: true,
  usdPerThousand: 5,
};

export interface BraveOptions {
  readonly apiKey: string;
  /** Default `https://api.search.brave.com`. */
  readonly baseUrl?: string | undefined;
}

const ID = "brave";
const FIELDS: HitFields = {
  url: "url",
  title: "title",
  snippet: "description",
  published: "page_age",
  text: "html",
};
const MAX_PAGE = 10;
const FRESHNESS = { day: "pd", week: "pw", month: "pm", year: "py" } as const;

// The API answers 422 for codes outside its lists, so an unknown one is left out instead.
const COUNTRIES: ReadonlySet<string> = new Set(
  "AR AU AT BE BR CA CL CN DE DK ES FI FR GB GR HK ID IN IT JP KR MX MY NL NO NZ PH PL PT RU SA SE CH TR TW US ZA".split(
    " ",
  ),
);
const LANGUAGES: ReadonlySet<string> = new Set(
  (
    "ar bg bn ca cs da de el en en-gb es et eu fi fr gl gu he hi hr hu is it jp kn ko lt lv ml mr ms nb nl pa pl " +
    "pt-br pt-pt ro ru sk sl sr sv ta te th tr uk vi zh-hans zh-hant"
  ).split(" "),
);
/** Languages that the API spells differently from BCP 47. */
const LANGUAGE_ALIASES: Readonly<Record<string, string>> = {
  ja: "jp",
  no: "nb",
  pt: "pt-pt",
  zh: "zh-hans",
  "zh-cn": "zh-hans",
  "zh-sg": "zh-hans",
  "zh-tw": "zh-hant",
  "zh-hk": "zh-hant",
};

/** Brave Search API, `GET /res/v1/web/search`: https://api-dashboard.search.brave.com/documentation */
export function createBraveProvider(options: BraveOptions): Provider {
  const apiKey = assertKey(ID, options.apiKey);
  const endpoint = new URL(`${baseUrlOf(ID, options.baseUrl ?? "https://api.search.brave.com")}/res/v1/web/search`);
  return {
    id: ID,
    capabilities: braveCapabilities,
    origins: [endpoint.origin],
    async search(query, context) {
      const position = readPageCursor(ID, query.cursor, MAX_PAGE);
      const count = Math.min(query.count, braveCapabilities.maxCount);
      const { url, warnings } = requestUrl(endpoint, query, count, position.page, context);
      const headers = { accept: "application/json", "x-subscription-token": apiKey };
      const body = await sendJson(ID, { url, headers }, context, explain);
      // Without a hit the answer has no `web` at all.
      const hits = body.web === undefined ? [] : readHits(ID, asObject(body.web)?.results, FIELDS);
      const hasNext = asObject(body.query)?.more_results_available === true && position.page < MAX_PAGE;
      return { ...pageOf(hits, position, count, hasNext), cost: { usd: 0.005, basis: "table" }, warnings };
    },
  };
}

function requestUrl(
  endpoint: URL,
  query: ProviderQuery,
  count: number,
  page: number,
  context: ProviderContext,
): { readonly url: URL; readonly warnings: readonly string[] } {
  const { text, warnings: cuts } = operatorQuery(query, { maxChars: 400, maxWords: 50 });
  const country = query.country !== undefined && COUNTRIES.has(query.country) ? query.country : undefined;
  const lang = languageCode(query.lang);
  const range = closedRange(query.freshness, context.now);
  const url = new URL(endpoint);
  const parameters: Readonly<Record<string, string | undefined>> = {
    q: text,
    count: String(count),
    // Counts pages, not results.
    offset: String(page - 1),
    text_decorations: "false",
    result_filter: "web",
    country,
    search_lang: lang,
    freshness:
      range !== undefined
        ? `${range.after}to${range.before}`
        : typeof query.freshness === "string"
          ? FRESHNESS[query.freshness]
          : undefined,
  };
  for (const [name, value] of Object.entries(parameters)) if (value !== undefined) url.searchParams.set(name, value);
  const warnings = [...cuts];
  if (query.country !== undefined && country === undefined) warnings.push("country ignored");
  if (query.lang !== undefined && lang === undefined) warnings.push("lang ignored");
  return { url, warnings };
}

function languageCode(lang: string | undefined): string | undefined {
  const exact = lang?.toLowerCase() ?? "";
  const primary = exact.split("-")[0] ?? "";
  return [exact, primary].map((code) => LANGUAGE_ALIASES[code] ?? code).find((code) => LANGUAGES.has(code));
}

function explain(reply: ProviderReply): Failure | undefined {
  const error = asObject(asObject(parseJson(reply.text))?.error);
  if (reply.status === 422 && asText(error?.code).includes("TOKEN")) return { code: "provider_auth" };
  if (reply.status !== 429) return undefined;
  // Two windows, second and month: `X-RateLimit-Remaining: 0, 1985`. A limit of 0 means none.
  const at = (name: string, index: number): number =>
    Number.parseInt((reply.headers.get(`x-ratelimit-${name}`) ?? "").split(",")[index] ?? "", 10);
  const meta = asObject(error?.meta);
  const quota = Number(meta?.quota_limit);
  const monthSpent = at("remaining", 1) === 0 && at("limit", 1) > 0;
  if (monthSpent || (quota > 0 && Number(meta?.quota_current) >= quota)) return { code: "provider_quota_exhausted" };
  const waitMs = at("remaining", 0) === 0 ? at("reset", 0) * 1_000 : Number.NaN;
  return { code: "provider_rate_limited", retryAfterMs: Number.isNaN(waitMs) ? undefined : waitMs };
}
