import { ConfigError } from "../errors.js";
import { ACCEPT_ENCODING } from "./body.js";
import { MAX_REQUEST_HEADER_CHARS } from "./limits.js";

export type Method = "GET" | "HEAD" | "POST" | "PUT" | "PATCH" | "DELETE" | "OPTIONS";

export const METHODS: ReadonlySet<string> = new Set(["GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS"]);

/** Header names in lower case. */
export type HeaderMap = Readonly<Record<string, string>>;

/**
 * Headers that belong to the transport (Fetch standard, "forbidden request-header"): a caller's value is dropped. `Host`
 * would unpin the name from the address, the framing ones smuggle a second request, a `Referer` tells one site's URL
 * to another.
 */
const TRANSPORT_HEADERS: ReadonlySet<string> = new Set([
  "accept-charset",
  "accept-encoding",
  "connection",
  "content-length",
  "cookie2",
  "date",
  "dnt",
  "expect",
  "forwarded",
  "host",
  "http2-settings",
  "keep-alive",
  "origin",
  "referer",
  "te",
  "trailer",
  "transfer-encoding",
  "upgrade",
  "via",
]);
const TRANSPORT_PREFIXES: readonly string[] = ["proxy-", "sec-"];

/** RFC 9110 5.6.2. */
const TOKEN = /^[!#$%&'*+\-.^_`|~0-9A-Za-z]+$/;

/** The only headers that say nothing about the first origin. */
const KEPT_ON_ORIGIN_CHANGE: ReadonlySet<string> = new Set(["accept", "accept-language", "user-agent"]);

const BODY_HEADERS: ReadonlySet<string> = new Set(["content-type", "content-encoding", "content-language"]);

/**
 * The caller's headers in lower case, without the transport's own, over the defaults.
 * @throws ConfigError for a name that is none, and when they are too large to send
 */
export function requestHeaders(own: Readonly<Record<string, string>>, userAgent: string): HeaderMap {
  const headers: Record<string, string> = { accept: "*/*", "user-agent": userAgent };
  let length = 0;
  for (const [name, value] of Object.entries(own)) {
    // Before it is put into lower case, where letters of other alphabets become ASCII.
    if (!TOKEN.test(name)) throw refused("A request header's name holds characters HTTP does not allow.");
    const lowerName = name.toLowerCase();
    if (isTransportHeader(lowerName)) continue;
    headers[lowerName] = value;
    length += name.length + value.length;
  }
  if (length > MAX_REQUEST_HEADER_CHARS) {
    throw refused(`Request headers are at most ${MAX_REQUEST_HEADER_CHARS} characters.`);
  }
  return headers;
}

/** What goes on the wire: the coding is asked for in one place, since only these can be decoded. */
export function wireHeaders(headers: HeaderMap, chainCookies: string | undefined): HeaderMap {
  const wire: Record<string, string> = { ...headers, "accept-encoding": ACCEPT_ENCODING };
  if (chainCookies !== undefined) {
    wire.cookie = headers.cookie === undefined ? chainCookies : `${headers.cookie}; ${chainCookies}`;
  }
  return wire;
}

export function keptOnOriginChange(headers: HeaderMap): HeaderMap {
  return filterHeaders(headers, (name) => KEPT_ON_ORIGIN_CHANGE.has(name));
}

export function withoutBodyHeaders(headers: HeaderMap): HeaderMap {
  return filterHeaders(headers, (name) => !BODY_HEADERS.has(name));
}

function isTransportHeader(name: string): boolean {
  return TRANSPORT_HEADERS.has(name) || TRANSPORT_PREFIXES.some((prefix) => name.startsWith(prefix));
}

function filterHeaders(headers: HeaderMap, isKept: (name: string) => boolean): HeaderMap {
  return Object.fromEntries(Object.entries(headers).filter(([name]) => isKept(name)));
}

function refused(message: string): ConfigError {
  return new ConfigError("invalid_argument", message);
}
