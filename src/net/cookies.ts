import { MAX_COOKIE_CHARS, MAX_COOKIES } from "./limits.js";

/** The cookies of one redirect chain: gone when the chain ends, and never sent to another host. */
export interface ChainCookies {
  /** Keeps what an answer set. */
  store(url: URL, setCookie: readonly string[], nowMs: number): void;
  /** The `Cookie` value for a request, or `undefined`. */
  headerFor(url: URL): string | undefined;
}

interface Cookie {
  readonly host: string;
  readonly path: string;
  readonly secure: boolean;
  readonly name: string;
  readonly value: string;
}

/** RFC 6265 4.1.1, so that nothing stored can break out of its header. */
const COOKIE_NAME = /^[!#$%&'*+\-.^_`|~0-9A-Za-z]+$/;
/** As the URL parser writes them: its names never end in a number. */
const IP_ADDRESS = /^\[|\.\d+$/;
const COOKIE_PAIR = /^[\t\u0020-\u007e]*$/;
const COOKIE_VALUE = /^[\u0021-\u003a\u003c-\u007e]*$/;

/**
 * A small jar after RFC 6265 5.3, host-only: a `Domain` above the host is not honoured, so that no list of public
 * suffixes is needed to keep one site's cookies from another, and a `Domain` elsewhere refuses the cookie.
 */
export function createChainCookies(): ChainCookies {
  const jar = new Map<string, Cookie>();
  return {
    store(url, setCookie, nowMs) {
      for (const line of setCookie.slice(0, MAX_COOKIES)) {
        const parsed = parseSetCookie(line, url, nowMs);
        if (parsed === undefined) continue;
        const key = `${parsed.cookie.host} ${parsed.cookie.path} ${parsed.cookie.name}`;
        jar.delete(key);
        if (!parsed.isExpired && jar.size < MAX_COOKIES) jar.set(key, parsed.cookie);
      }
    },
    headerFor(url) {
      const sent = [...jar.values()].filter(
        (cookie) =>
          cookie.host === url.hostname &&
          (!cookie.secure || url.protocol === "https:") &&
          isPathWithin(url.pathname, cookie.path),
      );
      return sent.length === 0 ? undefined : sent.map(({ name, value }) => `${name}=${value}`).join("; ");
    },
  };
}

function parseSetCookie(line: string, url: URL, nowMs: number): { cookie: Cookie; isExpired: boolean } | undefined {
  if (line.length > MAX_COOKIE_CHARS) return undefined;
  const [pair = "", ...attributes] = line.split(";");
  // Before anything is trimmed, which would take more than spaces and tabs away.
  if (!COOKIE_PAIR.test(pair)) return undefined;
  const at = pair.indexOf("=");
  const name = pair.slice(0, at).trim();
  const value = pair.slice(at + 1).trim();
  if (at < 1 || !COOKIE_NAME.test(name) || !COOKIE_VALUE.test(value)) return undefined;

  const options = new Map(attributes.map(parseAttribute));
  const secure = options.has("secure");
  if (secure && url.protocol !== "https:") return undefined;
  if (!isDomainOf(url.hostname, options.get("domain")) || !keepsPrefix(name, options)) return undefined;
  const path = options.get("path");
  return {
    cookie: {
      host: url.hostname,
      path: path?.startsWith("/") === true ? path : defaultPath(url.pathname),
      secure,
      name,
      value,
    },
    isExpired: isExpired(options, nowMs),
  };
}

function parseAttribute(text: string): [name: string, value: string] {
  const at = text.indexOf("=");
  if (at < 0) return [text.trim().toLowerCase(), ""];
  return [text.slice(0, at).trim().toLowerCase(), text.slice(at + 1).trim()];
}

/** RFC 6265 5.2.3 and 5.1.3; an address has no parent. */
function isDomainOf(host: string, attribute = ""): boolean {
  const domain = attribute.toLowerCase().replace(/^\./, "");
  return domain === "" || host === domain || (!IP_ADDRESS.test(host) && host.endsWith(`.${domain}`));
}

/** What the name itself promises to the site that will read it (RFC 6265bis 4.1.3). */
function keepsPrefix(name: string, options: ReadonlyMap<string, string>): boolean {
  const prefix = /^__(?:host|secure)-/i.exec(name)?.[0].toLowerCase();
  if (prefix === undefined) return true;
  return options.has("secure") && (prefix === "__secure-" || (options.get("path") === "/" && !options.has("domain")));
}

function isExpired(options: ReadonlyMap<string, string>, nowMs: number): boolean {
  const maxAge = options.get("max-age");
  if (maxAge !== undefined && /^-?\d+$/.test(maxAge)) return Number(maxAge) <= 0;
  const expires = options.get("expires");
  return expires !== undefined && Date.parse(expires) <= nowMs;
}

/** RFC 6265 5.1.4. */
function defaultPath(pathname: string): string {
  const last = pathname.lastIndexOf("/");
  return last <= 0 ? "/" : pathname.slice(0, last);
}

function isPathWithin(pathname: string, path: string): boolean {
  if (!pathname.startsWith(path)) return false;
  return pathname.length === path.length || path.endsWith("/") || pathname[path.length] === "/";
}
