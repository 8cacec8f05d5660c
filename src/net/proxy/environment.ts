import { parseProxyUrl } from "./proxy-url.js";
import type { ProxyOptions } from "./upstream.js";

type Environment = Readonly<Record<string, string | undefined>>;

/** The variables that name proxies, as curl reads them; programs write them in either case. */
export const PROXY_VARIABLES: readonly string[] = ["http_proxy", "https_proxy", "all_proxy", "no_proxy"].flatMap(
  (name) => [name, name.toUpperCase()],
);

/** The proxies of the setting `proxy`: none, those of the environment, or one for everything. */
export function proxiesFor(
  { url, bypass, dns }: { readonly url: string } & Required<Pick<ProxyOptions, "bypass" | "dns">>,
  env: Environment,
): ProxyOptions | undefined {
  if (url === "none") return undefined;
  const named = url === "env" ? proxiesFromEnvironment(env) : { http: url, https: url };
  return named && { ...named, bypass: [...(named.bypass ?? []), ...(bypass ?? [])], dns };
}

/** What the standard variables say; `undefined` when they name no proxy. */
export function proxiesFromEnvironment(env: Environment): ProxyOptions | undefined {
  const all = read(env, "all_proxy");
  // In a CGI program HTTP_PROXY is a request's `Proxy` header, which a stranger wrote (CVE-2016-5385).
  const http = env.REQUEST_METHOD === undefined ? read(env, "http_proxy") : env.http_proxy;
  const options = { http: http ?? all, https: read(env, "https_proxy") ?? all };
  if (options.http === undefined && options.https === undefined) return undefined;
  return { ...options, bypass: (read(env, "no_proxy") ?? "").split(/[\s,]+/) };
}

/** The variable that names a proxy, for whoever wonders why it is not used. */
export function proxyVariableIn(env: Environment): string | undefined {
  return PROXY_VARIABLES.find((name) => !/^no_proxy$/i.test(name) && (env[name] ?? "").trim() !== "");
}

/** The same proxies for a child process that dials by itself: every variable is set, so that none of ours shines through. */
export function proxyVariables(options: ProxyOptions | undefined): Readonly<Record<string, string>> {
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

/** The passwords among the proxies' URLs: secrets of the user's, as their keys are. */
export function proxyPasswords({ http, https }: ProxyOptions): readonly string[] {
  return [http, https].flatMap((url) => {
    const password = url === undefined ? "" : (parseProxyUrl(url).credentials?.password ?? "");
    return password === "" ? [] : [password];
  });
}

/** The lower-case spelling wins, as with curl; an empty one is not set. */
function read(env: Environment, name: string): string | undefined {
  return [env[name], env[name.toUpperCase()]].map((value) => value?.trim()).find((value) => (value ?? "") !== "");
}
