import type { Socket } from "node:net";
import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";
import { gzipSync } from "node:zlib";
import { describe, expect, it } from "vitest";
import { flood, type PlayRequest, play, type Script } from "./bench.js";

const OK = "HTTP/1.1 200 OK\r\n";
const CHUNKED = `${OK}transfer-encoding: chunked\r\n\r\n`;
const CAP = 2_000_000;
/** What both sides' sockets can hold, and what was under way when it ended. */
const MAX_SENT_BYTES = 24_000_000;
/** Heap and buffers, garbage that nobody has collected yet included. */
const MAX_GROWTH_BYTES = 64_000_000;

setFlagsFromString("--expose-gc");
const collectGarbage = runInNewContext("gc") as () => void;
const memoryBytes = (): number => {
  const { heapUsed, external } = process.memoryUsage();
  return heapUsed + external;
};

/** The play, with what the server could send until its connections ended and how far the process grew meanwhile. */
async function measured(script: Script, request: PlayRequest) {
  const sockets = new Set<Socket>();
  collectGarbage();
  const before = memoryBytes();
  let peak = before;
  const sampling = setInterval(() => {
    peak = Math.max(peak, memoryBytes());
  }, 5);
  const { outcome, connection } = await play((socket, head) => {
    sockets.add(socket);
    if (typeof script === "function") script(socket, head);
  }, request);
  clearInterval(sampling);
  const sentBytes = [...sockets].reduce((sum, socket) => sum + socket.bytesWritten, 0);
  return { outcome, connection, sentBytes, growthBytes: peak - before };
}

/** `200 xxx… (cap)` by its length. */
const shortened = (outcome: string): string => outcome.replace(/x{100,}/, (run) => `${run.length} x`);

const filler = "x".repeat(16_384);
const gzipHead = (flags: number): Buffer =>
  Buffer.concat([
    Buffer.from(`${OK}content-encoding: gzip\r\n\r\n`),
    Buffer.from([0x1f, 0x8b, 8, flags, 0, 0, 0, 0, 0, 255]),
  ]);
const brotliHead = Buffer.concat([Buffer.from(`${OK}content-encoding: br\r\n\r\n`), Buffer.from([0x0c])]);
const gzipChunks = `${OK}content-encoding: gzip\r\ntransfer-encoding: chunked\r\n\r\na\r\n`;
const oneByteChunks = "1\r\nx\r\n".repeat(2_048);
const early = "HTTP/1.1 103 Early Hints\r\nlink: </a>\r\n\r\n";

describe("a flood of", () => {
  it.each<[what: string, script: Script, outcome: string, request?: PlayRequest]>([
    ["empty lines before an answer", flood("", "\r\n".repeat(8_192)), "protocol_error"],
    ["a reason phrase", flood("HTTP/1.1 200 ", filler), "protocol_error"],
    ["a header's name", flood(OK, filler), "protocol_error"],
    ["a header's value", flood(`${OK}x-a: `, filler), "protocol_error"],
    ["spaces before a header's value", flood(`${OK}x-a:`, " ".repeat(16_384)), "protocol_error"],
    ["headers without values", flood(OK, "a:\r\n".repeat(4_096)), "protocol_error"],
    ["interim answers", flood("", early.repeat(400)), "protocol_error"],
    ["interim answers that are large", flood("", `HTTP/1.1 103 Early\r\nlink: ${filler}\r\n\r\n`), "protocol_error"],
    ["100 Continue", flood("", "HTTP/1.1 100 Continue\r\n\r\n".repeat(400)), "protocol_error"],
    ["zeros before a chunk's size", flood(CHUNKED, "0".repeat(16_384)), "protocol_error"],
    ["a chunk's extension", flood(`${CHUNKED}1;`, filler), "protocol_error"],
    ["chunks with extensions", flood(CHUNKED, `1;${filler}\r\nx\r\n`), "protocol_error"],
    ["trailers", flood(`${CHUNKED}2\r\nok\r\n0\r\n`, "x-a: 1\r\n".repeat(2_048)), "protocol_error"],
    ["a body", flood(`${OK}\r\n`, filler), `200 ${CAP} x (cap)`],
    ["chunks", flood(CHUNKED, `4000\r\n${filler}\r\n`), `200 ${CAP} x (cap)`],
    ["chunks of one byte", flood(CHUNKED, oneByteChunks), "200 500000 x (cap)", { maxBytes: 500_000 }],
    ["bodies that were not asked for", flood(`${OK}content-length: 2\r\n\r\nok`, filler), "200 ok"],
    ["answers that were not asked for", flood("", `${OK}content-length: 2\r\n\r\nok`.repeat(400)), "200 ok"],
    ["a body behind HEAD", flood(`${OK}content-length: 100\r\n\r\n`, filler), "200 ", { method: "HEAD" }],
    ["a body behind 204", flood("HTTP/1.1 204 No\r\n\r\n", filler), "204 "],
    ["a body behind a redirect", flood("HTTP/1.1 302 Go\r\nlocation: /next\r\n\r\n", filler), "200 the next answer"],
    ["a file name in a gzip header", flood(gzipHead(8), filler), "200  (cap)"],
    [
      "a gzip header's extra field",
      flood(Buffer.concat([gzipHead(12), Buffer.from([255, 255])]), filler),
      "200  (cap)",
    ],
    [
      "empty gzip members",
      flood(`${OK}content-encoding: gzip\r\n\r\n`, Buffer.concat(Array(800).fill(gzipSync("")))),
      "200  (cap)",
    ],
    [
      "empty deflate blocks",
      flood(gzipHead(0), Buffer.concat(Array(3_000).fill(Buffer.from([0, 0, 0, 255, 255])))),
      "200  (cap)",
    ],
    ["empty Brotli blocks", flood(brotliHead, Buffer.alloc(16_384, 0x06)), "200  (cap)"],
    [
      "gzip in chunks of one byte",
      flood(Buffer.concat([Buffer.from(gzipChunks), gzipHead(8).subarray(-10), Buffer.from("\r\n")]), oneByteChunks),
      "200  (cap)",
      { maxBytes: 500_000 },
    ],
  ])("%s ends, and costs little", async (_what, script, outcome, request = {}) => {
    const { sentBytes, growthBytes, ...played } = await measured(script, { timeoutMs: 15_000, ...request });
    expect(shortened(played.outcome)).toBe(outcome);
    expect(played.connection).toBe(outcome.endsWith("next answer") ? "kept" : "gone");
    expect(sentBytes).toBeLessThan(MAX_SENT_BYTES);
    expect(growthBytes).toBeLessThan(MAX_GROWTH_BYTES);
  });
});
