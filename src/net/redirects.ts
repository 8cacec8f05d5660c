import { FetchError } from "../errors.js";
import { parseUrl } from "../parse-url.js";
import { MAX_URL_CHARS } from "./limits.js";
import type { Method } from "./request-headers.js";
import { type HeaderMap, keptOnOriginChange, withoutBodyHeaders } from "./request-headers.js";
import type { ResponseHeaders } from "./response-headers.js";
import { refusal } from "./rules.js";
import type { CheckedUrl } from "./url-check.js";

/** What a hop asks for; the next hop's is made from it. */
export interface HopIntent {
  readonly method: Method;
  readonly headers: HeaderMap;
  readonly body: string | Uint8Array | undefined;
}

/** RFC 9110 9.2.1. */
const SAFE_METHODS: ReadonlySet<Method> = new Set(["GET", "HEAD", "OPTIONS"]);
const CONTROL = /[\u0000-\u001f\u007f-\u009f]/;

/** RFC 9110 15.4: the statuses whose `Location` is where to ask next. */
const REDIRECTS: ReadonlySet<number> = new Set([301, 302, 303, 307, 308]);

/** A redirect that says where to: an empty `Location` would lead to itself, and browsers show such an answer. */
export function isRedirect(status: number, headers: ResponseHeaders): boolean {
  return REDIRECTS.has(status) && Boolean(headers.get("location"));
}

/**
 * Where a redirect leads, resolved against the URL that answered (RFC 9110 10.2.2). The result is not checked yet.
 * @throws BlockedError for a location that is too long or no URL; FetchError for more than one
 */
export function redirectTarget(from: CheckedUrl, headers: ResponseHeaders): string {
  const [location = "", ...others] = headers.getAll("location");
  if (others.some((other) => other !== location)) {
    throw new FetchError("protocol_error", "The server redirects to several places at once.");
  }
  if (location.length > MAX_URL_CHARS) throw refusal("url_length");
  const url = CONTROL.test(location) ? undefined : parseUrl(location, from.href);
  if (url === undefined) throw refusal("url_syntax");
  return url.href;
}

/**
 * Refuses the steps between two origins that no single URL shows.
 * @param isFromPrivate whether it took an exemption to reach `from`
 */
export function assertRedirectAllowed(from: CheckedUrl, to: CheckedUrl, isFromPrivate: boolean): void {
  if (from.secure && !to.secure) throw refusal("redirect_downgrade");
  // The user opened a private origin to themselves and their own servers, and not to whoever can answer with a redirect:
  // a public host that was exempted for its port is still anybody's.
  const isFromOwn = from.exemption !== undefined && (isFromPrivate || from.host === to.host);
  if (to.exemption !== undefined && !isFromOwn) throw refusal("redirect_exemption");
}

/**
 * The next hop's request. 303, and 301 and 302 after a POST, become a GET (RFC 9110 15.4). What is not safe to repeat is
 * repeated only where the server says so beyond doubt, 307 or 308, and to itself: clients disagree on 301 and 302 for
 * other methods, and nobody who sent a body to one origin has agreed to send it to another. A change of scheme, host or
 * port leaves everything behind that could be meant for the first origin alone.
 * @throws BlockedError for an unsafe method that would have to be repeated in any other case
 */
export function followRedirect(intent: HopIntent, status: number, from: CheckedUrl, to: CheckedUrl): HopIntent {
  const { method, headers } = intent;
  const isSameOrigin = from.origin === to.origin;
  const becomesGet = (status === 303 && method !== "HEAD") || ((status === 301 || status === 302) && method === "POST");
  const isRepeatable = SAFE_METHODS.has(method) || (isSameOrigin && (status === 307 || status === 308));
  if (!becomesGet && !isRepeatable) throw refusal("redirect_method");
  const next = becomesGet ? { method: "GET" as const, headers: withoutBodyHeaders(headers), body: undefined } : intent;
  return isSameOrigin ? next : { ...next, headers: keptOnOriginChange(next.headers), body: undefined };
}
