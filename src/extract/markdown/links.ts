import { parseUrl } from "../../parse-url.js";

/** Absolute addresses of one document's links (RFC 3986, section 5). */
export interface LinkResolver {
  /** An http(s), `mailto:` or `tel:` address; undefined for other schemes and for what is no URL. */
  resolve(href: string): string | undefined;
  /** True for an address that `resolve` gave when it is a place on the page itself. */
  isSamePage(address: string): boolean;
}

const PLAIN_ABSOLUTE = /^https?:\/\/[a-z0-9.-]+(?::\d+)?\/(?:[\w~%/?=&+,:@!#-]|\.(?![./]))*$/;
const PLAIN_ROOTED = /^\/(?!\/)(?:[\w~%/?=&+,:@!#-]|\.(?![./]))*$/;
const PLAIN_FRAGMENT = /^#[\w~%/?=&+,:@!.-]+$/;
const SCHEME = /^[a-z][a-z0-9+.-]*:/i;
/** Without the fields that a link may fill in, such as a subject and a text (RFC 6068). */
const MAIL = /^mailto:([\w.!#$%&'*+/=^`{|}~-]{1,64}@[\w.-]{1,255})(?:\?|$)/i;
const TELEPHONE = /^tel:([+\d().\s-]{3,40})$/i;

export function createLinkResolver(pageUrl: string | undefined, baseHref: string | undefined): LinkResolver {
  const base = httpUrl(baseHref, pageUrl) ?? httpUrl(pageUrl, undefined);
  const page = httpUrl(pageUrl, undefined) ?? base;
  const basePath = base === undefined ? "" : destination(base.href.slice(0, base.href.length - base.hash.length));
  const pagePath = page === undefined ? "" : page.href.slice(0, page.href.length - page.hash.length);
  return {
    resolve(href) {
      const written = href.trim();
      if (written === "") return undefined;
      if (PLAIN_ABSOLUTE.test(written)) return written;
      if (base !== undefined && PLAIN_ROOTED.test(written)) return base.origin + written;
      if (base !== undefined && PLAIN_FRAGMENT.test(written)) return basePath + written;
      // `#` alone is how scripts write buttons.
      if (written === "#" || (base === undefined && written.startsWith("#"))) return undefined;
      if (base === undefined && !SCHEME.test(written)) return destination(written.replace(/\s/g, "%20"));
      const url = httpUrl(written, base?.href);
      return url === undefined ? contact(written) : destination(url.href);
    },
    isSamePage(address) {
      return pagePath !== "" && address.charCodeAt(pagePath.length) === 0x23 && address.startsWith(pagePath);
    },
  };
}

function httpUrl(href: string | undefined, base: string | undefined): URL | undefined {
  const url = href === undefined ? undefined : parseUrl(href, base);
  return url?.protocol === "http:" || url?.protocol === "https:" ? url : undefined;
}

/** Where to write or to call, without what would be said there. */
function contact(href: string): string | undefined {
  const mail = MAIL.exec(href)?.[1];
  if (mail !== undefined) return destination(`mailto:${mail}`);
  const number = TELEPHONE.exec(href)?.[1]?.replace(/\s/g, "");
  return number === undefined ? undefined : destination(`tel:${number}`);
}

/**
 * Parentheses may stand in a link's destination while they are balanced (CommonMark 0.31, 6.3); character references are
 * read in it, and backticks would begin a code span before it is one.
 */
function destination(url: string): string {
  const safe = url.replace(/[<>\\`]/g, (char) => encodeURIComponent(char)).replace(/&(?=#?\w+;)/g, "&amp;");
  let depth = 0;
  for (const char of safe) {
    if (char === "(") depth += 1;
    else if (char === ")" && --depth < 0) break;
  }
  return depth === 0 ? safe : safe.replaceAll("(", "%28").replaceAll(")", "%29");
}
