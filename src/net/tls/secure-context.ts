import { createSecureContext as createContext, type SecureContext } from "node:tls";
import { readTrust, type TrustOptions, trustedCertificates } from "./trust.js";

/**
 * One context for all connections: to read and parse what is trusted costs more than a handshake. All is named, since
 * naming any authority makes node drop its own.
 */
export function createSecureContext(options: TrustOptions): SecureContext {
  return createContext({ minVersion: "TLSv1.2", ca: [...trustedCertificates(readTrust(options))] });
}
