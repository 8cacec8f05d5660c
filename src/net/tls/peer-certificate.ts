import type { X509Certificate } from "node:crypto";
import { refusedName } from "../host-names.js";
import { interceptorOf } from "./interceptors.js";
import { normalFingerprint } from "./tls-exceptions.js";

/** What is told of a peer's certificate: never a word that the peer wrote. */
export interface PeerCertificate {
  /** SHA-256 of the certificate in DER, 64 lower-case hexadecimal digits. */
  readonly sha256: string;
  /** The server sent this certificate and none of those above it, although a public authority offers them. */
  readonly lacksIntermediate: boolean;
  /** The intercepting product that issued it. */
  readonly interceptor: string | undefined;
}

/** Longer chains are made only to be followed, and longer names only to be read. */
const MAX_CHAIN_CERTIFICATES = 10;
const MAX_NAME_CHARS = 1_000;

export function describeCertificate(leaf: X509Certificate): PeerCertificate {
  const chain = chainOf(leaf);
  return {
    sha256: normalFingerprint(leaf.fingerprint256),
    lacksIntermediate: chain.length === 1 && offersIssuer(leaf),
    interceptor: interceptorOf(chain.map(({ issuer = "" }) => issuer.slice(0, MAX_NAME_CHARS))),
  };
}

/** The certificates that were sent, from the server's own upwards. */
function chainOf(leaf: X509Certificate): readonly X509Certificate[] {
  const chain: X509Certificate[] = [];
  let next: X509Certificate | undefined = leaf;
  while (next !== undefined && chain.length < MAX_CHAIN_CERTIFICATES) {
    chain.push(next);
    next = next.issuerCertificate;
  }
  return chain;
}

/**
 * RFC 5280 4.2.2.1: an address on the public web where the issuer's certificate can be had. A private authority has
 * none, or one that only its own network can reach.
 */
function offersIssuer({ infoAccess }: X509Certificate): boolean {
  const addresses = (infoAccess ?? "").matchAll(/^CA Issuers - URI:(https?:\S{1,2000})$/gm);
  return [...addresses].some(([, address = ""]) => {
    return URL.canParse(address) && refusedName(new URL(address).hostname) === undefined;
  });
}
