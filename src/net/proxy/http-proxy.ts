import type { ResponseHeaders } from "../response-headers.js";
import { type ProxyFailureReason, proxyFailure } from "./proxy-failure.js";
import type { ProxyCredentials } from "./proxy-url.js";

/** RFC 7617, for a proxy (RFC 9110 11.7.2). */
export function proxyAuthorization(credentials: ProxyCredentials | undefined): Readonly<Record<string, string>> {
  if (credentials === undefined) return {};
  const pair = Buffer.from(`${credentials.username}:${credentials.password}`, "utf8").toString("base64");
  return { "proxy-authorization": `Basic ${pair}` };
}

/** RFC 9110 15.6.3 and 15.6.5, and what proxies use beside: the request was fine, the server behind is not there. */
const SERVER_UNREACHABLE: ReadonlySet<number> = new Set([500, 502, 503, 504]);

/** Why a proxy says no, by its status and, for 407, the kinds of authentication it names. */
export function refusalReason(
  status: number,
  proxyAuthenticate: readonly string[] | string | undefined,
): ProxyFailureReason {
  if (status === 407) {
    const schemes = [proxyAuthenticate ?? []].flat().join(", ");
    return schemes === "" || /\bbasic\b/i.test(schemes) ? "auth_required" : "auth_unsupported";
  }
  return SERVER_UNREACHABLE.has(status) ? "server_unreachable" : "refused";
}

/**
 * Throws when a forwarded request was answered by the proxy itself, as far as that can be told: 407 is nobody else's,
 * and `Proxy-Status` with an error (RFC 9209 2.3) or Squid's own field names the proxy.
 * @throws FetchError `proxy_failed`
 */
export function assertAnsweredByServer(status: number, headers: ResponseHeaders): void {
  const isProxyError =
    status === 407 || /;\s*error=/i.test(headers.get("proxy-status") ?? "") || headers.get("x-squid-error") !== null;
  if (!isProxyError) return;
  throw proxyFailure(refusalReason(status, headers.getAll("proxy-authenticate")), undefined, { status });
}
