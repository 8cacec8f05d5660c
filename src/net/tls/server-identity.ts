import { X509Certificate } from "node:crypto";
import { isIP } from "node:net";
import { checkServerIdentity, type PeerCertificate } from "node:tls";

/**
 * Node's own check of the host against its certificate (RFC 9110 4.3.4). Where that finds no match for an IPv6 address,
 * which some releases of node 22 and 24 never do (nodejs/node#64144), OpenSSL is asked for this very address.
 */
export function checkIdentity(host: string, certificate: PeerCertificate): Error | undefined {
  const mismatch = checkServerIdentity(host, certificate);
  if (mismatch === undefined || isIP(host) !== 6) return mismatch;
  return new X509Certificate(certificate.raw).checkIP(host) === undefined ? mismatch : undefined;
}
