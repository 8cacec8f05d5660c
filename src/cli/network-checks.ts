import type { Config, Settings } from "../config/index.js";
import { createJail, createTransport } from "../net/index.js";
import { proxiesFor, proxyVariableIn } from "../net/proxy/environment.js";
import { parseProxyUrl } from "../net/proxy/proxy-url.js";
import { isCertificate, readCaFile } from "../net/tls/certificate-files.js";
import { indexTlsExceptions } from "../net/tls/tls-exceptions.js";
import { readTrust, type TrustSource } from "../net/tls/trust.js";
import { type Check, failed } from "./check.js";

export function jailCheck({ settings }: Config): Check {
  const { exemptions, ports, nat64Prefixes } = settings.jail;
  try {
    createJail({ exemptions, ports, nat64Prefixes });
  } catch (error) {
    return failed("jail", error);
  }
  const named = exemptions.map((each) => `${each.name} (${"origin" in each ? each.origin : each.network})`);
  return {
    name: "jail",
    status: "ok",
    detail: named.length === 0 ? "no exemptions" : `exemptions: ${named.join(", ")}`,
  };
}

/** Which proxy is used, and who resolves names; or that one is set and not used. */
export function proxyChecks({ settings }: Config): readonly Check[] {
  const name = "proxy";
  const { url, dns } = settings.proxy;
  const unused = proxyVariableIn(process.env);
  try {
    const options = proxiesFor(settings.proxy, process.env);
    if (options === undefined) {
      if (url === "env") return [{ name, status: "off", detail: "no variable names one" }];
      const remedy = "To use it: set `proxy.url` to `env`, or POSTERN_PROXY=env.";
      return unused === undefined
        ? [{ name, status: "off", detail: "none" }]
        : [{ name, status: "off", detail: `none; ${unused} is set and not used`, remedy }];
    }
    createTransport({ jail: createJail(), proxy: options });
    return (["http", "https"] as const).flatMap((scheme): readonly Check[] => {
      const proxy = options[scheme];
      if (proxy === undefined) return [{ name, status: "off", detail: `none for ${scheme}: URLs` }];
      const { label, resolvesNames } = parseProxyUrl(proxy);
      const names =
        resolvesNames || dns === "proxy"
          ? "names resolved by the proxy: addresses cannot be checked (delegated)"
          : "names resolved here: every address is checked";
      return [{ name, status: "ok", detail: `${scheme}: URLs through ${label}, ${names}` }];
    });
  } catch (error) {
    return [failed(name, error)];
  }
}

/** What is trusted, place by place: Node's own authorities, the system's, and those of the user. */
export function certificateChecks({ settings }: Config): readonly Check[] {
  const sources = readTrust({ env: process.env });
  const own = settings.jail.caFiles.map((path) => ownAuthorities(path));
  const places = [...sources, ...own.filter((place) => "certificates" in place)]
    .filter(({ certificates }) => certificates.length > 0)
    .map(({ name, path, certificates }) => `${name}${path === undefined ? "" : ` ${path}`} (${certificates.length})`);
  return [
    { name: "certificates", status: "ok", detail: places.join(", ") },
    ...sources.flatMap(wrongSource),
    ...own.filter((place) => "status" in place),
    ...tlsExceptions(settings),
  ];
}

function ownAuthorities(path: string): TrustSource | Check {
  try {
    return { name: "jail.caFiles", path, certificates: readCaFile("jail.caFiles", path) };
  } catch (error) {
    return failed("  jail.caFiles", error);
  }
}

function wrongSource(source: TrustSource): readonly Check[] {
  const damaged = source.certificates.filter((pem) => !isCertificate(pem)).length;
  const problem = source.problem ?? (damaged === 0 ? undefined : `holds ${damaged} damaged certificates`);
  if (problem === undefined) return [];
  const name = `  ${source.name}`;
  const detail = `${source.path ?? "the store"} ${problem}`;
  // A container without a store is common, and no mistake of the user's.
  return source.name === "system"
    ? [{ name, status: "off", detail, remedy: "Node.js' own authorities are trusted all the same." }]
    : [{ name, status: "wrong", detail, remedy: "Correct or unset it; what cannot be read is left out." }];
}

function tlsExceptions({ jail }: Settings): readonly Check[] {
  const name = "  exceptions";
  try {
    const pinned = [...indexTlsExceptions(jail.tlsExceptions).values()].map(
      ({ name, origin }) => `${name} (${origin})`,
    );
    return pinned.length === 0 ? [] : [{ name, status: "ok", detail: pinned.join(", ") }];
  } catch (error) {
    return [failed(name, error)];
  }
}
