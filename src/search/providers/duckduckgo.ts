import { Parser } from "htmlparser2";
import type { ProviderError } from "../../errors.js";
import { parseUrl } from "../../parse-url.js";
import {
  baseUrlOf,
  clippedLine,
  closedRange,
  operatorQuery,
  type Provider,
  type ProviderCapabilities,
  type ProviderContext,
  type ProviderHit,
  type ProviderQuery,
  providerFailure,
  publishedDate,
  SNIPPET_CHARS,
  sendRequest,
  statusFailure,
  TITLE_CHARS,
  unwrapRedirect,
  webUrl,
} from "../provider.js";

export const duckDuckGoCapabilities: ProviderCapabilities = {
  keyless: true,
  official: false,
  maxCount: 10,
  sites: "operator",
  freshness: "both",
  paging: "token",
  dates: true,
  usdPerThousand: 0,
};

export interface DuckDuckGoOptions {
  /** Default `https://html.duckduckgo.com`. */
  readonly baseUrl?: string | undefined;
}

const ID = "duckduckgo";
const FIRST_COOLDOWN_MS = 10 * 60 * 1_000;
const MAX_COOLDOWN_MS = 60 * 60 * 1_000;
/** Statuses of its refusals, whatever the body says. */
const BLOCKING: ReadonlySet<number> = new Set([202, 301, 400, 403, 418]);
/** Hidden fields of the page's own form for the next page; anything else in a cursor is not sent. */
const CURSOR_FIELDS: ReadonlySet<string> = new Set("s nextParams v o dc api vqd kl df kp".split(" "));

/** The page is made for browsers: it answers others with a puzzle. One static set, because `vqd` depends on it. */
const BROWSER_HEADERS: Readonly<Record<string, string>> = {
  accept: "text/html,application/xhtml+xml",
  "accept-language": "en-US,en;q=0.9",
  "content-type": "application/x-www-form-urlencoded",
  referer: "https://html.duckduckgo.com/",
  "sec-fetch-dest": "document",
  "sec-fetch-mode": "navigate",
  "sec-fetch-site": "same-origin",
  "sec-fetch-user": "?1",
  "upgrade-insecure-requests": "1",
  "user-agent": "Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0",
};

/**
 * DuckDuckGo's page without scripts: unofficial, the last resort of the keyless chain. It refuses by address for
 * minutes to an hour; while it does, it is left alone for 10 minutes, doubling to 60.
 */
export function createDuckDuckGoProvider(options: DuckDuckGoOptions = {}): Provider {
  const url = new URL(`${baseUrlOf(ID, options.baseUrl ?? "https://html.duckduckgo.com")}/html/`);
  let cooldownMs = FIRST_COOLDOWN_MS;
  let blockedUntil = 0;

  const blocked = (nowMs: number, status?: number): ProviderError => {
    blockedUntil = nowMs + cooldownMs;
    const error = providerFailure(ID, "provider_blocked", {
      retryAfterMs: cooldownMs,
      ...(status === undefined ? {} : { status }),
    });
    cooldownMs = Math.min(cooldownMs * 2, MAX_COOLDOWN_MS);
    return error;
  };

  return {
    id: ID,
    capabilities: duckDuckGoCapabilities,
    origins: [url.origin],
    async search(query, context) {
      const nowMs = (context.now ?? Date.now)();
      if (nowMs < blockedUntil) {
        throw providerFailure(ID, "provider_blocked", { retryAfterMs: blockedUntil - nowMs });
      }
      const { form, skip, warnings } = requestForm(query, context);
      const request = { url, method: "POST", headers: BROWSER_HEADERS, body: form.toString() } as const;
      const reply = await sendRequest(ID, request, context);
      const page = readPage(reply.text);
      // Results first: the query is echoed in the page, so the words of a refusal prove nothing while there are any.
      if (page.hits.length === 0) {
        if (page.refused || BLOCKING.has(reply.status)) throw blocked(nowMs, reply.status);
        if (reply.status !== 200) throw statusFailure(ID, reply, context);
        if (!page.isResultPage) throw providerFailure(ID, "provider_bad_response", { status: reply.status });
      }
      cooldownMs = FIRST_COOLDOWN_MS;
      return { ...sliceOf(page, form, skip, query.count), cost: { usd: 0, basis: "free" }, warnings };
    },
  };
}

interface RequestForm {
  readonly form: URLSearchParams;
  /** Results of the page that were given already. */
  readonly skip: number;
  readonly warnings: readonly string[];
}

function requestForm(query: ProviderQuery, context: ProviderContext): RequestForm {
  const { text, warnings: cuts } = operatorQuery(query, { maxChars: 400 });
  // A leading `!` or `\` sends the searcher to another site; in quotes it is a word.
  const form = new URLSearchParams({ q: text.replace(/(?<=^|\s)[!\\][^\s"]*/g, '"$&"') });
  const { skip, fields } = readCursor(query.cursor);
  if (fields.has("s")) {
    for (const [name, value] of fields) form.set(name, value);
    return { form, skip, warnings: cuts };
  }
  const region = regionOf(query);
  const range = closedRange(query.freshness, context.now);
  form.set("b", "");
  if (region !== undefined) form.set("kl", region);
  if (range !== undefined) form.set("df", `${range.after}..${range.before}`);
  if (typeof query.freshness === "string") form.set("df", query.freshness.charAt(0));
  const half = (query.country === undefined) !== (query.lang === undefined);
  return { form, skip, warnings: half ? [...cuts, "country and lang are used together only: ignored"] : cuts };
}

/** `uk` is how the engine writes Great Britain. */
function regionOf({ country, lang }: ProviderQuery): string | undefined {
  if (country === undefined || lang === undefined) return undefined;
  return `${country === "GB" ? "uk" : country}-${lang.split("-")[0]}`.toLowerCase();
}

/** `skip?fields`: the fields are those of the form behind the page to read. */
function readCursor(cursor: string | undefined): { readonly skip: number; readonly fields: URLSearchParams } {
  if (cursor === undefined) return { skip: 0, fields: new URLSearchParams() };
  const match = /^(\d{1,3})\?(.{0,2000})$/.exec(cursor);
  if (match === null) {
    throw providerFailure(ID, "provider_invalid_request", {
      hint: "Pass `more` of the last answer as the cursor, or leave it out.",
    });
  }
  return { skip: Number(match[1]), fields: cursorFields(new URLSearchParams(match[2])) };
}

const cursorFields = (fields: Iterable<[string, string]>): URLSearchParams =>
  new URLSearchParams([...fields].filter(([name]) => CURSOR_FIELDS.has(name)));

function sliceOf(
  page: ResultPage,
  form: URLSearchParams,
  skip: number,
  count: number,
): { readonly hits: readonly ProviderHit[]; readonly more?: string } {
  const end = skip + count;
  const hits = page.hits.slice(skip, end);
  if (end < page.hits.length) return { hits, more: `${end}?${cursorFields(form)}` };
  // A later page has a form back as well: the one that leads on starts furthest.
  const start = (fields: URLSearchParams): number => Number(fields.get("s") ?? 0);
  const next = page.forms.reduce((best, fields) => (start(fields) > start(best) ? fields : best), form);
  return next === form ? { hits } : { hits, more: `0?${cursorFields(next)}` };
}

interface ResultPage {
  readonly hits: readonly ProviderHit[];
  readonly forms: readonly URLSearchParams[];
  /** Marks of the puzzle in `id`, `class` or `action`. */
  readonly refused: boolean;
  readonly isResultPage: boolean;
}

type Part = "title" | "snippet" | "date";

/** Classes of the parts of a result, on the page (`result__a`) and on its lite sister (`result-link`). */
const PARTS: Readonly<Record<string, Part>> = {
  result__a: "title",
  "result-link": "title",
  result__snippet: "snippet",
  "result-snippet": "snippet",
  result__extras__url: "date",
  timestamp: "date",
};
const MAX_HITS = 100;
const MAX_FORMS = 10;
const MAX_PART_CHARS = 10_000;
/** The parser looks through its open elements at each end tag: past this depth reading stops. */
const MAX_DEPTH = 500;
const CHUNK_CHARS = 8_192;

/** Reads a page in one pass and without a tree. */
function readPage(html: string): ResultPage {
  const found: { url: string | undefined; title: string; snippet: string; date: string }[] = [];
  const forms: URLSearchParams[] = [];
  let refused = false;
  let isResultPage = false;
  let isAd = false;
  let depth = 0;
  let open: { readonly part: Part; readonly depth: number } | undefined;

  const parser = new Parser({
    onopentag(name, attributes) {
      depth += 1;
      const id = attributes.id ?? "";
      const classes = (attributes.class ?? "").split(/\s+/);
      isResultPage ||= id === "links" || classes.includes("no-results") || classes.includes("result-link");
      refused ||= id === "challenge-form" || classes.some((word) => word.startsWith("anomaly-modal"));
      if (name === "form") {
        refused ||= (attributes.action ?? "").includes("anomaly.js");
        if (forms.length < MAX_FORMS) forms.push(new URLSearchParams());
      }
      if (name === "input" && attributes.name !== undefined) {
        forms.at(-1)?.set(attributes.name, attributes.value ?? "");
      }
      if (name === "tr" || classes.includes("result")) {
        isAd = classes.includes("result--ad") || classes.includes("result-sponsored");
      }
      const part = classes.map((word) => PARTS[word]).find((known) => known !== undefined);
      if (part === undefined || isAd || open !== undefined || found.length > MAX_HITS) return;
      if (part === "title") found.push({ url: resultUrl(attributes.href ?? ""), title: "", snippet: "", date: "" });
      open = { part, depth };
    },
    onclosetag() {
      if (open?.depth === depth) open = undefined;
      depth -= 1;
    },
    ontext(text) {
      const hit = found.at(-1);
      if (open !== undefined && hit !== undefined && hit[open.part].length < MAX_PART_CHARS) hit[open.part] += text;
    },
  });
  for (let start = 0; start < html.length && depth < MAX_DEPTH; start += CHUNK_CHARS) {
    parser.write(html.slice(start, start + CHUNK_CHARS));
  }
  parser.end();

  const hits = found.flatMap(({ url, title, snippet, date }) => {
    if (url === undefined) return [];
    const published = publishedDate(/\d{4}-\d\d-\d\dT[\d:.]+/.exec(date)?.[0] ?? "");
    const dated = published === undefined ? {} : { published };
    return [{ url, title: clippedLine(title, TITLE_CHARS), snippet: clippedLine(snippet, SNIPPET_CHARS), ...dated }];
  });
  return { hits, forms, refused, isResultPage };
}

/** The address behind a result's link; `undefined` for an ad, and for what only the engine itself can open. */
function resultUrl(href: string): string | undefined {
  const base = "https://duckduckgo.com/";
  const link = parseUrl(href, base);
  if (link === undefined) return undefined;
  const address = unwrapRedirect(link) ?? link.href;
  const { hostname, pathname } = new URL(address);
  const isDetour = /(?:^|\.)duckduckgo\.com$/.test(hostname) && /^\/(?:y\.js|l\/?)$/.test(pathname);
  return isDetour ? undefined : webUrl(address);
}
