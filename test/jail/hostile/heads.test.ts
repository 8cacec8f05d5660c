import { describe, expect, it } from "vitest";
import { serve, transportTo } from "../../helpers/jail-bench.js";
import { play, type Script } from "./bench.js";

const OK = "HTTP/1.1 200 OK\r\n";
const LENGTH = "content-length: 2\r\n\r\nok";
type Row = readonly [what: string, script: Script, outcome: string, connection: "kept" | "gone"];

describe("a status line", () => {
  it.each<Row>([
    ["without a reason", `HTTP/1.1 200\r\n${LENGTH}`, "200 ok", "kept"],
    ["with an empty reason", `HTTP/1.1 200 \r\n${LENGTH}`, "200 ok", "kept"],
    ["after empty lines, as old servers leave them", `\r\n\r\nHTTP/1.1 200 OK\r\n${LENGTH}`, "200 ok", "kept"],
    ["of a status nobody registered", `HTTP/1.1 999 Denied\r\n${LENGTH}`, "999 ok", "kept"],
    ["of HTTP/1.0", `HTTP/1.0 200 OK\r\n${LENGTH}`, "200 ok", "gone"],
    ["of HTTP/1.0 that stays", `HTTP/1.0 200 OK\r\nconnection: keep-alive\r\n${LENGTH}`, "200 ok", "kept"],
    // Read as HTTP/1.0 would be, and its connection is not trusted with another request.
    ["of HTTP/2.0 in text", `HTTP/2.0 200 OK\r\n${LENGTH}`, "200 ok", "gone"],
    ["of HTTP/0.9 in text", `HTTP/0.9 200 OK\r\n${LENGTH}`, "200 ok", "gone"],
    ["of HTTP/2 without a minor version", `HTTP/2 200\r\n${LENGTH}`, "protocol_error", "gone"],
    ["of an HTTP/2 preface", "\0\0\x12\x04\0\0\0\0\0\0\x03\0\0\0\x80\0\x04\0\x01\0\0", "protocol_error", "gone"],
    ["of HTTP/1.2", `HTTP/1.2 200 OK\r\n${LENGTH}`, "protocol_error", "gone"],
    ["of HTTP/9.9", `HTTP/9.9 200 OK\r\n${LENGTH}`, "protocol_error", "gone"],
    ["in lower case", `http/1.1 200 OK\r\n${LENGTH}`, "protocol_error", "gone"],
    ["of a radio stream", `ICY 200 OK\r\n${LENGTH}`, "protocol_error", "gone"],
    ["of TLS on a plain port", "\x15\x03\x01\0\x02\x02\x16", "protocol_error", "gone"],
    ["of SSH", "SSH-2.0-OpenSSH_9.6\r\n", "protocol_error", "gone"],
    ["of four digits", `HTTP/1.1 2000 OK\r\n${LENGTH}`, "protocol_error", "gone"],
    ["of two digits", `HTTP/1.1 20 OK\r\n${LENGTH}`, "protocol_error", "gone"],
    ["of status 099", `HTTP/1.1 099 OK\r\n${LENGTH}`, "protocol_error", "gone"],
    ["of status 000", `HTTP/1.1 000 OK\r\n${LENGTH}`, "protocol_error", "gone"],
    ["of a negative status", `HTTP/1.1 -200 OK\r\n${LENGTH}`, "protocol_error", "gone"],
    ["of a status in letters", `HTTP/1.1 abc OK\r\n${LENGTH}`, "protocol_error", "gone"],
    ["with two spaces", `HTTP/1.1  200 OK\r\n${LENGTH}`, "protocol_error", "gone"],
    ["with a tab", `HTTP/1.1\t200 OK\r\n${LENGTH}`, "protocol_error", "gone"],
    ["behind a byte order mark", `\ufeffHTTP/1.1 200 OK\r\n${LENGTH}`, "protocol_error", "gone"],
    ["with a bare CR", `HTTP/1.1 200 O\rK\r\n${LENGTH}`, "protocol_error", "gone"],
    ["with a bare LF", `HTTP/1.1 200 OK\n${LENGTH}`, "protocol_error", "gone"],
  ])("%s", async (_what, script, outcome, connection) => {
    expect(await play(script)).toMatchObject({ outcome, connection });
  });
});

describe("an interim answer", () => {
  const early = "HTTP/1.1 103 Early Hints\r\nlink: </style.css>\r\n\r\n";
  it.each<Row>([
    ["100 that nobody asked for", `HTTP/1.1 100 Continue\r\n\r\n${OK}${LENGTH}`, "200 ok", "kept"],
    ["100 twice", `${"HTTP/1.1 100 Continue\r\n\r\n".repeat(2)}${OK}${LENGTH}`, "200 ok", "kept"],
    ["102", `HTTP/1.1 102 Processing\r\n\r\n${OK}${LENGTH}`, "200 ok", "kept"],
    ["103", `${early}${OK}${LENGTH}`, "200 ok", "kept"],
    ["199", `HTTP/1.1 199 Miscellaneous\r\n\r\n${OK}${LENGTH}`, "200 ok", "kept"],
    ["103, a hundred times", `${early.repeat(100)}${OK}${LENGTH}`, "200 ok", "kept"],
    ["103 that redirects", `HTTP/1.1 103 Early\r\nlocation: /next\r\n\r\n${OK}${LENGTH}`, "200 ok", "kept"],
    ["103 with a body", `HTTP/1.1 103 Early\r\ncontent-length: 5\r\n\r\nhello${OK}${LENGTH}`, "protocol_error", "gone"],
    [
      "101 with an upgrade",
      `HTTP/1.1 101 Switching\r\nconnection: upgrade\r\nupgrade: websocket\r\n\r\n\x81\x02ok`,
      "protocol_error",
      "gone",
    ],
    ["101 alone", `HTTP/1.1 101 Switching\r\n\r\n${OK}${LENGTH}`, "protocol_error", "gone"],
    ["an upgrade without 101", `${OK}connection: upgrade\r\nupgrade: h2c\r\n${LENGTH}`, "200 ok", "kept"],
  ])("%s", async (_what, script, outcome, connection) => {
    expect(await play(script)).toMatchObject({ outcome, connection });
  });
});

describe("a header", () => {
  it.each<Row>([
    ["without a colon", `${OK}novalue\r\n${LENGTH}`, "protocol_error", "gone"],
    ["without a name", `${OK}: x\r\n${LENGTH}`, "protocol_error", "gone"],
    ["folded over two lines", `${OK}x-a: 1\r\n 2\r\n${LENGTH}`, "protocol_error", "gone"],
    ["whose length is folded", `${OK}content-length: 2\r\n 0\r\n\r\nok`, "protocol_error", "gone"],
    ["with NUL in a value", `${OK}x-a: 1\x002\r\n${LENGTH}`, "protocol_error", "gone"],
    ["with NUL in a name", `${OK}x\0a: 1\r\n${LENGTH}`, "protocol_error", "gone"],
    ["with other controls in a value", `${OK}x-a: \x01\x7f\r\n${LENGTH}`, "protocol_error", "gone"],
    ["with a bare CR in a value", `${OK}x-a: 1\rset-cookie: a=b\r\n${LENGTH}`, "protocol_error", "gone"],
    ["that ends with a bare LF", `${OK}x-a: 1\n${LENGTH}`, "protocol_error", "gone"],
    ["with a space before its colon", `${OK}content-length : 2\r\n\r\nok`, "protocol_error", "gone"],
    ["with a space in its name", `${OK}x a: 1\r\n${LENGTH}`, "protocol_error", "gone"],
    ["with a space before the first name", `${OK} x-a: 1\r\n${LENGTH}`, "protocol_error", "gone"],
    ["with Latin-1 in a name", Buffer.from(`${OK}x-\xe9: 1\r\n${LENGTH}`, "latin1"), "protocol_error", "gone"],
    ["with only line feeds", "HTTP/1.1 200 OK\ncontent-length: 2\n\nok", "protocol_error", "gone"],
    ["with only carriage returns", "HTTP/1.1 200 OK\rcontent-length: 2\r\rok", "protocol_error", "gone"],
    ["without any field, and then its end", (s) => s.end("HTTP/1.1 200 OK\r\n\r\nok"), "200 ok", "gone"],
    ["with three thousand equal fields", `${OK}${"x-a: 1\r\n".repeat(3_000)}${LENGTH}`, "200 ok", "kept"],
    ["with fields named after the prototype", `${OK}__proto__: a\r\nconstructor: b\r\n${LENGTH}`, "200 ok", "kept"],
  ])("%s", async (_what, script, outcome, connection) => {
    expect(await play(script)).toMatchObject({ outcome, connection });
  });

  it.each([
    ["one octet below", 1, "200 ok", "kept"],
    ["exactly", 0, "protocol_error", "gone"],
  ])("of 32 KiB, %s", async (_what, missing, outcome, connection) => {
    const names = "content-length2x".length;
    const value = "y".repeat(32 * 1024 - names - missing);
    expect(await play(`${OK}content-length: 2\r\nx: ${value}\r\n\r\nok`)).toMatchObject({ outcome, connection });
  });

  it("is measured anew for each answer of a connection", async () => {
    const server = await serve((socket) => socket.write(`${OK}x-a: ${"y".repeat(30_000)}\r\n${LENGTH}`));
    const transport = transportTo([server]);
    for (let nth = 0; nth < 20; nth += 1) await transport.request({ url: server.origin });
    expect(server.connections).toBe(1);
  });
});
