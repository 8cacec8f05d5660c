import {
  type BrotliDecompress,
  createBrotliDecompress,
  createGunzip,
  createInflate,
  createInflateRaw,
  type Gunzip,
  type Inflate,
  type InflateRaw,
} from "node:zlib";
import { FetchError } from "../errors.js";
import { ByteCollector } from "./byte-collector.js";
import { EXPANSION_FLOOR_BYTES, MAX_EXPANSION_RATIO } from "./limits.js";

/** The codings a body may come in: at most one of them (RFC 9110 8.4.1). */
export type ContentCoding = "identity" | "gzip" | "deflate" | "br";

/** What is asked for, and so all that is accepted. */
export const ACCEPT_ENCODING = "gzip, deflate, br";

const CODINGS: Readonly<Record<string, ContentCoding>> = {
  "": "identity",
  identity: "identity",
  // Not codings, but servers write them, and what they mean is the body as it is.
  none: "identity",
  binary: "identity",
  "utf-8": "identity",
  gzip: "gzip",
  "x-gzip": "gzip",
  deflate: "deflate",
  br: "br",
};

export interface ReadBody {
  readonly bytes: Uint8Array;
  /** `cap` when a limit cut it, `stream` when it broke off before its end. */
  readonly truncated: "cap" | "stream" | undefined;
}

/** @throws FetchError `decoding_failed` for a coding that was not asked for, and for more than one. */
export function parseContentCoding(header: string | null): ContentCoding {
  const name = (header ?? "").trim().toLowerCase();
  const coding = Object.hasOwn(CODINGS, name) ? CODINGS[name] : undefined;
  if (coding !== undefined) return coding;
  const what = name.includes(",") ? "more than one content coding" : "a content coding that was not asked for";
  throw new FetchError("decoding_failed", `The server sent ${what}.`);
}

/** Collects a body as it arrives and settles `result` once; it never holds more than the cap on either side. */
export interface BodyReader {
  readonly result: Promise<ReadBody>;
  push(chunk: Uint8Array): void;
  /** Nothing more comes: the body's own end, or a connection that broke. */
  finish(ending: "complete" | "broken"): void;
  /** Gives up: `result` rejects. */
  fail(error: Error): void;
}

type Decoder = Gunzip | Inflate | InflateRaw | BrotliDecompress;

const DECODER_CHUNK_BYTES = 64 * 1024;
/** RFC 1950 2.2. */
const DEFLATE_METHOD = 8;

/**
 * @param maxBytes limit for the bytes on the wire and for the decoded ones, each
 * @param stop called when no more input is wanted: the connection has to be destroyed
 */
export function createBodyReader(coding: ContentCoding, maxBytes: number, stop: () => void): BodyReader {
  const decoded = new ByteCollector();
  /** What came while the decoder was busy: one write for all of it, however many chunks it came in. */
  const waiting = new ByteCollector();
  let encodedBytes = 0;
  let truncated: ReadBody["truncated"];
  let inputEnded = false;
  let isDecoding = false;
  let decoder: Decoder | undefined;
  let settled = false;
  const { promise: result, resolve, reject } = withResolvers<ReadBody>();

  const settle = (action: () => void): void => {
    if (settled) return;
    settled = true;
    decoder?.destroy();
    action();
  };
  const done = (): void => settle(() => resolve({ bytes: decoded.take(), truncated }));
  const fail = (error: Error): void => {
    settle(() => reject(error));
    stop();
  };

  /** Takes decoded bytes; at the cap the rest is dropped and everything stops. */
  const take = (chunk: Uint8Array): void => {
    const room = maxBytes - decoded.length;
    if (chunk.length <= room) {
      decoded.add(chunk);
      return;
    }
    decoded.add(chunk.subarray(0, room));
    truncated = "cap";
    done();
    stop();
  };

  const decode = (): void => {
    if (decoder === undefined || isDecoding || settled) return;
    if (waiting.length > 0) {
      isDecoding = true;
      decoder.write(waiting.take(), () => {
        isDecoding = false;
        decode();
      });
    } else if (inputEnded) {
      // Only when every write is through: an end that comes with the last one would throw its output away on an error.
      decoder.end();
    }
  };
  const openDecoder = (firstByte: number): Decoder => {
    const opened = createDecoder(coding, firstByte);
    opened.on("data", (chunk: Uint8Array) => {
      if (settled) return;
      take(chunk);
      if (decoded.length > EXPANSION_FLOOR_BYTES && decoded.length > opened.bytesWritten * MAX_EXPANSION_RATIO) {
        fail(new FetchError("too_large", `The body expands more than ${MAX_EXPANSION_RATIO} times (expansion).`));
      }
    });
    opened.on("end", () => {
      done();
      // The coding's own end came first: what follows is not part of the body.
      if (!inputEnded) stop();
    });
    opened.on("error", (error: NodeJS.ErrnoException) => {
      if (error.code === "Z_BUF_ERROR") {
        truncated ??= "stream";
        done();
      } else {
        fail(new FetchError("decoding_failed", "The body is not in the coding its header names.", { cause: error }));
      }
    });
    return opened;
  };

  const finish = (ending: "complete" | "broken"): void => {
    if (inputEnded) return;
    inputEnded = true;
    if (ending === "broken") truncated ??= "stream";
    if (decoder === undefined) done();
    else decode();
  };

  return {
    result,
    push(chunk) {
      if (inputEnded || settled || chunk.length === 0) return;
      if (coding === "identity") {
        take(chunk);
        return;
      }
      const room = maxBytes - encodedBytes;
      const accepted = chunk.length > room ? chunk.subarray(0, room) : chunk;
      encodedBytes += accepted.length;
      if (accepted.length > 0) {
        waiting.add(accepted);
        decoder ??= openDecoder(accepted[0] ?? 0);
        decode();
      }
      if (accepted === chunk) return;
      truncated = "cap";
      finish("complete");
      stop();
    },
    finish,
    fail,
  };
}

function createDecoder(coding: ContentCoding, firstByte: number): Decoder {
  const options = { chunkSize: DECODER_CHUNK_BYTES };
  if (coding === "gzip") return createGunzip(options);
  if (coding === "br") return createBrotliDecompress(options);
  // RFC 9110 8.4.1.2 means zlib, and servers send raw deflate as well; a zlib header says method 8 in its low bits.
  return (firstByte & 0x0f) === DEFLATE_METHOD ? createInflate(options) : createInflateRaw(options);
}

function withResolvers<T>(): {
  promise: Promise<T>;
  resolve: (value: T) => void;
  reject: (reason: Error) => void;
} {
  let resolve: (value: T) => void = () => {};
  let reject: (reason: Error) => void = () => {};
  const promise = new Promise<T>((onResolve, onReject) => {
    resolve = onResolve;
    reject = onReject;
  });
  return { promise, resolve, reject };
}
