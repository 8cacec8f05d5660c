import { gzipSync } from "node:zlib";
import { describe, expect, it } from "vitest";
import { createJail, createTransport } from "../../src/net/index.js";
import { closeAfter } from "../helpers/close-after.js";
import { serve, transportTo } from "../helpers/jail-bench.js";
import { answer } from "../helpers/raw-server.js";

describe("what a request used", () => {
  it("counts redirects and retries, with the bytes of every body", async () => {
    const pages = [
      answer("302 Found", { location: "/b" }),
      answer("503 Busy", { "retry-after": "0" }, "later"),
      answer("200 OK", {}, "fine"),
    ];
    const server = await serve((socket) => socket.write(pages.shift() ?? answer("404 Not Found")));
    const response = await transportTo([server]).request({ url: server.origin, retries: 1 });
    expect(response).toMatchObject({ status: 200, requests: 3, wireBytes: "later".length + "fine".length });
  });

  it("counts a body as it came, not as it was decoded", async () => {
    const body = gzipSync("a sentence. ".repeat(100));
    const server = await serve((socket) => socket.write(answer("200 OK", { "content-encoding": "gzip" }, body)));
    const response = await transportTo([server]).request({ url: server.origin });
    expect(response).toMatchObject({ requests: 1, wireBytes: body.length });
  });

  it("is told by a failure that came after the first request", async () => {
    const server = await serve((socket, head) => {
      if (head.startsWith("GET /slow")) socket.write("HTTP/1.1 200 OK\r\ncontent-length: 100\r\n\r\nonly this");
      else socket.write(answer("302 Found", { location: "/slow" }));
    });
    const request = transportTo([server]).request({ url: server.origin, timeoutMs: 300 });
    await expect(request).rejects.toMatchObject({
      code: "timeout",
      details: { stage: "body", timeoutMs: 300, requests: 2, wireBytes: "only this".length },
    });
  });

  it("counts each attempt that the server broke off", async () => {
    const server = await serve((socket) => socket.destroy());
    const request = transportTo([server]).request({ url: server.origin, retries: 1 });
    await expect(request).rejects.toMatchObject({ code: "connect_failed", details: { requests: 2, wireBytes: 0 } });
  });

  it("is nothing when the host was not found, or no connection came about", async () => {
    const transport = createTransport({
      jail: createJail({
        exemptions: [{ origin: "http://127.0.0.9:8080", name: "nobody" }],
        resolve: async () => Promise.reject(new Error("no such host")),
      }),
    });
    closeAfter(transport);
    for (const [url, code] of [
      ["http://absent.example.org/", "dns_failed"],
      ["http://127.0.0.9:8080/", "connect_failed"],
    ] as const) {
      const request = transport.request({ url, retries: 1 });
      await expect(request, code).rejects.toMatchObject({ code, details: { requests: 0, wireBytes: 0 } });
    }
  });
});
