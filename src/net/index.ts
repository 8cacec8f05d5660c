/** The complete public surface of `postern/net`. */
export type { Exemption, NetworkExemption, OriginExemption } from "./exemptions.js";
export type { RouteAddress } from "./ip-address.js";
export { createJail, type Jail, type JailOptions, type Judgement, type Route } from "./jail.js";
export { createJailedFetch, type JailedFetch, type JailedFetchOptions } from "./jailed-fetch.js";
export type { NetEvent } from "./net-event.js";
export { proxiesFromEnvironment } from "./proxy/environment.js";
export type { ProxyOptions } from "./proxy/upstream.js";
export type { ResponseHeaders } from "./response-headers.js";
export { JAIL_RULES, type JailRule, type JailRuleText } from "./rules.js";
export type { TlsException } from "./tls/tls-exceptions.js";
export {
  createTransport,
  type Transport,
  type TransportOptions,
  type TransportRequest,
  type TransportResponse,
} from "./transport.js";
export type { CheckedUrl } from "./url-check.js";
