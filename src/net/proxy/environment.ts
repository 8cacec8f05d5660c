import type { ProxyOptions } from "./upstream.js";

export type Environment = Readonly<Record<string, string | undefined>>;

/** The variables that name proxies, as curl reads them; programs write them in either case. */
export const PROXY_VARIABLES: readonly string[] = ["http_proxy", "https_proxy", "all_proxy", "no_proxy"].flatMap(
  (name) => [name, name.toUpperCase()],
);

/** All that decides what the standard variables say. */
export const PROXY_INPUTS: readonly string[] = [...PROXY_VARIABLES, "REQUEST_METHOD"];

/** What the standard variables say; `undefined` when they name no proxy. */
export function proxiesFromEnvironment(env: Environment): ProxyOptions | undefined {
  const all = read(env, "all_proxy");
  // In a CGI program HTTP_PROXY is a request's `Proxy` header, which a stranger wrote (CVE-2016-5385).
  const http = read(env.REQUEST_METHOD === undefined ? env : { ...env, HTTP_PROXY: undefined }, "http_proxy");
  const options = { http: http ?? all, https: read(env, "https_proxy") ?? all };
  if (options.http === undefined && options.https === undefined) return undefined;
  return { ...options, bypass: (read(env, "no_proxy") ?? "").split(/[\s,]+/) };
}

/** The variable that names a proxy, for whoever wonders why it is not used. */
export function variableNamingProxy(env: Environment): string | undefined {
  return PROXY_VARIABLES.find((name) => !/^no_proxy$/i.test(name) && (env[name] ?? "").trim() !== "");
}

/** The same proxies for a child process that dials by itself: every variable is set, so that none of ours shines through. */
export function childProxyEnvironment(options: ProxyOptions | undefined): Readonly<Record<string, string>> {
  const { http = "", https = "", bypass = [], dns } = options ?? {};
  const named = (url: string): string => (dns === "proxy" ? url.replace(/^socks5?:/i, "socks5h:") : url);
  const values: Readonly<Record<string, string>> = {
    http_proxy: named(http),
    https_proxy: named(https),
    all_proxy: named(http === https ? https : ""),
    no_proxy: bypass.join(","),
  };
  return Object.fromEntries(PROXY_VARIABLES.map((name) => [name, values[name.toLowerCase()] ?? ""]));
}

/** The lower-case spelling wins, as with curl; an empty one is not set. */
function read(env: Environment, name: string): string | undefined {
  return [env[name], env[name.toUpperCase()]].map((value) => value?.trim()).find((value) => (value ?? "") !== "");
}
