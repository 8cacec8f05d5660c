import { ConfigError } from "../../errors.js";
import { createJail, type Jail, type Route } from "../jail.js";
import type { Resolver } from "../resolve.js";
import type { CheckedUrl } from "../url-check.js";
import { authorityOf } from "../url-parts.js";
import { createBypass } from "./bypass.js";
import { proxyFailure } from "./proxy-failure.js";
import { type ProxyAddress, parseProxyUrl } from "./proxy-url.js";

/** The proxies that the user named. */
export interface ProxyOptions {
  /** For `http:` URLs: `http://`, `https://`, `socks5://` or `socks5h://`, with `user:password@` where it wants them. */
  readonly http?: string | undefined;
  /** For `https:` URLs. */
  readonly https?: string | undefined;
  /** Hosts that are asked directly, as in `NO_PROXY`. Loopback always is. */
  readonly bypass?: readonly string[] | undefined;
  /**
   * Who resolves names. `local` (default): here, so that every address is checked and the proxy is asked for that
   * address. `proxy`: the proxy, for networks where only it can; its choice of address cannot be checked, and hops say
   * `delegated`.
   */
  readonly dns?: "local" | "proxy" | undefined;
  /** For the proxy's own name. Default: the system's resolver. */
  readonly resolve?: Resolver | undefined;
}

/** A proxy that requests go through. */
export interface UpstreamProxy extends ProxyAddress {
  /**
   * Looks up the proxy's own addresses. The user named it, so it may be private; link-local and metadata addresses stay
   * out of reach.
   * @throws FetchError `proxy_failed`
   */
  route(signal: AbortSignal): Promise<Route>;
}

/** Which proxy a URL is asked through, if any. */
export type ProxyRules = (url: CheckedUrl) => UpstreamProxy | undefined;

/** The proxies of the options, by the scheme of the URLs they serve. */
export interface Upstreams {
  readonly http: UpstreamProxy | undefined;
  readonly https: UpstreamProxy | undefined;
}

/** @throws ConfigError for a URL that cannot be read, or an address that nothing may reach */
export function createUpstreams(options: ProxyOptions): Upstreams {
  assertProxyOptions(options);
  const { http, https, dns = "local", resolve } = options;
  const upstreamOf = (url: string | undefined): UpstreamProxy | undefined =>
    url === undefined ? undefined : createUpstream(parseProxyUrl(url), dns === "proxy", resolve);
  const forHttp = upstreamOf(http);
  return { http: forHttp, https: https === http ? forHttp : upstreamOf(https) };
}

/** @throws ConfigError for a URL or an entry that cannot be read */
export function createProxyRules(options: ProxyOptions | undefined): ProxyRules {
  if (options === undefined) return () => undefined;
  const upstreams = createUpstreams(options);
  const isBypassed = createBypass(options.bypass ?? []);
  return (url) => (isBypassed(url) ? undefined : upstreams[url.secure ? "https" : "http"]);
}

type Check = (value: unknown) => boolean;
const isText: Check = (value) => typeof value === "string";

/** Programs without types write options wrongly too, and a proxy that is not read would be a request that goes around it. */
const OPTIONS: Readonly<Record<keyof ProxyOptions, Check>> = {
  http: isText,
  https: isText,
  bypass: (value) => Array.isArray(value) && value.every(isText),
  dns: (value) => value === "local" || value === "proxy",
  resolve: (value) => typeof value === "function",
};

function assertProxyOptions(options: ProxyOptions): void {
  const isRecord = typeof options === "object" && options !== null;
  const wrong = Object.entries(isRecord ? options : {}).find(
    ([name, value]) =>
      value !== undefined && !(Object.hasOwn(OPTIONS, name) && OPTIONS[name as keyof ProxyOptions](value)),
  );
  if (isRecord && wrong === undefined) return;
  throw new ConfigError(
    "invalid_configuration",
    `The proxy options are not valid${wrong === undefined ? "" : `: \`${wrong[0]}\``}.`,
    {
      hint: "They are `http` and `https` (URLs of proxies), `bypass` (a list of hosts), `dns` (`local` or `proxy`) and `resolve`.",
    },
  );
}

function createUpstream(address: ProxyAddress, isDelegated: boolean, resolve: Resolver | undefined): UpstreamProxy {
  const { origin } = new URL(`http://${authorityOf(address.host, address.port)}`);
  const jail = jailOf(origin, resolve);
  const endpoint = jail.checkUrl(origin);
  return {
    ...address,
    resolvesNames: address.resolvesNames || isDelegated,
    async route(signal) {
      try {
        return await jail.resolve(endpoint, signal);
      } catch (error) {
        signal.throwIfAborted();
        throw proxyFailure("not_resolved", error);
      }
    },
  };
}

function jailOf(origin: string, resolve: Resolver | undefined): Jail {
  try {
    return createJail({ exemptions: [{ origin, name: "proxy" }], resolve });
  } catch (cause) {
    throw new ConfigError("invalid_configuration", "The proxy's address or port is one that is never opened.", {
      hint: "A proxy cannot be a link-local or metadata address, or stand on another protocol's port.",
      cause,
    });
  }
}
