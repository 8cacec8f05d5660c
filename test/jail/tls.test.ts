import { readFileSync } from "node:fs";
import { type AddressInfo, createServer } from "node:net";
import { join } from "node:path";
import { afterEach, describe, expect, it, vi } from "vitest";
import { createJail, createTransport, type Transport } from "../../src/net/index.js";
import { answer, openRawServer, type RawServer } from "../helpers/raw-server.js";

const fixture = (name: string): string => readFileSync(join(import.meta.dirname, "../fixtures/tls", name), "utf8");
const HOST = "secure.example.org";
const closing: (() => Promise<void>)[] = [];

afterEach(async () => {
  vi.restoreAllMocks();
  delete process.env.NODE_TLS_REJECT_UNAUTHORIZED;
  for (const close of closing.splice(0).reverse()) await close();
});

async function serveWith(certificate: string): Promise<RawServer> {
  const tls = { cert: fixture(`${certificate}.pem`), key: fixture(`${certificate}.key`) };
  const server = await openRawServer((socket) => socket.write(answer("200 OK", {}, "secure")), { tls });
  closing.push(server.close);
  return server;
}

function transportTo(server: Pick<RawServer, "port">, options: { readonly ca?: readonly string[] } = {}): Transport {
  const origins = [`https://${HOST}:${server.port}`, `https://127.0.0.1:${server.port}`];
  const transport = createTransport({
    jail: createJail({
      exemptions: origins.map((origin) => ({ origin, name: "test" })),
      resolve: async () => ["127.0.0.1"],
    }),
    ...options,
  });
  closing.push(transport.close);
  return transport;
}

describe("TLS", () => {
  const trusted = { ca: [fixture("ca.pem")] };

  it("reaches a pinned address under the URL's own name", async () => {
    const server = await serveWith("good");
    const transport = transportTo(server, trusted);
    const response = await transport.request({ url: `https://${HOST}:${server.port}/` });
    expect(Buffer.from(response.bytes).toString()).toBe("secure");
    expect(server.received[0]).toContain(`host: ${HOST}:${server.port}`);
    const byAddress = await transport.request({ url: `https://127.0.0.1:${server.port}/` });
    expect(byAddress.status).toBe(200);
  });

  it.each([
    ["tls-self-signed", "self-signed", /signed by itself/],
    ["tls-wrong-host", "other-host", /belongs to another host/],
    ["an expired certificate", "expired", /has expired/],
  ])("%s: is refused before a byte of the request is sent", async (_id, certificate, words) => {
    const server = await serveWith(certificate);
    const request = transportTo(server, trusted).request({ url: `https://${HOST}:${server.port}/?secret` });
    await expect(request).rejects.toMatchObject({ code: "tls_failed", message: expect.stringMatching(words) });
    expect(server.received.join("")).toBe("");
  });

  it("trusts no authority that was not named", async () => {
    const server = await serveWith("good");
    const request = transportTo(server).request({ url: `https://${HOST}:${server.port}/` });
    await expect(request).rejects.toMatchObject({ code: "tls_failed" });
  });

  it("cannot be turned off by the environment", async () => {
    process.env.NODE_TLS_REJECT_UNAUTHORIZED = "0";
    vi.spyOn(process, "emitWarning").mockImplementation(() => {});
    const server = await serveWith("self-signed");
    const request = transportTo(server).request({ url: `https://${HOST}:${server.port}/` });
    await expect(request).rejects.toMatchObject({ code: "tls_failed" });
  });

  it("counts the handshake as connecting", async () => {
    const silent = await openRawServer(() => {});
    closing.push(silent.close);
    const request = transportTo(silent).request({ url: `https://${HOST}:${silent.port}/`, timeoutMs: 200 });
    await expect(request).rejects.toMatchObject({ code: "timeout", details: { stage: "connect" } });
    await expect.poll(() => silent.open).toBe(0);
  });

  it("says when the other side answers with something else", async () => {
    const plain = createServer((socket) =>
      socket
        .on("error", () => {})
        .resume()
        .end("HTTP/1.1 400 Bad Request\r\n\r\n"),
    );
    await new Promise<void>((resolve) => plain.listen(0, "127.0.0.1", resolve));
    closing.push(() => new Promise((resolve) => plain.close(() => resolve())));
    const { port } = plain.address() as AddressInfo;
    const request = transportTo({ port }).request({ url: `https://${HOST}:${port}/` });
    await expect(request).rejects.toMatchObject({ code: "tls_failed" });
  });
});
