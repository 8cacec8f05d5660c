import { parseUrl } from "../parse-url.js";

interface Wrapper {
  readonly host: RegExp;
  readonly path: RegExp;
  readonly target: (url: URL) => string | null | undefined;
}

/** Click counters of search engines: what stands behind them is the result. */
const WRAPPERS: readonly Wrapper[] = [
  { host: /^(?:.+\.)?duckduckgo\.com$/, path: /^\/l\/?$/, target: (url) => url.searchParams.get("uddg") },
  {
    host: /^(?:www\.)?google\.[a-z]{2,3}(?:\.[a-z]{2})?$/,
    path: /^\/url$/,
    target: (url) => url.searchParams.get("q") ?? url.searchParams.get("url"),
  },

  {
    host: /^(?:.+\.)?bing\.com$/,
    path: /^\/ck\/a$/,
    target: (url) => base64UrlDecoded(/^a1([\w-]{8,})$/.exec(url.searchParams.get("u") ?? "")?.[1]),
  },
  // A path segment: `/RU=https%3a%2f%2f…/RK=…`.
  {
    host: /^r\.search\.yahoo\.com$/,
    path: /\/RU=/,
    target: (url) => percentDecoded(/\/RU=([^/]+)/.exec(url.pathname)?.[1]),
  },
];

/** Bing writes `a1` and then the address in base64url. */
const base64UrlDecoded = (text: string | undefined): string | undefined =>
  text === undefined ? undefined : Buffer.from(text, "base64url").toString("utf8");

function percentDecoded(text: string | undefined): string | undefined {
  try {
    return text === undefined ? undefined : decodeURIComponent(text);
  } catch {
    return undefined;
  }
}

/** The http(s) address inside an engine's click counter, one layer; `undefined` for any other URL. */
export function unwrapRedirect(url: URL): string | undefined {
  const wrapper = WRAPPERS.find(({ host, path }) => host.test(url.hostname) && path.test(url.pathname));
  const target = wrapper?.target(url) ?? "";
  return /^https?:\/\//i.test(target) && parseUrl(target) !== undefined ? target : undefined;
}
