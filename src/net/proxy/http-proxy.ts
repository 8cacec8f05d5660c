import type { ResponseHeaders } from "../response-headers.js";
import { type ProxyFailureReason, proxyFailure } from "./proxy-failure.js";
import type { ProxyCredentials } from "./proxy-url.js";

/** RFC 7617, for a proxy (RFC 9110 11.7.2). */
export function proxyAuthorization(credentials: ProxyCredentials | undefined): Readonly<Record<string, string>> {
  if (credentials === undefined) return {};
  const pair = Buffer.from(`${credentials.username}:${credentials.password}`, "utf8").toString("base64");
  return { "proxy-authorization": `Basic ${pair}` };
}

/** RFC 9110 15, and what proxies use beside: in the 500s the request was fine, and the server behind is not there. */
const REFUSALS: Readonly<Record<number, ProxyFailureReason>> = {
  301: "portal",
  302: "portal",
  303: "portal",
  307: "portal",
  429: "busy",
  500: "server_unreachable",
  502: "server_unreachable",
  503: "server_unreachable",
  504: "server_unreachable",
  511: "portal",
};

/** Why a proxy says no, by its status and, for 401 and 407, the kinds of authentication it names. */
export function refusalReason(
  status: number,
  authenticate: readonly string[] | string | undefined,
  credentials: ProxyCredentials | undefined,
): ProxyFailureReason {
  if (status === 401 || status === 407) {
    const schemes = [authenticate ?? []].flat().join(", ");
    if (schemes !== "" && !/\bbasic\b/i.test(schemes)) return "auth_unsupported";
    return credentials === undefined ? "auth_required" : "auth_refused";
  }
  return REFUSALS[status] ?? "refused";
}

/**
 * Throws when a forwarded request was answered by the proxy itself, as far as that can be told: 407 is nobody else's,
 * and `Proxy-Status` with an error (RFC 9209 2.3) or Squid's own field names the proxy.
 * @throws FetchError `proxy_failed`
 */
export function assertAnsweredByServer(
  status: number,
  headers: ResponseHeaders,
  credentials: ProxyCredentials | undefined,
): void {
  const isProxyError =
    status === 407 || /;\s*error=/i.test(headers.get("proxy-status") ?? "") || headers.get("x-squid-error") !== null;
  if (!isProxyError) return;
  throw proxyFailure(refusalReason(status, headers.getAll("proxy-authenticate"), credentials), undefined, { status });
}
