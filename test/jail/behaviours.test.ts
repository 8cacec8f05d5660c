import type { Socket } from "node:net";
import { brotliCompressSync, gzipSync } from "node:zlib";
import { describe, expect, it } from "vitest";
import { createJail, createTransport, type TransportRequest, type TransportResponse } from "../../src/net/index.js";
import { serve, transportTo } from "../helpers/jail-bench.js";
import { answer, type RawServer } from "../helpers/raw-server.js";

const CAP = 2_000_000;

async function ask(
  onRequest: (socket: Socket, head: string) => void,
  request: Omit<TransportRequest, "url"> = {},
): Promise<{ response: Promise<TransportResponse>; server: RawServer }> {
  const server = await serve(onRequest);
  return {
    server,
    response: transportTo([server]).request({ url: `${server.origin}/`, timeoutMs: 3_000, ...request }),
  };
}

/** Writes `chunk` again and again until the other side goes away. */
function repeat(socket: Socket, chunk: string | Buffer, everyMs: number): void {
  const timer = setInterval(() => socket.write(chunk), everyMs);
  socket.on("close", () => clearInterval(timer));
}

async function untilClosed(server: RawServer): Promise<void> {
  await expect.poll(() => server.open, { timeout: 10_000, interval: 10 }).toBe(0);
}

describe("bodies", () => {
  it.each([
    ["gzip-bomb", "gzip", gzipSync(Buffer.alloc(64 * 1024 * 1024))],
    ["brotli-bomb", "br", brotliCompressSync(Buffer.alloc(64 * 1024 * 1024))],
  ])("%s: stops by the ratio before the cap is reached", async (_id, coding, bomb) => {
    const { response } = await ask((socket) => socket.write(answer("200 OK", { "content-encoding": coding }, bomb)));
    await expect(response).rejects.toMatchObject({ code: "too_large", message: expect.stringContaining("expansion") });
  });

  it("cuts a body that expands slowly at the decoded cap", async () => {
    const text = Array.from({ length: 400_000 }, (_, i) => (i * 2_654_435_761).toString(36)).join(" ");
    const { response } = await ask(
      (socket) => socket.write(answer("200 OK", { "content-encoding": "gzip" }, gzipSync(text))),
      { maxBytes: 3_000_000 },
    );
    const { bytes, truncated, wireBytes } = await response;
    expect(truncated).toBe("cap");
    expect(bytes.length).toBe(3_000_000);
    expect(Buffer.from(bytes).toString()).toBe(text.slice(0, 3_000_000));
    expect(wireBytes).toBeLessThanOrEqual(3_000_000);
  });

  it.each([
    ["zstd-bomb", "zstd"],
    ["an unknown coding", "compress"],
    ["double-gzip", "gzip, gzip"],
    ["fifty-codings", Array(50).fill("gzip").join(", ")],
    ["a name of the prototype", "constructor"],
  ])("%s: is refused before the body is read", async (_id, coding) => {
    const { response, server } = await ask((socket) => {
      socket.write(`HTTP/1.1 200 OK\r\ncontent-encoding: ${coding}\r\n\r\n`);
      repeat(socket, Buffer.alloc(1024), 5);
    });
    await expect(response).rejects.toMatchObject({ code: "decoding_failed" });
    await untilClosed(server);
  });

  it("asks for gzip, deflate and br alone, whatever the caller wants", async () => {
    const { response, server } = await ask((socket) => socket.write(answer("200 OK")), {
      headers: { "Accept-Encoding": "zstd" },
    });
    await response;
    expect(server.received[0]).toMatch(/^accept-encoding: gzip, deflate, br\r$/m);
    expect(server.received[0]).not.toContain("zstd");
  });

  it("endless-body: is cut at the cap and its socket destroyed", async () => {
    const { response, server } = await ask((socket) => {
      socket.write("HTTP/1.1 200 OK\r\n\r\n");
      repeat(socket, Buffer.alloc(256 * 1024, "x"), 1);
    });
    const { bytes, truncated } = await response;
    expect([bytes.length, truncated]).toEqual([CAP, "cap"]);
    await untilClosed(server);
  });

  it("lying-length-short: reads what was declared and drops the smuggled rest with the socket", async () => {
    const { response, server } = await ask((socket) =>
      socket.write(`HTTP/1.1 200 OK\r\ncontent-length: 5\r\n\r\nhello${answer("200 OK", {}, "x".repeat(1000))}`),
    );
    const { bytes, truncated } = await response;
    expect([Buffer.from(bytes).toString(), truncated]).toEqual(["hello", undefined]);
    await untilClosed(server);
  });

  it("lying-length-long: is refused before the body is read", async () => {
    const { response, server } = await ask((socket) => {
      socket.write("HTTP/1.1 200 OK\r\ncontent-length: 10000000000\r\n\r\n");
      repeat(socket, "x", 10);
    });
    await expect(response).rejects.toMatchObject({ code: "too_large" });
    await untilClosed(server);
  });

  it("does not hold a HEAD answer to a length whose body never comes", async () => {
    const { response } = await ask((socket) => socket.write("HTTP/1.1 200 OK\r\ncontent-length: 10000000000\r\n\r\n"), {
      method: "HEAD",
    });
    expect((await response).bytes).toHaveLength(0);
  });

  it("says that a gzip stream broke off, and keeps what it held", async () => {
    const whole = gzipSync("A sentence that is long enough to be seen. ".repeat(2_000));
    const { response } = await ask((socket) =>
      socket.end(answer("200 OK", { "content-encoding": "gzip" }, whole.subarray(0, 60))),
    );
    const { bytes, truncated } = await response;
    expect(truncated).toBe("stream");
    expect(Buffer.from(bytes).toString()).toMatch(/^A sentence/);
  });

  it("says that a connection broke off in the body", async () => {
    const { response } = await ask((socket) => socket.end("HTTP/1.1 200 OK\r\ncontent-length: 100\r\n\r\nonly this"));
    const { bytes, truncated } = await response;
    expect([Buffer.from(bytes).toString(), truncated]).toEqual(["only this", "stream"]);
  });
});

describe("time", () => {
  it.each<[string, string, (socket: Socket) => void]>([
    [
      "drip-body",
      "body",
      (socket) => {
        socket.write("HTTP/1.1 200 OK\r\n\r\n");
        repeat(socket, "x", 20);
      },
    ],
    [
      "drip-headers",
      "headers",
      (socket) => {
        socket.write("HTTP/1.1 200 OK\r\n");
        repeat(socket, "x-more: 1\r\n", 20);
      },
    ],
    ["endless-1xx", "headers", (socket) => repeat(socket, "HTTP/1.1 103 Early Hints\r\nlink: </a>\r\n\r\n", 20)],
    ["silent", "headers", () => {}],
  ])("%s: ends at the total deadline, in the stage %s", async (_id, stage, onRequest) => {
    const { response, server } = await ask(onRequest, { timeoutMs: 250 });
    await expect(response).rejects.toMatchObject({ code: "timeout", details: { stage, timeoutMs: 250 } });
    await untilClosed(server);
  });

  it("redirect-slow: one deadline covers the whole chain", async () => {
    const { response, server } = await ask(
      (socket) => setTimeout(() => socket.write(answer("302 Found", { location: "/again" })), 100),
      { timeoutMs: 250 },
    );
    await expect(response).rejects.toMatchObject({ code: "timeout" });
    expect(server.received.join("").match(/^GET/gm)?.length).toBeLessThanOrEqual(3);
  });

  it("does not count the time in which someone else decides", async () => {
    const { response } = await ask((socket) => socket.write(answer("200 OK", {}, "fine")), {
      timeoutMs: 300,
      approveHop: () => new Promise((resolve) => setTimeout(resolve, 450)),
    });
    expect((await response).status).toBe(200);
  });

  it("can be cancelled while someone else decides", async () => {
    const signal = AbortSignal.timeout(100);
    const { response, server } = await ask(() => {}, { signal, approveHop: () => new Promise(() => {}) });
    await expect(response).rejects.toMatchObject({ code: "aborted" });
    expect(server.connections).toBe(0);
  });

  it("ends a look-up that never answers", async () => {
    const transport = createTransport({ jail: createJail({ resolve: () => new Promise(() => {}) }) });
    const request = transport.request({ url: "http://slow.example.org/", timeoutMs: 100 });
    await expect(request).rejects.toMatchObject({ code: "timeout", details: { stage: "dns" } });
    await transport.close();
  });

  it("ends at once when the caller cancels, before and during a request", async () => {
    const controller = new AbortController();
    const { response, server } = await ask(() => controller.abort(new Error("enough")), { signal: controller.signal });
    await expect(response).rejects.toMatchObject({ code: "aborted" });
    await untilClosed(server);
    const request = transportTo([server]).request({ url: server.origin, signal: controller.signal });
    await expect(request).rejects.toMatchObject({ code: "aborted" });
    expect(server.connections).toBe(1);
  });
});

describe("protocol", () => {
  it.each<[string, string]>([
    ["header-flood", `HTTP/1.1 200 OK\r\n${`x-flood: ${"y".repeat(1000)}\r\n`.repeat(1200)}\r\n`],
    ["smuggle-te-cl", "HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\ncontent-length: 5\r\n\r\n0\r\n\r\n"],
    ["http09", "<h1>no status line</h1>"],
    ["a Redis banner", "-ERR unknown command 'GET'\r\n"],
    ["an SMTP banner", "220 mail.example.org ESMTP\r\n"],
  ])("%s: is refused", async (_id, wire) => {
    const { response, server } = await ask((socket) => socket.write(wire));
    await expect(response).rejects.toMatchObject({ code: "protocol_error" });
    await untilClosed(server);
  });

  it("takes headers of 20 KB, which some real sites send", async () => {
    const { response } = await ask((socket) => socket.write(answer("200 OK", { "x-policy": "y".repeat(20_000) })));
    expect((await response).headers.get("X-Policy")).toHaveLength(20_000);
  });

  it("alt-svc: stays on the same connection and protocol", async () => {
    const server = await serve((socket) => socket.write(answer("200 OK", { "alt-svc": 'h3=":443", h2=":9"' })));
    const transport = transportTo([server]);
    await transport.request({ url: server.origin });
    await transport.request({ url: server.origin });
    expect(server.connections).toBe(1);
    expect(server.received[0]?.match(/^GET \/ HTTP\/1\.1\r$/gm)).toHaveLength(2);
  });

  it("meta-refresh: is content, not a redirect", async () => {
    const page = '<meta http-equiv="refresh" content="0;url=http://127.0.0.1/">';
    const { response } = await ask((socket) =>
      socket.write(answer("200 OK", { refresh: "0;url=http://127.0.0.1/" }, page)),
    );
    expect(await response).toMatchObject({ status: 200, hops: [{ status: 200 }] });
  });
});
