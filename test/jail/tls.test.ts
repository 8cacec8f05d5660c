import { afterEach, describe, expect, it, vi } from "vitest";
import type { TransportOptions } from "../../src/net/index.js";
import { TLS_REASONS, type TlsReason } from "../../src/net/tls/tls-reasons.js";
import { closeAfter } from "../helpers/close-after.js";
import { fingerprintOf, serveWith, TLS_HOST, type TlsSite, tlsFixture, transportTo } from "../helpers/tls-site.js";

afterEach(() => {
  vi.restoreAllMocks();
  delete process.env.NODE_TLS_REJECT_UNAUTHORIZED;
});

function askFor(server: Pick<TlsSite, "port">, options: Partial<TransportOptions> = {}, path = "/") {
  const transport = closeAfter(transportTo(server.port, options));
  return transport.request({ url: `https://${TLS_HOST}:${server.port}${path}` });
}

const trusted = { ca: [tlsFixture("ca.pem")] };

describe("TLS", () => {
  it("reaches a pinned address under the URL's own name", async () => {
    const server = await serveWith("good");
    const transport = closeAfter(transportTo(server.port, trusted));
    const response = await transport.request({ url: `https://${TLS_HOST}:${server.port}/` });
    expect(Buffer.from(response.bytes).toString()).toBe("secure");
    expect(server.received.join("")).toContain(`host: ${TLS_HOST}:${server.port}`);
    const byAddress = await transport.request({ url: `https://127.0.0.1:${server.port}/` });
    expect(byAddress.status).toBe(200);
  });

  it("follows a chain that is sent whole", async () => {
    expect((await askFor(await serveWith("chained"), trusted)).status).toBe(200);
  });

  it("cannot be turned off by the environment", async () => {
    process.env.NODE_TLS_REJECT_UNAUTHORIZED = "0";
    vi.spyOn(process, "emitWarning").mockImplementation(() => {});
    await expect(askFor(await serveWith("self-signed"))).rejects.toMatchObject({ code: "tls_failed" });
    await expect(askFor(await serveWith("other-host"), trusted)).rejects.toMatchObject({ code: "tls_failed" });
  });

  it("verifies each connection anew: no session is resumed", async () => {
    const server = await serveWith("good");
    const transport = closeAfter(transportTo(server.port, { ...trusted, keepAliveMs: 1 }));
    const url = `https://${TLS_HOST}:${server.port}/`;
    await transport.request({ url });
    await expect.poll(() => server.open).toBe(0);
    await transport.request({ url });
    expect(server.resumed).toEqual([false, false]);
    await expect.poll(() => server.open).toBe(0);
    server.present("other-host");
    await expect(transport.request({ url })).rejects.toMatchObject({ details: { reason: "wrong_host" } });
  });
});

/** Rows of the behaviours' catalogue that have a name there keep it. */
const REFUSED: readonly {
  readonly site: string;
  readonly id?: string;
  readonly reason: TlsReason;
  readonly options?: Partial<TransportOptions>;
  readonly interceptor?: string;
}[] = [
  { site: "expired", reason: "expired" },
  { site: "not-yet", reason: "not_yet_valid" },
  { site: "other-host", id: "tls-wrong-host", reason: "wrong_host" },
  { site: "self-signed", id: "tls-self-signed", reason: "self_signed" },
  { site: "client-only", reason: "invalid_certificate" },
  { site: "good", reason: "unknown_authority", options: { ca: [] } },
  { site: "other-authority", reason: "unknown_authority" },
  { site: "chained", reason: "unknown_authority", options: { ca: [] } },
  { site: "without-intermediate", reason: "missing_intermediate" },
  { site: "private-without-intermediate", reason: "unknown_authority" },
  { site: "intercepted", reason: "intercepted", interceptor: "Zscaler" },
  { site: "intercepted-alone", reason: "intercepted", interceptor: "mitmproxy" },
  { site: "intercepted-self-signed", reason: "intercepted", interceptor: "Charles" },
];

describe("a certificate that is refused", () => {
  it.each(REFUSED.map((row) => ({ name: row.id ?? row.site, ...row })))(
    "$name: $reason, before a byte of the request is sent",
    async ({ site, reason, options, interceptor }) => {
      const server = await serveWith(site);
      const error = await askFor(server, { ...trusted, ...options }, "/?secret").catch((refused: unknown) => refused);
      const { says, hint } = TLS_REASONS[reason];
      const sha256 = fingerprintOf(site).replaceAll(":", "").toLowerCase();
      expect(error).toMatchObject({
        code: "tls_failed",
        retryable: false,
        message: says.replace("{party}", "server").replace("{product}", interceptor ?? ""),
        hint,
        details: { reason, sha256, requests: 0, ...(interceptor === undefined ? {} : { interceptor }) },
      });
      expect(server.received).toEqual([]);
      await expect.poll(() => server.open).toBe(0);
    },
  );

  it("is trusted once the intermediate certificate is that it came without", async () => {
    const server = await serveWith("without-intermediate");
    const [, intermediate = ""] = tlsFixture("chained.pem").split(/(?=-----BEGIN)/);
    expect((await askFor(server, { ca: [...trusted.ca, intermediate] })).status).toBe(200);
  });

  it("is trusted once the product's root is", async () => {
    const server = await serveWith("intercepted");
    expect((await askFor(server, { ca: [tlsFixture("interceptor.pem")] })).status).toBe(200);
  });

  it("puts none of its words into the error", async () => {
    const server = await serveWith("hostile");
    for (const options of [{}, trusted, { ca: [tlsFixture("hostile-ca.pem")] }]) {
      const error = await askFor(server, options).catch((refused) => refused);
      expect(error).toMatchObject({ code: "tls_failed" });
      const told = JSON.stringify([error, error.message, error.stack, error.cause]);
      expect(told).not.toMatch(/IGNORE-ME/i);
      expect(told).not.toContain("127.0.0.1");
    }
  });
});
