import type { Socket } from "node:net";
import { describe, expect, it } from "vitest";
import { serve, transportTo } from "../../helpers/jail-bench.js";
import { answer } from "../../helpers/raw-server.js";
import { describeError, drip, END, play, RESET, type Script, steps, untilClosed } from "./bench.js";

const OK = "HTTP/1.1 200 OK\r\n";
const SMUGGLED = answer("200 OK", {}, "smuggled");
type Row = readonly [what: string, script: Script, outcome: string, connection: "kept" | "gone"];

describe("a connection that ends", () => {
  it.each<Row>([
    ["after the request, in order", (socket) => socket.end(), "connect_failed", "gone"],
    ["after the request, by a reset", (socket) => socket.resetAndDestroy(), "connect_failed", "gone"],
    ["within the status line", steps("HTTP/1.1 2", END), "connect_failed", "gone"],
    ["within the status line, by a reset", steps("HTTP/1.1 2", RESET), "connect_failed", "gone"],
    ["within a header", steps(`${OK}x-a: 1`, END), "connect_failed", "gone"],
    ["within a header, by a reset", steps(`${OK}x-a: 1`, RESET), "connect_failed", "gone"],
    ["after an interim answer", steps("HTTP/1.1 103 Early\r\n\r\n", END), "connect_failed", "gone"],
    ["after the header", steps(`${OK}content-length: 5\r\n\r\n`, END), "200  (stream)", "gone"],
    ["after the header, by a reset", steps(`${OK}content-length: 5\r\n\r\n`, RESET), "200  (stream)", "gone"],
    ["within the body", steps(`${OK}content-length: 5\r\n\r\nhel`, END), "200 hel (stream)", "gone"],
    ["within the body, by a reset", steps(`${OK}content-length: 5\r\n\r\nhel`, RESET), "200 hel (stream)", "gone"],
    [
      "within a body it said it would close after",
      steps(`${OK}connection: close\r\ncontent-length: 5\r\n\r\nhel`, END),
      "200 hel (stream)",
      "gone",
    ],
    ["as the end of its body", steps(`${OK}\r\nhello`, END), "200 hello", "gone"],
    // Only an orderly end says that there is no more.
    ["instead of the end of its body, by a reset", steps(`${OK}\r\nhel`, RESET), "200 hel (stream)", "gone"],
  ])("%s", async (_what, script, outcome, connection) => {
    expect(await play(script)).toMatchObject({ outcome, connection });
  });
});

describe("a connection that goes on", () => {
  it.each<Row>([
    ["with rubbish behind the answer", `${OK}content-length: 2\r\n\r\nok!`, "200 ok", "gone"],
    ["with a smuggled answer", Buffer.concat([answer("200 OK", {}, "ok"), SMUGGLED]), "200 ok", "gone"],
    [
      "with a smuggled redirect",
      `${OK}content-length: 2\r\n\r\nokHTTP/1.1 302 Go\r\nlocation: /evil\r\n\r\n`,
      "200 ok",
      "gone",
    ],
    ["with empty lines behind the answer", `${OK}content-length: 2\r\n\r\nok\r\n\r\n`, "200 ok", "kept"],
    ["although it said it would close", `${OK}connection: close\r\ncontent-length: 2\r\n\r\nok`, "200 ok", "gone"],
    [
      "after it said it would close",
      `${OK}connection: close\r\ncontent-length: 2\r\n\r\nok${SMUGGLED}`,
      "200 ok",
      "gone",
    ],
    ["for no time at all", `${OK}keep-alive: timeout=0\r\ncontent-length: 2\r\n\r\nok`, "200 ok", "gone"],
    ["for ever", `${OK}keep-alive: timeout=999999999999\r\ncontent-length: 2\r\n\r\nok`, "200 ok", "kept"],
    [
      "and names both ways at once",
      `${OK}connection: keep-alive, close\r\ncontent-length: 2\r\n\r\nok`,
      "200 ok",
      "gone",
    ],
  ])("%s", async (_what, script, outcome, connection) => {
    expect(await play(script)).toMatchObject({ outcome, connection });
  });

  it("is dropped when it speaks without being asked", async () => {
    const server = await serve((socket) => {
      socket.write(answer("200 OK", {}, "ok"));
      if (server.connections === 1) setTimeout(() => socket.write(SMUGGLED), 30);
    });
    const transport = transportTo([server]);
    await transport.request({ url: server.origin });
    await untilClosed(server);
    const { bytes } = await transport.request({ url: server.origin });
    expect([Buffer.from(bytes).toString(), server.connections]).toEqual(["ok", 2]);
  });

  it("gives a smuggled answer to nobody who waits in line for it", async () => {
    const server = await serve((socket, head) => {
      const own = answer("200 OK", {}, head.split(" ")[1]);
      socket.write(server.connections % 2 === 1 ? Buffer.concat([own, SMUGGLED]) : own);
    });
    const transport = transportTo([server], { maxConnectionsPerOrigin: 1 });
    const paths = ["/1", "/2", "/3", "/4", "/5"];
    const answers = await Promise.all(paths.map((path) => transport.request({ url: server.origin + path })));
    expect(answers.map(({ bytes }) => Buffer.from(bytes).toString())).toEqual(paths);
  });
});

describe("a warm connection that closes while it is used again", () => {
  async function race(request: { readonly method?: "POST"; readonly retries?: 1 }): Promise<unknown> {
    const server = await serve((socket, head) => {
      if (head.includes(" /again ") && server.connections === 1) socket.destroy();
      else socket.write(answer("200 OK", {}, "ok"));
    });
    const transport = transportTo([server]);
    await transport.request({ url: server.origin });
    const outcome = await transport
      .request({ url: `${server.origin}/again`, ...request })
      .catch((error: unknown) => error);
    return { outcome, requests: server.received.join("").match(/\/again/g)?.length };
  }

  it("fails so that it may be tried again", async () => {
    expect(await race({})).toMatchObject({ outcome: { code: "connect_failed", retryable: true }, requests: 1 });
  });

  it("is replaced where a retry is allowed", async () => {
    expect(await race({ retries: 1 })).toMatchObject({ outcome: { status: 200, requests: 2 }, requests: 2 });
  });

  it("does not act twice", async () => {
    expect(await race({ method: "POST", retries: 1 })).toMatchObject({
      outcome: { code: "connect_failed" },
      requests: 1,
    });
  });
});

describe("a request that is not read", () => {
  const large = { method: "POST", body: new Uint8Array(8_000_000) } as const;
  /** Reads nothing more for a while: the window closes. */
  const deaf = (socket: Socket): void => {
    socket.pause();
    setTimeout(() => socket.resume(), 400);
  };

  it("ends at the deadline", async () => {
    expect(await play(deaf, { ...large, timeoutMs: 200 })).toMatchObject({ outcome: "timeout", connection: "gone" });
  });

  it.each<[string, (socket: Socket) => void]>([
    ["and kept", (socket) => socket.write(answer("413 Content Too Large", {}, "no"))],
    ["and closed", (socket) => socket.end(answer("413 Content Too Large", { connection: "close" }, "no"))],
  ])("and answered early %s: is an answer, and the rest of it is in nobody's way", async (_what, reply) => {
    const played = await play((socket) => {
      deaf(socket);
      reply(socket);
    }, large);
    expect(played).toMatchObject({ outcome: "413 no", connection: "gone" });
  });

  it("sent faster than it is read arrives whole", async () => {
    const body = new Uint8Array(1_500_000).fill(97);
    const slow: Script = (socket) => {
      let left = body.length;
      socket.on("data", (chunk: Buffer) => {
        left -= chunk.length;
        socket.pause();
        setTimeout(() => socket.resume(), 1);
        if (left <= 65_536) socket.write(answer("200 OK", {}, "read"));
        if (left <= 65_536) left = Number.POSITIVE_INFINITY;
      });
    };
    expect((await play(slow, { method: "POST", body })).outcome).toBe("200 read");
  });
});

describe("an answer in drops", () => {
  it("of one byte each is read whole", async () => {
    const bytes = answer("200 OK", { "x-a": "1" }, "one byte at a time");
    const byByte: Script = (socket) => {
      let at = 0;
      const timer = setInterval(() => {
        socket.write(bytes.subarray(at, at + 1));
        at += 1;
        if (at === bytes.length) clearInterval(timer);
      }, 1);
      socket.on("close", () => clearInterval(timer));
    };
    expect(await play(byByte)).toMatchObject({ outcome: "200 one byte at a time", connection: "kept" });
  });

  const gzipName = Buffer.from([0x1f, 0x8b, 8, 8, 0, 0, 0, 0, 0, 255]);
  it.each<[string, Script]>([
    ["the version", drip("HTTP/", "")],
    ["the reason phrase", drip("HTTP/1.1 200 ", "x")],
    ["a header's name", drip(`${OK}x-`, "x")],
    ["a header's value", drip(`${OK}x-a: `, "x")],
    ["interim answers", drip("", "HTTP/1.1 102 Processing\r\n\r\n")],
    ["empty lines", drip("", "\r\n")],
    ["a body with a length", drip(`${OK}content-length: 100000\r\n\r\n`, "x")],
    ["chunks", drip(`${OK}transfer-encoding: chunked\r\n\r\n`, "1\r\nx\r\n")],
    ["a chunk's size", drip(`${OK}transfer-encoding: chunked\r\n\r\n`, "0")],
    ["a chunk's extension", drip(`${OK}transfer-encoding: chunked\r\n\r\n1;`, "x")],
    ["a gzip header's name", drip(Buffer.concat([Buffer.from(`${OK}content-encoding: gzip\r\n\r\n`), gzipName]), "x")],
    ["nothing after a redirect's status", drip("HTTP/1.1 302 Found\r\n", "")],
  ])("ends at the deadline: %s", async (_what, script) => {
    expect(await play(script, { timeoutMs: 150 })).toMatchObject({ outcome: "timeout", connection: "gone" });
  });

  it("does not outlive a transport that closes", async () => {
    const server = await serve((socket, head) => drippingBody(socket, head));
    const transport = transportTo([server]);
    const outcome = transport.request({ url: server.origin }).then(() => "an answer", describeError);
    await expect.poll(() => server.received.join("")).toContain("GET");
    await transport.close();
    expect(await outcome).toBe("aborted");
    await untilClosed(server);
  });
});

const drippingBody = drip(`${OK}content-length: 100000\r\n\r\n`, "x") as (socket: Socket, head: string) => void;
