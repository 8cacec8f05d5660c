import { ConfigError } from "../errors.js";
import type { Deadline } from "./deadline.js";
import { MAX_STREAM_BYTES } from "./limits.js";

/** A request's body as a caller may give it. A stream is read whole before anything is sent. */
export type RequestBody = string | Uint8Array | ReadableStream<Uint8Array>;

type WholeBody = string | Uint8Array | undefined;

/**
 * The body in one piece, so that a redirect or a retry can send it again. A stream that is not read to its end is
 * cancelled.
 * @throws the deadline's reason, the stream's own error, or ConfigError for one of more than 10 MB
 */
export function readRequestBody(body: RequestBody | undefined, deadline: Deadline): WholeBody | Promise<WholeBody> {
  return body === undefined || typeof body === "string" || body instanceof Uint8Array
    ? body
    : readStream(body, deadline);
}

async function readStream(body: ReadableStream<Uint8Array>, deadline: Deadline): Promise<Uint8Array> {
  deadline.stage = "upload";
  const reader = body.getReader();
  const cancel = (reason: unknown): void => void reader.cancel(reason).catch(() => {});
  // Cancelling ends a pending read at once, whatever the stream's source does about it.
  const unsubscribe = deadline.onEnd(cancel);
  const chunks: Uint8Array[] = [];
  let length = 0;
  try {
    for (;;) {
      const { done, value } = await reader.read();
      deadline.throwIfEnded();
      if (done) return Buffer.concat(chunks, length);
      if (!(value instanceof Uint8Array)) throw refused("A request body is made of bytes.");
      length += value.length;
      if (length > MAX_STREAM_BYTES) throw refused(`A request body is at most ${MAX_STREAM_BYTES} bytes long.`);
      chunks.push(value);
    }
  } catch (error) {
    cancel(error);
    throw error;
  } finally {
    unsubscribe();
  }
}

function refused(message: string): ConfigError {
  return new ConfigError("invalid_argument", message);
}
