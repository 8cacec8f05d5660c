import { parseUrl } from "../parse-url.js";
import type { ProviderQuery } from "./provider.js";

/** A bare lower-case ASCII host of what a person may write for a site; `undefined` when it is none. */
export function siteHost(text: string): string | undefined {
  const bare = text
    .trim()
    .replace(/^https?:\/\//i, "")
    .replace(/^\*?\./, "")
    .replace(/\/$/, "");
  if (bare === "" || bare.length > 253 || /[\s/?#@:\\%*[\]]/.test(bare)) return undefined;
  // The URL parser turns international names into ASCII, and anything like a number into an IPv4 address.
  const host = parseUrl(`http://${bare}`)?.hostname.replace(/\.$/, "") ?? "";
  return /^(?!-)[a-z0-9_-]+(?:\.[a-z0-9_-]+)*$/.test(host) && !/(?:^|\.)\d+$/.test(host) ? host : undefined;
}

/** True when `host` is `site` or below it, whole labels only. */
export function isOnSite(host: string, site: string): boolean {
  return host === site || host.endsWith(`.${site}`);
}

/** The host of an address, or the package of a `docs:` one. */
function siteOf(address: string): string {
  const host = parseUrl(address)?.hostname.replace(/\.$/, "") ?? "";
  return host === "" ? (/^docs:(@?[^@/]+(?:\/[^@/]+)?)@/.exec(address)?.[1] ?? "") : host;
}

/** True when an address passes the query's site filters; a denied site wins over a wanted one. */
export function passesSites(
  address: string,
  { sites, excludeSites }: Pick<ProviderQuery, "sites" | "excludeSites">,
): boolean {
  if (sites.length === 0 && excludeSites.length === 0) return true;
  const host = siteOf(address);
  if (excludeSites.some((site) => isOnSite(host, site))) return false;
  return sites.length === 0 || sites.some((site) => isOnSite(host, site));
}
