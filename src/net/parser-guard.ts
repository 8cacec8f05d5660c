import type { Socket } from "node:net";
import type { Client } from "undici";
import symbols from "undici/lib/core/symbols.js";
import { FetchError } from "../errors.js";
import { MAX_FRAMING_BYTES, RECEIVED_BYTES_PER_BODY_BYTE } from "./limits.js";

/** undici's parser of one connection, as far as it is guarded here (`lib/dispatcher/client-h1.js`). */
interface ResponseParser {
  readonly statusCode: number;
  /** Parses one read of the socket. */
  execute(chunk: Uint8Array): void;
  onHeadersComplete(status: number, isUpgrade: boolean, isKeptAlive: boolean): number;
  /** Counts towards the cap on headers. */
  trackHeader(bytes: number): void;
  onBody(bytes: Uint8Array): number;
  onMessageComplete(): number;
  /** The connection is over: what is wrong with an answer that ends here? */
  finish(): Error | null;
}

const { kParser, kSocket } = symbols;
/** What a parser's callback returns to end parsing. */
const FAILED = -1;

/**
 * Holds the client's connection, just opened, to what undici lets pass:
 *
 * - `100 Continue` that nobody asked for comes before an answer (RFC 9110 15.2); undici takes it for a broken one;
 * - `101` and statuses below 100 are no answer, and undici's own assertions must not be what finds them;
 * - reason phrases, chunk extensions, interim answers and trailers are neither header nor body: nothing else caps them;
 * - a connection that is reset has not ended its body, even where only the end of the connection could end it, and one
 *   that ends within a body is no fault of form;
 * - an answer that came before its request was read leaves a connection with the rest of that request in its way.
 */
export function guardParser(client: Client): void {
  const socket = (client as Client & { [kSocket]?: Guarded })[kSocket];
  const parser = socket?.[kParser];
  if (socket === undefined || parser === undefined) {
    void client.destroy(new FetchError("connect_failed", "The HTTP client is not the version that was tested."));
    return;
  }

  const { execute, trackHeader, onHeadersComplete, onBody, onMessageComplete, finish } = parser;
  let receivedBytes = 0;
  let bodyBytes = 0;
  const refuse = (message: string): typeof FAILED => {
    socket.destroy(new FetchError("protocol_error", message));
    return FAILED;
  };

  Object.assign(parser, {
    execute(chunk) {
      if (socket.destroyed) return;
      receivedBytes += chunk.length;
      execute.call(parser, chunk);
      if (receivedBytes > MAX_FRAMING_BYTES + bodyBytes * RECEIVED_BYTES_PER_BODY_BYTE) {
        refuse("The server sends much that is neither header nor body.");
      }
    },
    onHeadersComplete(status, isUpgrade, isKeptAlive) {
      if (status < 100) return refuse("The server's answer is not valid HTTP/1.1.");
      if (status === 101) return refuse("The server changed to another protocol.");
      return onHeadersComplete.call(parser, status === 100 ? 102 : status, isUpgrade, isKeptAlive);
    },
    trackHeader(bytes) {
      // The rest of a read is still parsed when the cap has ended the connection: an error with its stack for each field.
      if (!socket.destroyed) trackHeader.call(parser, bytes);
    },
    onBody(bytes) {
      bodyBytes += bytes.length;
      return onBody.call(parser, bytes);
    },
    onMessageComplete() {
      const isLast = parser.statusCode >= 200;
      const result = onMessageComplete.call(parser);
      if (isLast) {
        receivedBytes = 0;
        bodyBytes = 0;
        if (socket.writableLength > 0) socket.destroy();
      }
      return result;
    },
    finish() {
      const isWhole = socket.errored === null && finish.call(parser) === null;
      return isWhole ? null : new FetchError("connect_failed", "The server closed the connection.");
    },
  } satisfies Omit<ResponseParser, "statusCode">);
}

type Guarded = Socket & { [kParser]?: ResponseParser };
