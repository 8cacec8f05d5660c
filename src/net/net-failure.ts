import { ConfigError, FetchError, isPosternError, type PosternError } from "../errors.js";
import type { WireUsage } from "./exchange.js";

interface Failure {
  readonly code: "connect_failed" | "tls_failed" | "protocol_error";
  readonly words: string;
}

const connect = (words: string): Failure => ({ code: "connect_failed", words });
const tls = (words: string): Failure => ({ code: "tls_failed", words: `The server's certificate ${words}.` });
const protocol = (words: string): Failure => ({ code: "protocol_error", words });

const HANDSHAKE: Failure = { code: "tls_failed", words: "The secure connection could not be set up." };

/** What a system's, TLS' or undici's error code means, in our words. Their own messages hold addresses and names. */
const FAILURES: Readonly<Record<string, Failure>> = {
  ECONNREFUSED: connect("The server refused the connection."),
  ECONNRESET: connect("The server closed the connection."),
  EPIPE: connect("The server closed the connection."),
  ETIMEDOUT: connect("The server did not answer the connection."),
  EHOSTUNREACH: connect("The server cannot be reached."),
  ENETUNREACH: connect("The network cannot be reached."),
  EADDRNOTAVAIL: connect("The network cannot be reached."),
  UND_ERR_SOCKET: connect("The server closed the connection without an answer."),
  UND_ERR_DESTROYED: connect("The transport was closed."),
  UND_ERR_CLOSED: connect("The transport was closed."),

  CERT_HAS_EXPIRED: tls("has expired"),
  CERT_NOT_YET_VALID: tls("is not valid yet"),
  CERT_REVOKED: tls("was revoked"),
  CERT_UNTRUSTED: tls("is not trusted"),
  CERT_REJECTED: tls("is not trusted"),
  CERT_CHAIN_TOO_LONG: tls("has a chain that is too long"),
  CERT_SIGNATURE_FAILURE: tls("has a wrong signature"),
  INVALID_CA: tls("was issued by something that is no authority"),
  INVALID_PURPOSE: tls("was not issued for servers"),
  DEPTH_ZERO_SELF_SIGNED_CERT: tls("is signed by itself"),
  SELF_SIGNED_CERT_IN_CHAIN: tls("comes from an unknown authority"),
  UNABLE_TO_GET_ISSUER_CERT: tls("comes from an unknown authority"),
  UNABLE_TO_GET_ISSUER_CERT_LOCALLY: tls("comes from an unknown authority"),
  UNABLE_TO_VERIFY_LEAF_SIGNATURE: tls("comes without its chain"),
  ERR_TLS_CERT_ALTNAME_INVALID: tls("belongs to another host"),
  ERR_TLS_CERT_ALTNAME_FORMAT: tls("is malformed"),
  EPROTO: HANDSHAKE,

  UND_ERR_HEADERS_OVERFLOW: protocol("The answer's headers are larger than 32 KiB."),
  UND_ERR_RES_CONTENT_LENGTH_MISMATCH: protocol("The answer's length is not the one it declares."),
};

/**
 * Turns whatever a connection failed with into one of our errors; errors of ours pass as they are. The cause is kept
 * only when nothing is known of it: sockets' errors hold addresses, and the parser's the server's own bytes.
 */
export function netFailure(error: unknown): PosternError {
  if (isPosternError(error)) return error;
  const { code = "", name = "" } = error instanceof Error ? (error as NodeJS.ErrnoException) : {};
  if (code === "UND_ERR_INVALID_ARG") {
    return new ConfigError("invalid_argument", "A request header or the method holds characters HTTP does not allow.");
  }
  const known = knownFailure(code, name);
  if (known === undefined) return new FetchError("connect_failed", "The connection failed.", { cause: error });
  return new FetchError(known.code, known.words, code === "" ? {} : { details: { reason: code } });
}

/** The same FetchError, its details naming what was used until then; anything else passes as it is. */
export function withUsage(error: unknown, { requests, wireBytes }: Readonly<WireUsage>): unknown {
  if (!(error instanceof FetchError)) return error;
  const { code, message, hint, retryable, cause } = error;
  return new FetchError(code, message, {
    hint,
    retryable,
    cause,
    details: { ...error.details, requests, wireBytes },
  });
}

function knownFailure(code: string, name: string): Failure | undefined {
  if (Object.hasOwn(FAILURES, code)) return FAILURES[code];
  if (name === "HTTPParserError") return protocol("The server's answer is not valid HTTP/1.1.");
  if (code.startsWith("ERR_SSL_") || code.startsWith("ERR_TLS_")) return HANDSHAKE;
  return undefined;
}
