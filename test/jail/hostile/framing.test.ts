import { describe, expect, it } from "vitest";
import { drip, END, play, RESET, type Script, steps } from "./bench.js";

const OK = "HTTP/1.1 200 OK\r\n";
const CHUNKED = `${OK}transfer-encoding: chunked\r\n\r\n`;
const CHUNKS = "2\r\nok\r\n0\r\n\r\n";
type Row = readonly [what: string, script: Script, outcome: string, connection: "kept" | "gone"];

describe("Content-Length", () => {
  it.each<Row>([
    ["with a leading zero", `${OK}content-length: 02\r\n\r\nok`, "200 ok", "kept"],
    ["with spaces around", `${OK}content-length:  2 \r\n\r\nok`, "200 ok", "kept"],
    // RFC 9110 8.6 allows to take two equal ones for one, and to refuse them.
    ["twice", `${OK}content-length: 2\r\ncontent-length: 2\r\n\r\nok`, "protocol_error", "gone"],
    ["twice and different", `${OK}content-length: 2\r\ncontent-length: 9\r\n\r\nok`, "protocol_error", "gone"],
    ["as a list", `${OK}content-length: 2,2\r\n\r\nok`, "protocol_error", "gone"],
    ["with a plus", `${OK}content-length: +2\r\n\r\nok`, "protocol_error", "gone"],
    ["below zero", `${OK}content-length: -2\r\n\r\nok`, "protocol_error", "gone"],
    ["in hexadecimal", `${OK}content-length: 0x2\r\n\r\nok`, "protocol_error", "gone"],
    ["as a fraction", `${OK}content-length: 2.0\r\n\r\nok`, "protocol_error", "gone"],
    ["with an exponent", `${OK}content-length: 2e0\r\n\r\nok`, "protocol_error", "gone"],
    ["of two numbers", `${OK}content-length: 2 3\r\n\r\nok`, "protocol_error", "gone"],
    ["that is empty", `${OK}content-length:\r\n\r\nok`, "protocol_error", "gone"],
    ["beyond 64 bits", `${OK}content-length: 18446744073709551618\r\n\r\nok`, "protocol_error", "gone"],
    ["beyond 63 bits", `${OK}content-length: 9223372036854775808\r\n\r\nok`, "too_large", "gone"],
    ["one above the cap", `${OK}content-length: 2000001\r\n\r\nok`, "too_large", "gone"],
  ])("%s", async (_what, script, outcome, connection) => {
    expect(await play(script)).toMatchObject({ outcome, connection });
  });
});

describe("Transfer-Encoding", () => {
  const coded = (coding: string): Script => {
    return (socket) => socket.end(`${OK}transfer-encoding: ${coding}\r\n\r\n${CHUNKS}`);
  };
  it.each<Row>([
    ["in capitals", `${OK}transfer-encoding: CHUNKED\r\n\r\n${CHUNKS}`, "200 ok", "kept"],
    ["behind a tab", `${OK}transfer-encoding:\tchunked\r\n\r\n${CHUNKS}`, "200 ok", "kept"],
    ["identity, until the end", steps(`${OK}transfer-encoding: identity\r\n\r\nok`, END), "200 ok", "gone"],
    ["in HTTP/1.0", (s) => s.end(`HTTP/1.0 200 OK\r\ntransfer-encoding: chunked\r\n\r\n${CHUNKS}`), "200 ok", "gone"],
    ["behind a vertical tab", coded("\x0bchunked"), "protocol_error", "gone"],
    ["folded", `${OK}transfer-encoding:\r\n chunked\r\n\r\n${CHUNKS}`, "protocol_error", "gone"],
    ["empty", coded(""), "protocol_error", "gone"],
    ["unknown", coded("xchunked"), "protocol_error", "gone"],
    ["known to begin with", coded("chunkedx"), "protocol_error", "gone"],
    ["in quotes", coded('"chunked"'), "protocol_error", "gone"],
    ["with a parameter", coded("chunked;q=1"), "protocol_error", "gone"],
    ["chunked twice", coded("chunked, chunked"), "protocol_error", "gone"],
    ["chunked twice, on two lines", coded("chunked\r\ntransfer-encoding: chunked"), "protocol_error", "gone"],
    ["chunked within gzip", coded("chunked, gzip"), "protocol_error", "gone"],
    ["gzip within chunked, which was not asked for", coded("gzip, chunked"), "protocol_error", "gone"],
    ["chunked, then identity", coded("chunked, identity"), "protocol_error", "gone"],
    [
      "before a length",
      `${OK}transfer-encoding: chunked\r\ncontent-length: 12\r\n\r\n${CHUNKS}`,
      "protocol_error",
      "gone",
    ],
    [
      "after a length",
      `${OK}content-length: 12\r\ntransfer-encoding: chunked\r\n\r\n${CHUNKS}`,
      "protocol_error",
      "gone",
    ],
    [
      "identity and a length",
      `${OK}transfer-encoding: identity\r\ncontent-length: 2\r\n\r\nok`,
      "protocol_error",
      "gone",
    ],
    [
      "unknown, on a redirect",
      "HTTP/1.1 302 Go\r\nlocation: /next\r\ntransfer-encoding: x\r\n\r\n",
      "protocol_error",
      "gone",
    ],
  ])("%s", async (_what, script, outcome, connection) => {
    expect(await play(script)).toMatchObject({ outcome, connection });
  });
});

describe("a chunk", () => {
  it.each<Row>([
    ["with a hundred zeros before its size", `${CHUNKED}${"0".repeat(100)}${CHUNKS}`, "200 ok", "kept"],
    ["with an extension", `${CHUNKED}2;a="b"\r\nok\r\n0;c\r\n\r\n`, "200 ok", "kept"],
    ["with an extension of 64 KiB", `${CHUNKED}2;${"a".repeat(65_536)}\r\nok\r\n0\r\n\r\n`, "200 ok", "kept"],
    ["with an extension of 1 MB", `${CHUNKED}2;${"a".repeat(1e6)}\r\nok\r\n0\r\n\r\n`, "protocol_error", "gone"],
    [
      "of a single byte, fifty thousand times",
      `${CHUNKED}${"1\r\nx\r\n".repeat(5e4)}0\r\n\r\n`,
      `200 ${"x".repeat(5e4)}`,
      "kept",
    ],
    ["of zero bytes at once", `${CHUNKED}0\r\n\r\n`, "200 ", "kept"],
    ["of a size below zero", `${CHUNKED}-1\r\nok\r\n0\r\n\r\n`, "protocol_error", "gone"],
    ["of a size with a plus", `${CHUNKED}+2\r\nok\r\n0\r\n\r\n`, "protocol_error", "gone"],
    ["of a size beyond 64 bits", `${CHUNKED}10000000000000002\r\nok\r\n0\r\n\r\n`, "protocol_error", "gone"],
    ["of a size with 0x", `${CHUNKED}0x2\r\nok\r\n0\r\n\r\n`, "protocol_error", "gone"],
    ["of a size that is no number", `${CHUNKED}g\r\nok\r\n0\r\n\r\n`, "protocol_error", "gone"],
    ["of no size", `${CHUNKED}\r\nok\r\n0\r\n\r\n`, "protocol_error", "gone"],
    ["with a space before its size", `${CHUNKED} 2\r\nok\r\n0\r\n\r\n`, "protocol_error", "gone"],
    ["with a space behind its size", `${CHUNKED}2 \r\nok\r\n0\r\n\r\n`, "protocol_error", "gone"],
    ["with a bare LF in an extension", `${CHUNKED}2;a\nb\r\nok\r\n0\r\n\r\n`, "protocol_error", "gone"],
    ["between bare LFs", `${CHUNKED}2\nok\n0\n\n`, "protocol_error", "gone"],
    ["without its line end", `${CHUNKED}2\r\nok0\r\n\r\n`, "protocol_error", "gone"],
    ["longer than its size", `${CHUNKED}2\r\nokay\r\n0\r\n\r\n`, "protocol_error", "gone"],
    ["of nearly 2^63 bytes that ends early", steps(`${CHUNKED}7fffffffffffffff\r\nok`, END), "200 ok (stream)", "gone"],
    ["missing at the end", steps(`${CHUNKED}2\r\nok\r\n`, END), "200 ok (stream)", "gone"],
    [
      "missing at the end that was announced",
      steps(`${OK}connection: close\r\ntransfer-encoding: chunked\r\n\r\n2\r\nok\r\n`, END),
      "200 ok (stream)",
      "gone",
    ],
    ["whose last line end is missing", steps(`${CHUNKED}2\r\nok\r\n0\r\n`, END), "200 ok (stream)", "gone"],
    ["that is reset in the middle", steps(`${CHUNKED}a\r\nok`, RESET), "200 ok (stream)", "gone"],
    ["behind which comes a reset", steps(`${CHUNKED}2\r\nok\r\n`, RESET), "200 ok (stream)", "gone"],
    ["behind which comes rubbish", `${CHUNKED}${CHUNKS}rubbish`, "200 ok", "gone"],
    ["behind the last one", `${CHUNKED}0\r\n\r\n${CHUNKS}`, "200 ", "gone"],
  ])("%s", async (_what, script, outcome, connection) => {
    expect(await play(script)).toMatchObject({ outcome, connection });
  });

  it("of 2^64 - 1 bytes is waited for until the deadline", async () => {
    const played = await play(`${CHUNKED}ffffffffffffffff\r\nok`, { timeoutMs: 200 });
    expect(played).toMatchObject({ outcome: "timeout", connection: "gone" });
  });
});

describe("trailers", () => {
  const trailing = (...fields: readonly string[]): string =>
    `${CHUNKED}2\r\nok\r\n0\r\n${fields.map((field) => `${field}\r\n`).join("")}\r\n`;
  it.each<Row>([
    ["are read over", trailing("x-digest: 1"), "200 ok", "kept"],
    ["of 20 KB are read over", trailing(`x-a: ${"y".repeat(20_000)}`), "200 ok", "kept"],
    [
      "that set a cookie, a place and a coding",
      trailing("set-cookie: a=b", "location: /x", "content-encoding: br"),
      "200 ok",
      "kept",
    ],
    ["that frame the body again", trailing("transfer-encoding: chunked"), "200 ok", "kept"],
    ["with a length", trailing("content-length: 100"), "protocol_error", "gone"],
    ["without a colon", trailing("novalue"), "protocol_error", "gone"],
    ["of 1 MB", trailing(...Array<string>(1_000).fill(`x-a: ${"y".repeat(1_000)}`)), "protocol_error", "gone"],
  ])("%s", async (_what, script, outcome, connection) => {
    expect(await play(script)).toMatchObject({ outcome, connection });
  });

  it("that drip for ever end at the deadline", async () => {
    const played = await play(drip(`${CHUNKED}2\r\nok\r\n0\r\n`, "x-a: 1\r\n"), { timeoutMs: 200 });
    expect(played).toMatchObject({ outcome: "timeout", connection: "gone" });
  });
});

describe("an answer without a body", () => {
  const length = "content-length: 5\r\n\r\n";
  const chunks = "transfer-encoding: chunked\r\n\r\n5\r\nhello\r\n0\r\n\r\n";
  it.each<Row>([
    ["204 with one", `HTTP/1.1 204 No\r\n${length}hello`, "204 ", "gone"],
    ["204 with chunks", `HTTP/1.1 204 No\r\n${chunks}`, "204 ", "gone"],
    ["204 with a smuggled answer", `HTTP/1.1 204 No\r\n\r\n${OK}content-length: 4\r\n\r\nevil`, "204 ", "gone"],
    ["204 in a coding", "HTTP/1.1 204 No\r\ncontent-encoding: zstd\r\n\r\n", "204 ", "kept"],
    ["304 with the length of what it stands for", `HTTP/1.1 304 Not Modified\r\n${length}`, "304 ", "gone"],
    ["304 with one", `HTTP/1.1 304 Not Modified\r\n${length}hello`, "304 ", "gone"],
    ["205 with one", `HTTP/1.1 205 Reset\r\n${length}hello`, "205 hello", "kept"],
  ])("%s", async (_what, script, outcome, connection) => {
    expect(await play(script)).toMatchObject({ outcome, connection });
  });

  it.each<[string, string]>([
    ["a length", `${OK}${length}`],
    ["a body", `${OK}${length}hello`],
    ["chunks", `${OK}${chunks}`],
    ["a coding nobody asked for", `${OK}content-encoding: zstd\r\n${length}`],
    ["a length beyond the cap", `${OK}content-length: 10000000000\r\n\r\n`],
  ])("HEAD, answered with %s", async (_what, script) => {
    expect(await play(script, { method: "HEAD" })).toMatchObject({ outcome: "200 ", connection: "gone" });
  });
});
