import type { Config, Settings } from "../config/index.js";
import { createJail } from "../net/index.js";
import { createBypass } from "../net/proxy/bypass.js";
import { variableNamingProxy } from "../net/proxy/environment.js";
import { proxiesFor } from "../net/proxy/proxy-setting.js";
import { createUpstreams, type UpstreamProxy } from "../net/proxy/upstream.js";
import { CA_FILE_REMEDY, isCertificate, readCertificateFile } from "../net/tls/certificate-files.js";
import { indexTlsExceptions } from "../net/tls/tls-exceptions.js";
import { readTrust, type TrustSource, type TrustSourceName } from "../net/tls/trust.js";
import { type Check, failed } from "./check.js";

export function jailCheck({ settings }: Config): Check {
  const { exemptions, ports, deny, nat64Prefixes } = settings.jail;
  try {
    createJail({ exemptions, ports, deny, nat64Prefixes });
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

/** Which proxies are used, and who resolves names; or that one is set and not used. */
export function proxyChecks({ settings }: Config): readonly Check[] {
  try {
    const options = proxiesFor(settings.proxy, process.env);
    if (options === undefined) return [noProxy(settings)];
    createBypass(options.bypass ?? []);
    const { http, https } = createUpstreams(options);
    const bypass = (options.bypass ?? []).filter((entry) => entry !== "");
    return [
      ...(http?.label === https?.label
        ? [proxyOf("http: and https:", http)]
        : [proxyOf("http:", http), proxyOf("https:", https)]),
      ...(bypass.length === 0 ? [] : [{ name: "  without it", status: "ok", detail: bypass.join(", ") } as const]),
    ];
  } catch (error) {
    return [failed("proxy", error)];
  }
}

function noProxy({ proxy }: Settings): Check {
  const none = { name: "proxy", status: "off" } as const;
  if (proxy.url === "env") return { ...none, detail: "no variable names one" };
  const unused = variableNamingProxy(process.env);
  if (unused === undefined) return { ...none, detail: "none" };
  const remedy = "To use it: set `proxy.url` to `env`, or POSTERN_PROXY=env.";
  return { ...none, detail: `none; ${unused} is set and not used`, remedy };
}

function proxyOf(schemes: string, proxy: UpstreamProxy | undefined): Check {
  if (proxy === undefined) return { name: "proxy", status: "off", detail: `none for ${schemes} URLs` };
  const through = `${schemes} URLs through ${proxy.label}${proxy.credentials === undefined ? "" : " with a password"} (not tried)`;
  if (!proxy.resolvesNames) {
    return { name: "proxy", status: "ok", detail: `${through}, names resolved here: every address is checked` };
  }
  return {
    name: "proxy",
    status: "ok",
    detail: `${through}, names resolved by the proxy: addresses cannot be checked (delegated)`,
    remedy: "Names inside its network are reached too; `policy.deny` refuses those it has.",
  };
}

/** What is trusted, place by place: Node's own authorities, the system's, and those of the user. */
export function certificateChecks({ settings }: Config): readonly Check[] {
  const own = settings.jail.caFiles.map(
    (path): TrustSource => ({ name: "jail.caFiles", path, ...readCertificateFile(path) }),
  );
  const sources = [...readTrust({ env: process.env }), ...own];
  const places = sources
    .filter(({ certificates }) => certificates.length > 0)
    .map(({ name, path, certificates }) => `${name}${path === undefined ? "" : ` ${path}`} (${certificates.length})`);
  return [
    { name: "certificates", status: "ok", detail: places.join(", ") },
    ...sources.flatMap(wrongSource),
    ...tlsExceptions(settings),
  ];
}

type Verdict = Pick<Check, "status" | "remedy">;

const LEFT_OUT: Verdict = { status: "wrong", remedy: "Correct or unset it; what cannot be read is left out." };
const VERDICTS: Readonly<Partial<Record<TrustSourceName, Verdict>>> = {
  // A container without a store is common, and no mistake of the user's.
  system: { status: "off", remedy: "Node.js' own authorities are trusted all the same." },
  "jail.caFiles": { status: "wrong", remedy: CA_FILE_REMEDY },
};

function wrongSource({ name, path = "the store", certificates, problem }: TrustSource): readonly Check[] {
  const damaged = certificates.filter((pem) => !isCertificate(pem)).length;
  const wrong = problem ?? (damaged === 0 ? undefined : `holds certificates that are damaged: ${damaged}`);
  if (wrong === undefined) return [];
  return [{ name: `  ${name}`, detail: `${path} ${wrong}`, ...(VERDICTS[name] ?? LEFT_OUT) }];
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
