import type { DetailedPeerCertificate, TLSSocket } from "node:tls";
import { parseUrl } from "../../parse-url.js";
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
const MAX_NAME_PART_CHARS = 200;

/**
 * Reads what the connection's peer presented. Never throws: `undefined` once the connection is gone, and for a
 * certificate that cannot be read.
 *
 * `getPeerX509Certificate` would be cheaper, but a client's call takes the certificate out of OpenSSL's list: the check
 * of the host that node makes afterwards would see the one above it.
 */
export function readPeerCertificate(socket: TLSSocket): PeerCertificate | undefined {
  try {
    const leaf = socket.getPeerCertificate(true);
    // Empty when there is none, whatever the type says.
    if (typeof leaf?.fingerprint256 !== "string") return undefined;
    const chain = chainOf(leaf);
    return {
      sha256: normalFingerprint(leaf.fingerprint256),
      lacksIntermediate: chain.length === 1 && offersIssuer(leaf),
      interceptor: interceptorOf(chain.flatMap(({ issuer }) => namesIn(issuer))),
    };
  } catch {
    return undefined;
  }
}

/** The certificates that were sent and those of ours that follow, from the server's own upwards; a root's issuer is itself. */
function chainOf(leaf: DetailedPeerCertificate): readonly DetailedPeerCertificate[] {
  const chain: DetailedPeerCertificate[] = [];
  let next: DetailedPeerCertificate | undefined = leaf;
  while (next !== undefined && chain.length < MAX_CHAIN_CERTIFICATES && !chain.includes(next)) {
    chain.push(next);
    next = next.issuerCertificate;
  }
  return chain;
}

/** The parts of a distinguished name; one that occurs twice is a list. */
function namesIn(name: object | undefined): readonly string[] {
  return Object.values(name ?? {})
    .flat()
    .filter((part) => typeof part === "string")
    .map((part) => part.slice(0, MAX_NAME_PART_CHARS));
}

/**
 * RFC 5280 4.2.2.1: an address on the public web where the issuer's certificate can be had. A private authority has
 * none, or one that only its own network can reach.
 */
function offersIssuer({ infoAccess }: DetailedPeerCertificate): boolean {
  return (infoAccess?.["CA Issuers - URI"] ?? []).some((address) => {
    const url = parseUrl(address);
    return url !== undefined && /^https?:$/.test(url.protocol) && refusedName(url.hostname) === undefined;
  });
}
