import { parseUrl } from "../../parse-url.js";
/** Absolute http(s) URLs of one document; everything else a link can be has no address for a reader. */
export interface LinkResolver {
  /** Undefined for other schemes, places on the same page and what is no URL. */
  resolve(href: string): string | undefined;
}

const PLAIN_ABSOLUTE = /^https?:\/\/[a-z0-9.-]+(?::\d+)?\/(?:[\w~%/?=&+,:;@!#-]|\.(?![./]))*$/;
const PLAIN_ROOTED = /^\/(?!\/)(?:[\w~%/?=&+,:;@!#-]|\.(?![./]))*$/;
const SCHEME = /^[a-z][a-z0-9+.-]*:/i;

export function createLinkResolver(pageUrl: string | undefined, baseHref: string | undefined): LinkResolver {
  const base = httpUrl(baseHref, pageUrl) ?? httpUrl(pageUrl, undefined);
  const page = httpUrl(pageUrl, undefined) ?? base;
  const pagePath = page === undefined ? "" : page.href.slice(0, page.href.length - page.hash.length);
  return {
    resolve(href) {
      const written = href.trim();
      if (written === "" || written.startsWith("#")) return undefined;
      if (PLAIN_ABSOLUTE.test(written)) return isSamePage(written, pagePath) ? undefined : written;
      if (base !== undefined && PLAIN_ROOTED.test(written)) {
        const absolute = base.origin + written;
        return isSamePage(absolute, pagePath) ? undefined : absolute;
      }
      if (base === undefined && !SCHEME.test(written)) return destination(written.replace(/\s/g, "%20"));
      const url = httpUrl(written, base?.href);
      return url === undefined || isSamePage(url.href, pagePath) ? undefined : destination(url.href);
    },
  };
}

function isSamePage(absolute: string, pagePath: string): boolean {
  return pagePath !== "" && absolute.charCodeAt(pagePath.length) === 0x23 && absolute.startsWith(pagePath);
}

function httpUrl(href: string | undefined, base: string | undefined): URL | undefined {
  const url = href === undefined ? undefined : parseUrl(href, base);
  return url?.protocol === "http:" || url?.protocol === "https:" ? url : undefined;
}

/** Parentheses may stand in a link's destination while they are balanced (CommonMark 0.31, 6.3). */
function destination(url: string): string {
  const safe = url.replace(/[<>\\]/g, (char) => encodeURIComponent(char));
  let depth = 0;
  for (const char of safe) {
    if (char === "(") depth += 1;
    else if (char === ")" && --depth < 0) break;
  }
  return depth === 0 ? safe : safe.replaceAll("(", "%28").replaceAll(")", "%29");
}
