import {
  asArray,
  asText,
  baseUrlOf,
  type Failure,
  type HitFields,
  operatorQuery,
  type Provider,
  type ProviderAnswer,
  type ProviderCapabilities,
  type ProviderQuery,
  type ProviderReply,
  pageOf,
  providerFailure,
  readHits,
  readPageCursor,
  sendJson,
} from "../provider.js";

export const searxngCapabilities: ProviderCapabilities = {
  keyless: true,
  official: true,
  maxCount: 20,
  sites: "operator",
  freshness: "preset",
  paging: "page",
  dates: true,
  usdPerThousand: 0,
};

export interface SearxngOptions {
  /** The instance's address, with its path and with or without `/search`. */
  readonly baseUrl: string;
}

const ID = "searxng";
const FIELDS: HitFields = {
  url: "url",
  title: "title",
  snippet: "content",
  published: "publishedDate",
  text: "text",
};
const MAX_PAGE = 20;
const JSON_HINT =
  "The instance does not offer JSON: add `json` to `search.formats` in its settings.yml (`formats: [html, json]`) and restart it.";
const LIMITER_HINT =
  "The instance's limiter refused: set `server.limiter: false` in the settings.yml of a private one.";

/** What an engine's own words about its failure mean, in ours. */
const ENGINE_REASONS: readonly (readonly [RegExp, string])[] = [
  [/captcha|access denied|forbidden/i, "blocked"],
  [/too many requests/i, "rate limited"],
  [/time/i, "too slow"],
];

/** A SearXNG instance, `GET /search?format=json`: https://docs.searxng.org/dev/search_api.html */
export function createSearxngProvider(options: SearxngOptions): Provider {
  const base = baseUrlOf(ID, options.baseUrl);
  const endpoint = new URL(base.endsWith("/search") ? base : `${base}/search`);
  return {
    id: ID,
    capabilities: searxngCapabilities,
    origins: [endpoint.origin],
    async search(query, context) {
      const position = readPageCursor(ID, query.cursor, MAX_PAGE);
      const { url, warnings } = requestUrl(endpoint, query, position.page);
      const body = await sendJson(ID, { url, headers: { accept: "application/json" } }, context, explain);
      const found = readHits(ID, body.results, FIELDS);
      const partial = silentEngines(body.unresponsive_engines);
      // An empty list from engines that all failed is not "nothing found"; asking again at once would not wake them.
      if (found.length === 0 && partial.length > 0) {
        throw providerFailure(ID, "provider_unavailable", {
          retryable: false,
          hint: "The engines behind the instance failed or refused: try again later, or enable others in its settings.yml.",
        });
      }
      return {
        ...pageOf(found, position, query.count, position.page < MAX_PAGE),
        cost: { usd: 0, basis: "free" },
        ...(partial.length > 0 ? { partial } : {}),
        warnings,
      };
    },
  };
}

function requestUrl(
  endpoint: URL,
  query: ProviderQuery,
  page: number,
): { readonly url: URL; readonly warnings: readonly string[] } {
  const { text, warnings: cuts } = operatorQuery(query, { maxChars: 400 });
  const { lang, country, freshness } = query;
  const url = new URL(endpoint);
  url.searchParams.set("q", text);
  url.searchParams.set("format", "json");
  url.searchParams.set("pageno", String(page));
  if (typeof freshness === "string") url.searchParams.set("time_range", freshness);
  if (lang !== undefined) {
    url.searchParams.set("language", country === undefined || lang.includes("-") ? lang : `${lang}-${country}`);
  }
  const warnings = [...cuts];
  if (typeof freshness === "object")
    warnings.push("freshness ignored: the engine knows day, week, month and year only");
  if (country !== undefined && lang === undefined) warnings.push("country ignored without a language");
  return { url, warnings };
}

function silentEngines(list: unknown): NonNullable<ProviderAnswer["partial"]> {
  return (asArray(list) ?? []).slice(0, 100).flatMap((entry) => {
    const [engine, reason] = (asArray(entry) ?? [entry]).map(asText);
    if (engine === undefined || engine === "") return [];
    // Shown outside the envelope of fetched text: a name and nothing that reads like a sentence.
    const name = /^[\w.-]{1,30}(?: [\w.-]{1,15})?$/.test(engine) ? engine : "an engine";
    const known = ENGINE_REASONS.find(([words]) => words.test(reason ?? ""));
    return [{ engine: name, reason: known?.[1] ?? "failed" }];
  });
}

function explain(reply: ProviderReply): Failure | undefined {
  const html = /^text\/html\b/i.test(reply.headers.get("content-type") ?? "");
  if (reply.status === 403 && html) return { code: "provider_misconfigured", hint: JSON_HINT };
  if (reply.status === 429) return { code: "provider_rate_limited", hint: LIMITER_HINT };
  return undefined;
}
