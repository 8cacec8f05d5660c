import * as tls from "node:tls";

/** One context for all connections: reading the root store costs more than a handshake. */
export function createSecureContext(ca: readonly string[]): tls.SecureContext {
  return tls.createSecureContext({
    minVersion: "TLSv1.2",
    ...(ca.length === 0 ? {} : { ca: [...defaultRoots(), ...ca] }),
  });
}

/** Naming authorities replaces node's own, so they are named too; from Node 22.15 on with NODE_EXTRA_CA_CERTS. */
function defaultRoots(): readonly string[] {
  const { getCACertificates } = tls as { getCACertificates?: (type: "default") => readonly string[] };
  return getCACertificates?.("default") ?? tls.rootCertificates;
}
