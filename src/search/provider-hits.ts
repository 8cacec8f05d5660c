import { parseUrl } from "../parse-url.js";
import type { ProviderHit } from "./provider.js";
import { providerFailure } from "./provider-failure.js";
import { asArray, asObject, asText } from "./provider-http.js";
import { plainText, SNIPPET_CHARS, TITLE_CHARS } from "./snippet-text.js";

const MAX_URL_CHARS = 4_096;
const MAX_ITEMS = 200;

/** Where a provider keeps what we show, and whether its texts are HTML. */
export interface HitFields {
  readonly url: string;
  readonly title: string;
  readonly snippet: string;
  readonly published?: string;
  readonly text: "html" | "text";
}

/**
 * The results of a JSON list. Unreadable items and addresses that are not http(s) are dropped; a list of nothing but
 * unreadable items throws `provider_bad_response`, because a changed format must not look like "nothing found".
 */
export function readHits(provider: string, list: unknown, fields: HitFields): readonly ProviderHit[] {
  const items = asArray(list);
  if (items === undefined) throw providerFailure(provider, "provider_bad_response");
  const readable = items
    .slice(0, MAX_ITEMS)
    .map(asObject)
    .filter((item) => item !== undefined && typeof item[fields.url] === "string");
  if (items.length > 0 && readable.length === 0) throw providerFailure(provider, "provider_bad_response");
  return readable.flatMap((item) => {
    const url = webUrl(asText(item?.[fields.url]));
    if (item === undefined || url === undefined) return [];
    const published = fields.published === undefined ? undefined : publishedDate(asText(item[fields.published]));
    return [
      {
        url,
        title: plainText(asText(item[fields.title]), fields.text, TITLE_CHARS),
        snippet: plainText(asText(item[fields.snippet]), fields.text, SNIPPET_CHARS),
        ...(published === undefined ? {} : { published }),
      },
    ];
  });
}

/** An http(s) address as it was given, or normalised when it holds white space or invisible characters. */
export function webUrl(raw: string): string | undefined {
  const url = raw.length > MAX_URL_CHARS ? undefined : parseUrl(raw);
  if (url === undefined) return undefined;
  if (url.protocol !== "http:" && url.protocol !== "https:") return undefined;
  return /[\s\p{C}]/u.test(raw) ? url.href : raw;
}

const ISO_DATE = /^(\d{4}-\d\d-\d\d)(?:[T ](\d\d:\d\d(?::\d\d)?)(?:\.\d{1,9})?(Z|[+-]\d\d:?\d\d)?)?$/;
/** RFC 9110 section 5.6.7 (IMF-fixdate) and its RFC 5322 cousins: a weekday first. */
const MAIL_DATE = /^(?:Mon|Tue|Wed|Thu|Fri|Sat|Sun), .{10,40}$/;

/** ISO 8601 as exact as the provider was; `undefined` for relative words and impossible dates. */
export function publishedDate(raw: string): string | undefined {
  const text = raw.trim();
  if (text.length > 64) return undefined;
  const iso = ISO_DATE.exec(text);
  if (iso === null) {
    const time = MAIL_DATE.test(text) ? Date.parse(text) : Number.NaN;
    return Number.isNaN(time) ? undefined : new Date(time).toISOString().replace(".000Z", "Z");
  }
  const [, day = "", time, zone = ""] = iso;
  // Midnight without a zone is how a bare day is written by those whose format demands a time.
  const midnight = zone === "" && /^00:00(?::00)?$/.test(time ?? "");
  const value = time === undefined || midnight ? day : `${day}T${time}${zone}`;
  return Number.isNaN(Date.parse(value)) ? undefined : value;
}
