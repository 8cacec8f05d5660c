import type { FetchError } from "../../errors.js";
import type { ProxyOptions } from "./upstream.js";

/** What may be missing when a host was not reached: the proxy that the network wants, or names that only it knows. */
export function proxyAdvice(
  error: FetchError,
  { proxy, unusedProxy }: { readonly proxy?: ProxyOptions | undefined; readonly unusedProxy?: string | undefined },
): string | undefined {
  if (proxy === undefined) {
    return unusedProxy !== undefined && isUnreached(error)
      ? `${unusedProxy} is set and not used: POSTERN_PROXY=env, or \`proxy.url\` = \`env\`, uses it.`
      : undefined;
  }
  return error.code === "dns_failed" ? "If only the proxy can resolve names, set `proxy.dns` to `proxy`." : undefined;
}

function isUnreached({ code, details }: FetchError): boolean {
  if (code === "timeout") return details.stage === "dns" || details.stage === "connect";
  return code === "dns_failed" || code === "connect_failed";
}
