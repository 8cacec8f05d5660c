import { type Environment, proxiesFromEnvironment } from "./environment.js";
import { parseProxyUrl } from "./proxy-url.js";
import type { ProxyOptions } from "./upstream.js";

/** The setting `proxy`. */
export interface ProxySetting {
  /** `none`, `env`, or a proxy's URL. */
  readonly url: string;
  readonly bypass: readonly string[];
  readonly dns: "local" | "proxy";
}

/** The proxies that the setting means: none, those of the environment, or one for everything. */
export function proxiesFor({ url, bypass, dns }: ProxySetting, env: Environment): ProxyOptions | undefined {
  if (url === "none") return undefined;
  const named = url === "env" ? proxiesFromEnvironment(env) : { http: url, https: url };
  return named && { ...named, bypass: [...(named.bypass ?? []), ...bypass], dns };
}

/** The passwords among the proxies' URLs: secrets of the user's, as their keys are. */
export function proxyPasswords({ http, https }: ProxyOptions): readonly string[] {
  return [http, https].flatMap((url) => {
    const password = url === undefined ? "" : (parseProxyUrl(url).credentials?.password ?? "");
    return password === "" ? [] : [password];
  });
}
