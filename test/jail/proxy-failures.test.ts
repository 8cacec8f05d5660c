import { describe, expect, it } from "vitest";
import { createJail, createTransport, type TransportOptions } from "../../src/net/index.js";
import { closeAfter } from "../helpers/close-after.js";
import { serve } from "../helpers/jail-bench.js";
import { httpProxy, site, through } from "../helpers/proxy-bench.js";
import { openRawServer, type RawServer } from "../helpers/raw-server.js";
import { TLS_HOST } from "../helpers/tls-site.js";

describe("passwords", () => {
  it("go to the proxy and to nobody else", async () => {
    const server = await site();
    const proxy = await httpProxy({ credentials: "user:hunter2", knownHosts: [TLS_HOST] });
    for (const dns of ["local", "proxy"] as const) {
      const { transport, events } = through(server, { url: `http://user:hunter2@127.0.0.1:${proxy.port}`, dns });
      const response = await transport.request({ url: `http://${TLS_HOST}:${server.port}/` });
      expect(response.status).toBe(200);
      expect(JSON.stringify([events, response.hops])).not.toContain("hunter2");
    }
    expect(server.received.join("")).not.toMatch(/proxy-auth|aHVudGVyMg|hunter2/i);
    expect(proxy.authorizations).toHaveLength(2);
  });

  it("are asked for by name when they are missing or wrong, and never tried twice", async () => {
    const server = await site();
    const proxy = await httpProxy({ credentials: "user:hunter2" });
    for (const [userinfo, reason] of [
      ["", "auth_required"],
      ["user:wrong@", "auth_refused"],
    ]) {
      const { transport } = through(server, { url: `http://${userinfo}127.0.0.1:${proxy.port}` });
      const request = transport.request({ url: `http://${TLS_HOST}:${server.port}/`, retries: 1 });
      const failure = await request.catch((error: unknown) => error);
      expect(failure).toMatchObject({ code: "proxy_failed", details: { reason, status: 407 } });
      expect(`${String(failure)} ${JSON.stringify(failure)}`).not.toMatch(/wrong|hunter2/);
    }
    expect(proxy.tunnels).toHaveLength(2);
  });

  it("cannot be set or read by a caller's header", async () => {
    const server = await site();
    const proxy = await httpProxy({ knownHosts: [TLS_HOST] });
    const { transport } = through(server, { url: `http://127.0.0.1:${proxy.port}`, dns: "proxy" });
    await transport.request({
      url: `http://${TLS_HOST}:${server.port}/`,
      headers: { "Proxy-Authorization": "Basic eDp5", "proxy-connection": "x" },
    });
    expect(proxy.authorizations).toEqual([]);
  });
});

describe("advice", () => {
  const unreached = async (options: Pick<TransportOptions, "proxy" | "unusedProxy">): Promise<string> => {
    const jail = createJail({ resolve: () => Promise.reject(new Error("no such name")) });
    const transport = closeAfter(createTransport({ jail, ...options }));
    const failure = await transport.request({ url: "http://site.example.org/" }).catch((error: unknown) => error);
    expect(failure).toMatchObject({ code: "dns_failed" });
    return String((failure as { hint?: string }).hint);
  };

  it("names the variable that would have named a proxy", async () => {
    expect(await unreached({ unusedProxy: "HTTPS_PROXY" })).toMatch(/HTTPS_PROXY is set and not used/);
    expect(await unreached({})).not.toMatch(/proxy/i);
  });

  it("says that the proxy may resolve names where we cannot", async () => {
    expect(await unreached({ proxy: { http: "http://127.0.0.1:3128" } })).toMatch(/`proxy\.dns` = `proxy`/);
  });

  it("does not advise what is set already", async () => {
    const proxy = await httpProxy({ knownHosts: [TLS_HOST] });
    const server = await site();
    for (const [options, isAdvised] of [
      [{ url: `http://127.0.0.1:${proxy.port}` }, true],
      [{ url: `http://127.0.0.1:${proxy.port}`, dns: "proxy" }, false],
    ] as const) {
      await server.close();
      const { transport } = through(server, options);
      const failure = await transport.request({ url: `https://${TLS_HOST}:${server.port}/` }).catch((error) => error);
      expect(failure).toMatchObject({ code: "proxy_failed", details: { reason: "server_unreachable" } });
      expect(failure.hint.includes("proxy.dns")).toBe(isAdvised);
    }
  });
});

describe("proxy options that are wrong", () => {
  it.each([
    "http://127.0.0.1:3128",
    { url: "http://127.0.0.1:3128" },
    { http: 3128 },
    { http: "http://127.0.0.1:3128", dns: "remote" },
    { http: "http://127.0.0.1:3128", bypass: "example.org" },
    { https: "env" },
    null,
  ])("are refused, and nothing goes around the proxy that was meant: %j", (proxy) => {
    const options = { jail: createJail(), proxy } as unknown as TransportOptions;
    expect(() => createTransport(options)).toThrow(expect.objectContaining({ code: "invalid_configuration" }));
  });
});

describe("a proxy that misbehaves", () => {
  const misbehaving = (wire: string | Buffer | undefined): Promise<RawServer> =>
    serve((socket) => (wire === undefined ? socket.destroy() : socket.write(wire)));

  it.each<[string, string | undefined, string]>([
    ["hangs up", undefined, "protocol"],
    ["speaks another protocol", "220 mail.example.org ESMTP\r\n", "protocol"],
    [
      "sends a flood of headers",
      `HTTP/1.1 200 OK\r\n${`x-flood: ${"y".repeat(1000)}\r\n`.repeat(100)}\r\n`,
      "protocol",
    ],
    ["sends bytes before the server could", "HTTP/1.1 200 OK\r\n\r\nHTTP/1.1 200 OK\r\n\r\nforged", "protocol"],
    ["redirects", "HTTP/1.1 302 Found\r\nlocation: http://127.0.0.1/\r\n\r\n", "portal"],
    ["has no time", "HTTP/1.1 429 Too Many\r\n\r\n", "busy"],
    ["wants a password as a site would", "HTTP/1.1 401 No\r\nwww-authenticate: Basic\r\n\r\n", "auth_required"],
    ["answers 100 first", "HTTP/1.1 100 Continue\r\n\r\nHTTP/1.1 200 OK\r\n\r\n", "refused"],
    ["wants a password in a way nobody named", "HTTP/1.1 407 Auth\r\n\r\n", "auth_required"],
  ])("%s: the site is not asked", async (_how, wire, reason) => {
    const server = await site();
    const proxy = await misbehaving(wire);
    const { transport } = through(server, { url: `http://127.0.0.1:${proxy.port}` });
    const request = transport.request({ url: `http://${TLS_HOST}:${server.port}/?secret`, timeoutMs: 2_000 });
    await expect(request).rejects.toMatchObject({ code: "proxy_failed", details: { reason } });
    expect(server.connections).toBe(0);
    expect(proxy.received.join("")).not.toContain("secret");
    await expect.poll(() => proxy.open).toBe(0);
  });

  it.each(["http", "socks5"])("is silent (%s): the deadline ends it, in the stage of connecting", async (scheme) => {
    const server = await site();
    const proxy = await serve(() => {});
    const { transport } = through(server, { url: `${scheme}://127.0.0.1:${proxy.port}` });
    const request = transport.request({ url: `http://${TLS_HOST}:${server.port}/`, timeoutMs: 200 });
    await expect(request).rejects.toMatchObject({
      code: "timeout",
      details: { stage: "proxy" },
      hint: expect.stringContaining("proxy"),
    });
    await expect.poll(() => proxy.open).toBe(0);
  });

  it("is not there", async () => {
    const server = await site();
    const gone = await openRawServer(() => {});
    await gone.close();
    const { transport } = through(server, { url: `http://127.0.0.1:${gone.port}` });
    const failure = await transport
      .request({ url: `http://${TLS_HOST}:${server.port}/` })
      .catch((error: unknown) => error);
    expect(failure).toMatchObject({ code: "proxy_failed", retryable: true, details: { reason: "unreachable" } });
    expect(String((failure as Error).cause)).not.toContain("127.0.0.1");
  });

  it("is not dialled any more when the request ended while its name was looked up", async () => {
    const server = await site();
    const proxy = await serve(() => {});
    let answer = (_addresses: string[]): void => {};
    const looked = new Promise<string[]>((resolve) => {
      answer = resolve;
    });
    const { transport } = through(server, { url: `http://proxy.example.org:${proxy.port}`, resolve: () => looked });
    const request = transport.request({ url: `http://${TLS_HOST}:${server.port}/`, timeoutMs: 100 });
    await expect(request).rejects.toMatchObject({ code: "timeout", details: { stage: "proxy" } });
    answer(["127.0.0.1"]);
    await new Promise((resolve) => setTimeout(resolve, 50));
    expect(proxy.connections).toBe(0);
  });

  it("is left at once when the transport closes", async () => {
    const server = await site();
    const proxy = await serve(() => {});
    const { transport } = through(server, { url: `http://127.0.0.1:${proxy.port}` });
    const request = transport.request({ url: `http://${TLS_HOST}:${server.port}/` }).catch((error: unknown) => error);
    await expect.poll(() => proxy.connections).toBe(1);
    await transport.close();
    expect(await request).toMatchObject({ code: "aborted" });
    await expect.poll(() => proxy.open).toBe(0);
  });
});
