import { createHash } from "node:crypto";
import { brotliCompressSync, constants, deflateRawSync, deflateSync, gunzipSync, gzipSync } from "node:zlib";
import { describe, expect, it } from "vitest";
import { answer } from "../../helpers/raw-server.js";
import { END, play, type Script, steps } from "./bench.js";

const TEXT = "A sentence that the reader will see. ".repeat(40);
const CAP = 2_000_000;

/** An answer with its length. */
const coded = (coding: string, body: string | Buffer): Buffer => answer("200 OK", { "content-encoding": coding }, body);
/** An answer whose end is the connection's, so that no length says what is to come. */
const untilEnd = (coding: string, ...parts: readonly (string | Buffer)[]): Script =>
  steps(`HTTP/1.1 200 OK\r\ncontent-encoding: ${coding}\r\n\r\n`, ...parts, END);

/** A gzip header with these flags (RFC 1952 2.3.1), and what they announce. */
const gzipHeader = (flags: number, extra: Buffer = Buffer.alloc(0)): Buffer =>
  Buffer.concat([Buffer.from([0x1f, 0x8b, 8, flags, 0, 0, 0, 0, 0, 255]), extra]);
const FEXTRA = 4;

/** The same bytes, with one bit changed `fromEnd` bytes before the end. */
function damaged(bytes: Buffer, fromEnd: number): Buffer {
  const copy = Buffer.from(bytes);
  const at = copy.length - fromEnd;
  copy.writeUInt8(copy.readUInt8(at) ^ 1, at);
  return copy;
}

/** Bytes that do not compress, the same ones each time. */
function noise(length: number, seed = ""): Buffer {
  const blocks = Array.from({ length: Math.ceil(length / 32) }, (_, i) =>
    createHash("sha256").update(`${seed}${i}`).digest(),
  );
  return Buffer.concat(blocks).subarray(0, length);
}

type Row = readonly [what: string, script: Script, outcome: string];

describe("gzip", () => {
  const whole = gzipSync(TEXT);
  it.each<Row>([
    [
      "of two members, which are read as one",
      coded("gzip", Buffer.concat([gzipSync("one "), gzipSync("two")])),
      "200 one two",
    ],
    ["of two members that come apart", untilEnd("gzip", gzipSync("one "), gzipSync("two")), "200 one two"],
    ["of nothing", coded("gzip", gzipSync("")), "200 "],
    ["without a single byte", coded("gzip", ""), "200 "],
    ["padded with zeros", coded("gzip", Buffer.concat([gzipSync("one"), Buffer.alloc(512)])), "200 one"],
    [
      "with 64 KiB of extra field",
      coded(
        "gzip",
        Buffer.concat([gzipHeader(FEXTRA, Buffer.from([255, 255])), Buffer.alloc(65_535), whole.subarray(10)]),
      ),
      `200 ${TEXT}`,
    ],
    ["in capitals, between spaces", coded(" GZIP ", gzipSync("one")), "200 one"],
    ["without its trailer", coded("gzip", whole.subarray(0, -8)), `200 ${TEXT} (stream)`],
    ["with half of its trailer", coded("gzip", whole.subarray(0, -4)), `200 ${TEXT} (stream)`],
    ["of one byte", coded("gzip", Buffer.from([0x1f])), "200  (stream)"],
    [
      "whose second member breaks off",
      coded("gzip", Buffer.concat([gzipSync("one "), gzipSync("two").subarray(0, 5)])),
      "200 one  (stream)",
    ],
    // What follows a member is another one (RFC 1952 2.2); a browser would stop after the first.
    [
      "with rubbish behind it",
      coded("gzip", Buffer.concat([gzipSync("one"), Buffer.from("rubbish")])),
      "decoding_failed",
    ],
    [
      "with half a header behind it",
      coded("gzip", Buffer.concat([gzipSync("one"), Buffer.from([0x1f, 0x8b, 1, 2, 3, 4, 5, 6, 7])])),
      "decoding_failed",
    ],
    ["with a wrong checksum", coded("gzip", damaged(whole, 8)), "decoding_failed"],
    ["with a wrong length", coded("gzip", damaged(whole, 4)), "decoding_failed"],
    ["that is plain text", coded("gzip", "<p>plain</p>"), "decoding_failed"],
    ["that is zlib", coded("gzip", deflateSync("one")), "decoding_failed"],
    ["that is not said", answer("200 OK", {}, gzipSync("one", { level: 0 })), `200 ${gzipSync("one", { level: 0 })}`],
  ])("%s", async (_what, script, outcome) => expect((await play(script)).outcome).toBe(outcome));
});

describe("other codings", () => {
  const zlib = deflateSync(TEXT);
  const brotli = brotliCompressSync(TEXT);
  const largeWindow = { [constants.BROTLI_PARAM_LGWIN]: 28, [constants.BROTLI_PARAM_LARGE_WINDOW]: 1 };
  it.each<Row>([
    ["deflate in zlib", coded("deflate", zlib), `200 ${TEXT}`],
    ["deflate as it is", coded("deflate", deflateRawSync(TEXT)), `200 ${TEXT}`],
    ["deflate as it is and stored", coded("deflate", deflateRawSync("one", { level: 0 })), "200 one"],
    ["deflate that is cut", coded("deflate", zlib.subarray(0, -4)), `200 ${TEXT} (stream)`],
    ["deflate with rubbish behind it", coded("deflate", Buffer.concat([zlib, Buffer.from("rubbish")])), `200 ${TEXT}`],
    ["deflate with a wrong checksum", coded("deflate", damaged(zlib, 1)), "decoding_failed"],
    ["deflate that is gzip", coded("deflate", gzipSync("one")), "decoding_failed"],
    [
      "deflate with a dictionary",
      coded("deflate", deflateSync("one", { dictionary: Buffer.from("one") })),
      "decoding_failed",
    ],
    ["deflate that is plain text", coded("deflate", "<p>plain</p>"), "decoding_failed"],
    ["Brotli with rubbish behind it", coded("br", Buffer.concat([brotli, Buffer.from("rubbish")])), `200 ${TEXT}`],
    [
      "Brotli with a window beyond RFC 7932",
      coded("br", brotliCompressSync("one", { params: largeWindow })),
      "decoding_failed",
    ],
    ["Brotli that is plain text", coded("br", "<p>plain</p>"), "decoding_failed"],
    [
      "two codings on two lines",
      "HTTP/1.1 200 OK\r\ncontent-encoding: gzip\r\ncontent-encoding: br\r\n\r\n",
      "decoding_failed",
    ],
    ["identity, then gzip", coded("identity, gzip", gzipSync("one")), "decoding_failed"],
    ["a coding and a comma", coded("gzip,", gzipSync("one")), "decoding_failed"],
    ["a coding with a weight", coded("gzip;q=1", gzipSync("one")), "decoding_failed"],
    ["a coding and 4 KB of spaces", coded(`gzip${" ".repeat(4_096)}`, gzipSync("one")), "200 one"],
    ["an empty coding", coded("", "one"), "200 one"],
  ])("%s", async (_what, script, outcome) => expect((await play(script)).outcome).toBe(outcome));
});

describe("a body that is cut", () => {
  const text = `${noise(6_000).toString("base64")} end`;
  it.each([
    ["gzip", gzipSync(text)],
    ["deflate", deflateSync(text)],
    ["br", brotliCompressSync(text)],
  ])("%s in chunks: gives what was there, at each tenth of its length", async (coding, body) => {
    let longest = 0;
    for (let tenth = 1; tenth <= 9; tenth += 1) {
      const part = body.subarray(0, Math.floor((body.length * tenth) / 10));
      const head = `HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\ncontent-encoding: ${coding}\r\n\r\n`;
      const chunk = Buffer.concat([Buffer.from(`${part.length.toString(16)}\r\n`), part, Buffer.from("\r\n")]);
      const { outcome } = await play((socket) => socket.end(Buffer.concat([Buffer.from(head), chunk])));
      const got = /^200 (.*) \(stream\)$/s.exec(outcome)?.[1] ?? "no partial answer";
      expect(text.startsWith(got), outcome.slice(0, 80)).toBe(true);
      expect(got.length).toBeGreaterThanOrEqual(longest);
      longest = got.length;
    }
    expect(longest).toBeGreaterThan(text.length / 2);
  });
});

describe("the caps", () => {
  const incompressible = noise(4_000).toString("latin1");
  const encoded = gzipSync(Buffer.from(incompressible, "latin1"));
  it.each<[string, Script, number, string]>([
    ["a plain body of exactly the cap", untilEnd("", "x".repeat(5_000)), 5_000, `200 ${"x".repeat(5_000)}`],
    ["a plain body one above", untilEnd("", "x".repeat(5_001)), 5_000, `200 ${"x".repeat(5_000)} (cap)`],
    [
      "a decoded body of exactly the cap",
      untilEnd("br", brotliCompressSync("x".repeat(5_000))),
      5_000,
      `200 ${"x".repeat(5_000)}`,
    ],
    [
      "a decoded body one above",
      untilEnd("br", brotliCompressSync("x".repeat(5_001))),
      5_000,
      `200 ${"x".repeat(5_000)} (cap)`,
    ],
    ["an empty body under a cap of one", untilEnd("", ""), 1, "200 "],
  ])("%s", async (_what, script, maxBytes, outcome) => {
    expect((await play(script, { maxBytes })).outcome).toBe(outcome);
  });

  it.each([
    ["exactly the cap", encoded.length, false],
    ["one above", encoded.length - 1, true],
  ])("an encoded body of %s", async (_what, maxBytes, isCut) => {
    const { outcome } = await play(untilEnd("gzip", encoded), { maxBytes });
    expect(outcome.endsWith("(cap)")).toBe(isCut);
  });

  /** `count` times ten thousand zeros and some noise: `noiseLength` decides what a byte comes to. */
  const expanding = (noiseLength: number, count: number): Buffer =>
    gzipSync(
      Buffer.concat(
        Array.from({ length: count }, (_, i) => Buffer.concat([Buffer.alloc(10_000), noise(noiseLength, `${i}`)])),
      ),
    );

  it.each<[string, Buffer, number, number, RegExp]>([
    ["96 times, and is read", expanding(83, 150), 90, 100, /^200 /],
    ["106 times, and is refused", expanding(72, 150), 100, 110, /^too_large$/],
    ["1,000 times up to 1 MB, and is read", gzipSync(Buffer.alloc(1_000_000)), 900, 1_100, /^200 /],
    ["1,000 times beyond 1 MB, and is refused", gzipSync(Buffer.alloc(1_000_001)), 900, 1_100, /^too_large$/],
  ])("zip-ratio: a body expands %s", async (_what, body, atLeast, atMost, outcome) => {
    const played = await play(coded("gzip", body));
    expect(played.outcome.slice(0, 20)).toMatch(outcome);
    const decodedBytes = gunzipSync(body).length;
    expect(decodedBytes).toBeLessThanOrEqual(CAP);
    expect(decodedBytes / body.length).toBeGreaterThan(atLeast);
    expect(decodedBytes / body.length).toBeLessThan(atMost);
  });
});
