import { delimiter } from "node:path";
import { rootCertificates } from "node:tls";
import {
  type CertificatesRead,
  certificateKey,
  readCertificateFile,
  readCertificateFolder,
} from "./certificate-files.js";
import { TRUST_VARIABLES, type TrustVariable } from "./environment.js";
import { readSystemStore } from "./system-store.js";

/** What is trusted beside Node's own authorities and the system's. */
export interface TrustOptions {
  /** PEM certificates. */
  readonly ca?: readonly string[] | undefined;
  /** Where `NODE_EXTRA_CA_CERTS`, `SSL_CERT_FILE` and `SSL_CERT_DIR` are read. Default `process.env`. */
  readonly env?: Readonly<Record<string, string | undefined>> | undefined;
}

/** Who says that certificates are to be trusted: Node, the system, `TrustOptions.ca`, a variable, or the setting. */
export type TrustSourceName = "Node.js" | "system" | "options" | TrustVariable | "jail.caFiles";

/** Where trusted certificates come from. */
export interface TrustSource {
  readonly name: TrustSourceName;
  readonly path?: string;
  /** PEM. One that cannot be parsed is passed over by OpenSSL. */
  readonly certificates: readonly string[];
  /** Why there are none, in words that go on after the path. */
  readonly problem?: string;
}

type NamedFile = CertificatesRead & { readonly path: string };

const MAX_FOLDERS = 10;
const readOne = (path: string): readonly NamedFile[] => [{ ...readCertificateFile(path), path }];

/** What each variable's value means. All add; none takes the place of what is trusted anyway. */
const READERS: Readonly<Record<TrustVariable, (value: string) => readonly NamedFile[]>> = {
  // Node reads this one by itself, but only as long as nobody names an authority.
  NODE_EXTRA_CA_CERTS: readOne,
  SSL_CERT_FILE: readOne,
  SSL_CERT_DIR: (value) => {
    const paths = value.split(delimiter).filter((path) => path !== "");
    return paths.slice(0, MAX_FOLDERS).map((path) => ({ ...readCertificateFolder(path), path }));
  },
};

/**
 * Reads everything that is trusted, from every place anew. What a variable names and cannot be read is left out and
 * said in `problem`: a wrong path must not end requests that do not need it.
 */
export function readTrust({ ca = [], env = process.env }: TrustOptions): readonly TrustSource[] {
  const named = TRUST_VARIABLES.flatMap((name) => {
    const value = env[name] ?? "";
    return value === "" ? [] : READERS[name](value).map((file): TrustSource => ({ name, ...file }));
  });
  const given: readonly TrustSource[] = ca.length === 0 ? [] : [{ name: "options", certificates: ca }];
  return [
    { name: "Node.js", certificates: rootCertificates },
    { name: "system", ...readSystemStore() },
    ...named,
    ...given,
  ];
}

/** Every certificate of these sources, each once. */
export function trustedCertificates(sources: readonly TrustSource[]): readonly string[] {
  const all = sources.flatMap(({ certificates }) => certificates);
  return [...new Map(all.map((pem) => [certificateKey(pem), pem])).values()];
}
