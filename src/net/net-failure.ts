import { ConfigError, FetchError, isPosternError, type PosternError } from "../errors.js";
import { MAX_HEADER_BYTES } from "./limits.js";
import { tlsReasonOf, tlsRefusal } from "./tls/tls-failure.js";

interface Failure {
  readonly code: "connect_failed" | "protocol_error";
  readonly words: string;
}

const connect = (words: string): Failure => ({ code: "connect_failed", words });
const protocol = (words: string): Failure => ({ code: "protocol_error", words });

/** What a system's or undici's error code means, in our words. Their own messages hold addresses and names. */
const FAILURES: Readonly<Record<string, Failure>> = {
  ECONNREFUSED: connect("The server refused the connection."),
  ECONNRESET: connect("The server closed the connection."),
  EPIPE: connect("The server closed the connection."),
  ERR_SSL_UNEXPECTED_EOF_WHILE_READING: connect("The server closed the connection."),
  ETIMEDOUT: connect("The server did not answer the connection."),
  EHOSTUNREACH: connect("The server cannot be reached."),
  ENETUNREACH: connect("The network cannot be reached."),
  EADDRNOTAVAIL: connect("The network cannot be reached."),
  EACCES: connect("This machine's own rules forbid the connection."),
  EPERM: connect("This machine's own rules forbid the connection."),
  EINVAL: connect("The network cannot be reached."),
  ENETDOWN: connect("The network cannot be reached."),
  EHOSTDOWN: connect("The server cannot be reached."),
  EADDRINUSE: connect("This machine has no port left for the connection."),
  EMFILE: connect("This machine has no socket left for the connection."),
  ENFILE: connect("This machine has no socket left for the connection."),
  ENOBUFS: connect("This machine has no memory left for the connection."),
  UND_ERR_SOCKET: connect("The server closed the connection without an answer."),
  UND_ERR_DESTROYED: connect("The transport was closed."),
  UND_ERR_CLOSED: connect("The transport was closed."),

  UND_ERR_HEADERS_OVERFLOW: protocol(`The answer's headers are larger than ${MAX_HEADER_BYTES / 1024} KiB.`),
  UND_ERR_RES_CONTENT_LENGTH_MISMATCH: protocol("The answer's length is not the one it declares."),
};

/**
 * Turns whatever a connection failed with into one of our errors; errors of ours pass as they are. None is kept as a
 * cause: sockets' errors hold addresses, and the parser's the server's own bytes.
 */
export function netFailure(error: unknown): PosternError {
  if (isPosternError(error)) return error;
  const { code = "", name = "" } = error instanceof Error ? (error as NodeJS.ErrnoException) : {};
  if (code === "UND_ERR_INVALID_ARG") {
    return new ConfigError("invalid_argument", "A request header or the method holds characters HTTP does not allow.");
  }
  const known = knownFailure(code, name);
  // After the handshake, whose own failures come as ours: a server that refuses us then, or a record that was damaged.
  const tlsReason = known === undefined ? tlsReasonOf(code) : undefined;
  if (tlsReason !== undefined) return tlsRefusal(tlsReason, "server", undefined, code);
  const details = code === "" ? {} : { details: { reason: code } };
  if (known === undefined) return new FetchError("connect_failed", "The connection failed.", details);
  return new FetchError(known.code, known.words, details);
}

function knownFailure(code: string, name: string): Failure | undefined {
  if (Object.hasOwn(FAILURES, code)) return FAILURES[code];
  if (name === "HTTPParserError") return protocol("The server's answer is not valid HTTP/1.1.");
  return undefined;
}
