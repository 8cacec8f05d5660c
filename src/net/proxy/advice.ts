import type { FetchError } from "../../errors.js";
import type { ProxyOptions } from "./upstream.js";

/** Of a transport: which proxies there are, and which one the environment names in vain. */
interface ProxySituation {
  readonly proxy?: ProxyOptions | undefined;
  readonly unusedProxy?: string | undefined;
}

const BY_NAME = "`proxy.dns` = `proxy` (POSTERN_PROXY_DNS=proxy)";

/** What may be missing when a host was not reached: the proxy that the network wants, or what only it can do. */
export function proxyAdvice(error: FetchError, href: string, situation: ProxySituation): string | undefined {
  const { proxy, unusedProxy } = situation;
  if (proxy === undefined) {
    return unusedProxy !== undefined && isUnreached(error)
      ? `${unusedProxy} is set and not used: POSTERN_PROXY=env, or \`proxy.url\` = \`env\`, uses it.`
      : undefined;
  }
  const isHttp = /^http:/i.test(href);
  const url = isHttp ? proxy.http : proxy.https;
  if (url === undefined || proxy.dns === "proxy" || /^socks5h:/i.test(url)) return undefined;
  const { code, details } = error;
  if (code === "dns_failed") return `If only the proxy can resolve names, set ${BY_NAME}.`;
  if (code === "proxy_failed" && (details.reason === "refused" || details.reason === "server_unreachable")) {
    return `If it wants host names rather than addresses, set ${BY_NAME}.`;
  }
  return code === "connect_failed" && isHttp
    ? `Many proxies tunnel to port 443 alone: ${BY_NAME} sends http: requests without a tunnel.`
    : undefined;
}

function isUnreached({ code, details }: FetchError): boolean {
  if (code === "timeout") return details.stage === "dns" || details.stage === "connect";
  return code === "dns_failed" || code === "connect_failed";
}
