import type { Hop } from "../types.js";
import { isInAnyRange } from "./ip-range.js";
import { LOOPBACK_RANGES } from "./ip-ranges.js";
import type { Route } from "./jail.js";
import type { UpstreamProxy } from "./proxy/upstream.js";
import type { CheckedUrl } from "./url-check.js";

/** How one request reaches its host. */
export interface Way {
  /** The checked addresses; none where the proxy resolves the name. */
  readonly route: Route;
  readonly proxy: UpstreamProxy | undefined;
  /** Somebody else chooses the address: the proxy that resolves the name, or a fake-IP proxy behind the answers. */
  readonly isDelegated: boolean;
  /**
   * The proxy gets the request itself and not a tunnel (RFC 9112 3.2.2): what every HTTP proxy offers for `http:`, and
   * only by name, since it must put the name it was given into `Host`.
   */
  readonly isForwarded: boolean;
}

/** A way through a proxy, as a type. */
export function isProxied(way: Way): way is Way & { readonly proxy: UpstreamProxy } {
  return way.proxy !== undefined;
}

/** This machine's own servers are not the proxy's: a route that leads to loopback is dialled, whatever the URL's host. */
export function wayTo(url: CheckedUrl, route: Route, chosen: UpstreamProxy | undefined): Way {
  const isLocal = chosen !== undefined && route.addresses.some((address) => isInAnyRange(address, LOOPBACK_RANGES));
  const proxy = isLocal ? undefined : chosen;
  const isNamed = delegates(url, proxy);
  return {
    route,
    proxy,
    isDelegated: isNamed || route.exemption !== undefined,
    isForwarded: isNamed && !url.secure && proxy?.protocol !== "socks5",
  };
}

/** True when nothing is looked up here: a literal address needs no look-up, and is checked, whoever dials it. */
export function delegates(url: CheckedUrl, proxy: UpstreamProxy | undefined): boolean {
  return proxy?.resolvesNames === true && url.literal === undefined;
}

/** The weakest guarantee that held on the way. */
export function viaOf(url: CheckedUrl, way: Way): Hop["via"] {
  if (way.isDelegated) return "delegated";
  if (url.exemption !== undefined) return "exemption";
  return way.proxy === undefined ? "direct" : "proxy";
}

/**
 * What a warm connection is found by: whoever has the same way may use it. Resolvers rotate answers; the set stays. An
 * address in another spelling merely gets a connection of its own.
 */
export function wayKey(url: CheckedUrl, { route: { addresses }, proxy }: Way): string {
  const texts = addresses.map(({ text }) => text);
  return `${url.origin} ${proxy?.label ?? ""} ${texts.sort().join(" ")}`;
}
