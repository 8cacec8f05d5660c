import { readFileSync } from "node:fs";
import { join } from "node:path";
import { afterEach, describe, expect, it } from "vitest";
import {
  createJail,
  createTransport,
  type NetEvent,
  type ProxyOptions,
  type Transport,
  type TransportOptions,
} from "../../src/net/index.js";
import { openHttpProxy, openSocksProxy, type ProxyServer, type ProxyServerOptions } from "../helpers/proxy-server.js";
import { answer, openRawServer, type RawServer } from "../helpers/raw-server.js";

const fixture = (name: string): string => readFileSync(join(import.meta.dirname, "../fixtures/tls", name), "utf8");
const tlsOf = (name: string) => ({ cert: fixture(`${name}.pem`), key: fixture(`${name}.key`) });
const ca = [fixture("ca.pem")];
const HOST = "secure.example.org";
const closing: { close(): Promise<void> }[] = [];
const closeAfter = <T extends { close(): Promise<void> }>(closable: T): T => {
  closing.push(closable);
  return closable;
};
afterEach(async () => {
  for (const closable of closing.splice(0).reverse()) await closable.close();
});

const httpProxy = async (options?: ProxyServerOptions) => closeAfter(await openHttpProxy(options));
const socksProxy = async (options?: Parameters<typeof openSocksProxy>[0]) => closeAfter(await openSocksProxy(options));
const site = async (status = "200 OK", tls?: ReturnType<typeof tlsOf>): Promise<RawServer> =>
  closeAfter(
    await openRawServer((socket) => socket.write(answer(status, {}, "the site")), tls === undefined ? {} : { tls }),
  );

interface Through {
  readonly transport: Transport;
  readonly lookUps: string[];
  readonly events: NetEvent[];
}

/** A transport whose DNS leads `HOST` to loopback, where the site of each test may be reached. */
function through(target: Pick<RawServer, "port">, proxy: Partial<ProxyOptions> & { url?: string }): Through {
  const lookUps: string[] = [];
  const events: NetEvent[] = [];
  const origins = [`http://${HOST}:${target.port}`, `https://${HOST}:${target.port}`];
  const { url, ...rest } = proxy;
  const transport = createTransport({
    jail: createJail({
      exemptions: origins.map((origin) => ({ origin, name: "site" })),
      resolve: async (host) => {
        lookUps.push(host);
        return ["127.0.0.1"];
      },
    }),
    ca,
    proxy: { http: url, https: url, ...rest },
    onEvent: (event) => events.push(event),
  });
  return { ...{ transport: closeAfter(transport) }, lookUps, events };
}

const textOf = ({ bytes }: { readonly bytes: Uint8Array }): string => Buffer.from(bytes).toString();
const viaOf = (events: readonly NetEvent[]) =>
  events.flatMap((event) => (event.type === "hop.finished" ? [event] : []));

describe("an HTTP proxy, names resolved here", () => {
  it("is asked for a tunnel to the checked address, while Host and SNI keep the name", async () => {
    const server = await site("200 OK", tlsOf("good"));
    const proxy = await httpProxy();
    const { transport, lookUps, events } = through(server, { url: `http://127.0.0.1:${proxy.port}` });
    const response = await transport.request({ url: `https://${HOST}:${server.port}/page` });
    expect(textOf(response)).toBe("the site");
    expect(proxy.tunnels).toEqual([`127.0.0.1:${server.port}`]);
    expect(server.received[0]).toMatch(new RegExp(`^GET /page HTTP/1.1\\r\\nhost: ${HOST}:${server.port}\\r$`, "m"));
    expect(lookUps).toEqual([HOST]);
    expect(viaOf(events)).toMatchObject([{ via: "exemption", proxy: `http://127.0.0.1:${proxy.port}` }]);
  });

  it("gets no http: request itself either, since it could not be held to an address", async () => {
    const server = await site();
    const proxy = await httpProxy();
    const { transport } = through(server, { url: `http://127.0.0.1:${proxy.port}` });
    expect(textOf(await transport.request({ url: `http://${HOST}:${server.port}/page` }))).toBe("the site");
    expect([proxy.tunnels, proxy.forwards]).toEqual([[`127.0.0.1:${server.port}`], []]);
    expect(server.received[0]).toContain(`host: ${HOST}:${server.port}\r\n`);
  });

  it("keeps its tunnel for the next request to the same origin, and for no other", async () => {
    const [one, two] = [await site(), await site()];
    const proxy = await httpProxy();
    const url = `http://127.0.0.1:${proxy.port}`;
    const jail = createJail({
      exemptions: [one, two].map(({ port }) => ({ origin: `http://${HOST}:${port}`, name: "site" })),
      resolve: async () => ["127.0.0.1"],
    });
    const transport = closeAfter(createTransport({ jail, proxy: { http: url } }));
    for (const { port } of [one, one, two, one]) await transport.request({ url: `http://${HOST}:${port}/` });
    expect(proxy.tunnels).toEqual([`127.0.0.1:${one.port}`, `127.0.0.1:${two.port}`]);
  });

  it("is asked for the next checked address when it cannot reach the first", async () => {
    const server = await site();
    const proxy = await httpProxy({
      refuse: (target) => (target.startsWith("[") ? "HTTP/1.1 503 No Route\r\ncontent-length: 0\r\n\r\n" : undefined),
    });
    const jail = createJail({
      exemptions: [{ origin: `http://${HOST}:${server.port}`, name: "site" }],
      resolve: async () => ["::1", "127.0.0.1"],
    });
    const transport = closeAfter(createTransport({ jail, proxy: { http: `http://127.0.0.1:${proxy.port}` } }));
    expect((await transport.request({ url: `http://${HOST}:${server.port}/` })).status).toBe(200);
    expect(proxy.tunnels).toEqual([`[::1]:${server.port}`, `127.0.0.1:${server.port}`]);
  });
});

describe("a proxy that resolves names", () => {
  it.each([
    ["http:", "an absolute request (RFC 9112 3.2.2)"],
    ["https:", "a tunnel to the name"],
  ])("gets for %s %s, and nothing is looked up here", async (scheme) => {
    const server = await site("200 OK", scheme === "https:" ? tlsOf("good") : undefined);
    const proxy = await httpProxy({ knownHosts: [HOST] });
    const { transport, lookUps, events } = through(server, { url: `http://127.0.0.1:${proxy.port}`, dns: "proxy" });
    const url = `${scheme}//${HOST}:${server.port}/page?q=1`;
    const response = await transport.request({ url });
    expect(textOf(response)).toBe("the site");
    expect(lookUps).toEqual([]);
    expect(proxy.tunnels).toEqual(scheme === "https:" ? [`${HOST}:${server.port}`] : []);
    expect(proxy.forwards).toEqual(scheme === "https:" ? [] : [url]);
    expect(response.hops).toMatchObject([{ via: "delegated" }]);
    expect(viaOf(events)).toMatchObject([{ via: "delegated" }]);
    expect(events.some(({ type }) => type === "dns.resolved")).toBe(false);
  });

  it.each([
    "http://10.0.0.1/",
    "http://0x7f.1/",
    "http://[::ffff:169.254.169.254]/",
    "http://metadata.google.internal/",
    "http://printer.local/",
    "http://example.org:25/",
    "ftp://example.org/",
  ])("is never asked for %s", async (url) => {
    const proxy = await httpProxy({ knownHosts: [HOST] });
    const { transport } = through({ port: 9 + 8000 }, { url: `http://127.0.0.1:${proxy.port}`, dns: "proxy" });
    await expect(transport.request({ url })).rejects.toMatchObject({ code: "jail_refused" });
    expect(proxy.connections).toBe(0);
  });

  it("has its own words told from the site's", async () => {
    const server = await site("403 Forbidden");
    const refusals = new Map([
      [
        "/auth",
        "HTTP/1.1 407 Auth\r\nproxy-authenticate: Negotiate, NTLM\r\nconnection: close\r\ncontent-length: 0\r\n\r\n",
      ],
      [
        "/status",
        "HTTP/1.1 504 Timeout\r\nproxy-status: lab; error=connection_timeout\r\nconnection: close\r\ncontent-length: 0\r\n\r\n",
      ],
      ["/squid", "HTTP/1.1 403 Forbidden\r\nx-squid-error: ERR_ACCESS_DENIED 0\r\ncontent-length: 0\r\n\r\n"],
    ]);
    const proxy = await httpProxy({ knownHosts: [HOST], refuse: (target) => refusals.get(new URL(target).pathname) });
    const { transport } = through(server, { url: `http://127.0.0.1:${proxy.port}`, dns: "proxy" });
    const ask = (path: string) => transport.request({ url: `http://${HOST}:${server.port}${path}` });
    expect(await ask("/")).toMatchObject({ status: 403, hops: [{ status: 403 }] });
    await expect(ask("/auth")).rejects.toMatchObject({
      code: "proxy_failed",
      details: { reason: "auth_unsupported", status: 407 },
    });
    await expect(ask("/status")).rejects.toMatchObject({ details: { reason: "server_unreachable", status: 504 } });
    await expect(ask("/squid")).rejects.toMatchObject({ details: { reason: "refused", status: 403 } });
  });
});

describe("an HTTPS proxy", () => {
  it("is checked under its own name, and the site under the site's, one inside the other", async () => {
    const server = await site("200 OK", tlsOf("good"));
    const proxy = await httpProxy({ tls: tlsOf("good"), credentials: "user:pass word" });
    const { transport } = through(server, {
      url: `https://user:pass%20word@${HOST}:${proxy.port}`,
      resolve: async () => ["127.0.0.1"],
    });
    expect(textOf(await transport.request({ url: `https://${HOST}:${server.port}/` }))).toBe("the site");
    expect(proxy.tunnels).toEqual([`127.0.0.1:${server.port}`]);
  });

  it.each([
    ["another host's", "other-host"],
    ["an expired", "expired"],
    ["a self-signed", "self-signed"],
  ])("that shows %s certificate gets neither a password nor a target", async (_which, certificate) => {
    const server = await site();
    const proxy = closeAfter(await openRawServer(() => {}, { tls: tlsOf(certificate) }));
    const { transport } = through(server, {
      url: `https://user:secret@${HOST}:${proxy.port}`,
      resolve: async () => ["127.0.0.1"],
    });
    const failure = await transport.request({ url: `http://${HOST}:${server.port}/` }).catch((error: unknown) => error);
    expect(failure).toMatchObject({ code: "proxy_failed", details: { reason: "tls" }, cause: { code: "tls_failed" } });
    expect(proxy.received.join("")).toBe("");
    expect(server.connections).toBe(0);
  });
});

describe("a SOCKS 5 proxy", () => {
  it("socks5: gets the checked address", async () => {
    const server = await site("200 OK", tlsOf("good"));
    const proxy = await socksProxy();
    const { transport, lookUps } = through(server, { url: `socks5://127.0.0.1:${proxy.port}` });
    expect(textOf(await transport.request({ url: `https://${HOST}:${server.port}/` }))).toBe("the site");
    expect(proxy.tunnels).toEqual([`127.0.0.1:${server.port}`]);
    expect(lookUps).toEqual([HOST]);
  });

  it("socks5h: gets the name, for http: too, and nothing is looked up here", async () => {
    const server = await site();
    const proxy = await socksProxy({ knownHosts: [HOST] });
    const { transport, lookUps } = through(server, { url: `socks5h://127.0.0.1:${proxy.port}` });
    const response = await transport.request({ url: `http://${HOST}:${server.port}/page` });
    expect(response.hops).toMatchObject([{ via: "delegated" }]);
    expect(server.received[0]).toMatch(/^GET \/page HTTP/);
    expect([proxy.tunnels, lookUps]).toEqual([[`${HOST}:${server.port}`], []]);
  });

  it("gets a password when it wants one (RFC 1929)", async () => {
    const server = await site();
    const proxy = await socksProxy({ credentials: "käthe:p@ss" });
    const ask = (userinfo: string) =>
      through(server, { url: `socks5://${userinfo}127.0.0.1:${proxy.port}` }).transport.request({
        url: `http://${HOST}:${server.port}/`,
      });
    expect((await ask("k%C3%A4the:p%40ss@")).status).toBe(200);
    await expect(ask("k%C3%A4the:wrong@")).rejects.toMatchObject({ details: { reason: "auth_required" } });
    await expect(ask("")).rejects.toMatchObject({ code: "proxy_failed", details: { reason: "auth_required" } });
    expect(proxy.authorizations).toEqual(["käthe:p@ss", "käthe:wrong"]);
  });

  it.each([
    [1, "server_unreachable"],
    [2, "refused"],
    [3, "server_unreachable"],
    [4, "server_unreachable"],
    [5, "server_unreachable"],
    [6, "server_unreachable"],
    [7, "refused"],
    [8, "refused"],
    [99, "protocol"],
  ])("says no with reply %i: %s", async (reply, reason) => {
    const server = await site();
    const proxy = await socksProxy({ reply });
    const { transport } = through(server, { url: `socks5://127.0.0.1:${proxy.port}` });
    const request = transport.request({ url: `http://${HOST}:${server.port}/` });
    await expect(request).rejects.toMatchObject({ code: "proxy_failed", details: { reason } });
    expect(server.connections).toBe(0);
  });
});

describe("passwords", () => {
  it("go to the proxy and to nobody else", async () => {
    const server = await site();
    const proxy = await httpProxy({ credentials: "user:hunter2", knownHosts: [HOST] });
    for (const dns of ["local", "proxy"] as const) {
      const { transport, events } = through(server, { url: `http://user:hunter2@127.0.0.1:${proxy.port}`, dns });
      const response = await transport.request({ url: `http://${HOST}:${server.port}/` });
      expect(response.status).toBe(200);
      expect(JSON.stringify([events, response.hops])).not.toContain("hunter2");
    }
    expect(server.received.join("")).not.toMatch(/proxy-auth|aHVudGVyMg|hunter2/i);
    expect(proxy.authorizations).toHaveLength(2);
  });

  it("are asked for by name when they are missing or wrong, and never tried twice", async () => {
    const server = await site();
    const proxy = await httpProxy({ credentials: "user:hunter2" });
    for (const userinfo of ["", "user:wrong@"]) {
      const { transport } = through(server, { url: `http://${userinfo}127.0.0.1:${proxy.port}` });
      const request = transport.request({ url: `http://${HOST}:${server.port}/`, retries: 1 });
      const failure = await request.catch((error: unknown) => error);
      expect(failure).toMatchObject({ code: "proxy_failed", details: { reason: "auth_required", status: 407 } });
      expect(`${String(failure)} ${JSON.stringify(failure)}`).not.toMatch(/wrong|hunter2/);
    }
    expect(proxy.tunnels).toHaveLength(2);
  });

  it("cannot be set or read by a caller's header", async () => {
    const server = await site();
    const proxy = await httpProxy({ knownHosts: [HOST] });
    const { transport } = through(server, { url: `http://127.0.0.1:${proxy.port}`, dns: "proxy" });
    await transport.request({
      url: `http://${HOST}:${server.port}/`,
      headers: { "Proxy-Authorization": "Basic eDp5", "proxy-connection": "x" },
    });
    expect(proxy.authorizations).toEqual([]);
  });
});

describe("the jail with a proxy", () => {
  it.each([
    ["an address", "http://10.0.0.1/", []],
    ["a name whose answers are private", "http://wiki.example.org/", ["10.0.0.1"]],
    ["a name with a private answer among public ones", "http://mixed.example.org/", ["8.8.8.8", "127.0.0.1"]],
  ])("refuses %s before the proxy hears of it", async (_what, url, answers) => {
    const proxy = await httpProxy();
    const jail = createJail({ resolve: async () => answers });
    const transport = closeAfter(createTransport({ jail, proxy: { http: `http://127.0.0.1:${proxy.port}` } }));
    await expect(transport.request({ url })).rejects.toMatchObject({ code: "jail_refused" });
    expect(proxy.connections).toBe(0);
  });

  it("checks a warm tunnel's host anew for each request, so that a rebound name does not ride it", async () => {
    const server = await site();
    const proxy = await httpProxy();
    let answers = ["127.0.0.1"];
    const jail = createJail({
      exemptions: [{ origin: `http://${HOST}:${server.port}`, name: "site" }],
      resolve: async () => answers,
    });
    const transport = closeAfter(createTransport({ jail, proxy: { http: `http://127.0.0.1:${proxy.port}` } }));
    const url = `http://${HOST}:${server.port}/`;
    await transport.request({ url });
    answers = ["169.254.169.254"];
    await expect(transport.request({ url })).rejects.toMatchObject({ rule: "dns_answer" });
    expect(proxy.tunnels).toHaveLength(1);
  });

  it("judges every hop of a redirect that came through the proxy", async () => {
    const server = closeAfter(
      await openRawServer((socket) =>
        socket.write(answer("302 Found", { location: "http://169.254.169.254/latest/" })),
      ),
    );
    const proxy = await httpProxy({ knownHosts: [HOST] });
    for (const dns of ["local", "proxy"] as const) {
      const { transport } = through(server, { url: `http://127.0.0.1:${proxy.port}`, dns });
      const request = transport.request({ url: `http://${HOST}:${server.port}/` });
      await expect(request).rejects.toMatchObject({ code: "jail_refused", rule: "metadata" });
    }
    expect([...proxy.tunnels, ...proxy.forwards].join()).not.toContain("169.254");
  });

  it("keeps this machine's own servers away from the proxy", async () => {
    const server = await site();
    const proxy = await httpProxy();
    const jail = createJail({ exemptions: [{ origin: server.origin, name: "dev server" }] });
    const transport = closeAfter(createTransport({ jail, proxy: { http: `http://127.0.0.1:${proxy.port}` } }));
    const response = await transport.request({ url: `${server.origin}/` });
    expect([response.hops[0]?.via, proxy.connections]).toEqual(["exemption", 0]);
  });

  it("asks a bypassed host directly", async () => {
    const server = await site();
    const proxy = await httpProxy();
    const { transport, events } = through(server, { url: `http://127.0.0.1:${proxy.port}`, bypass: [".example.org"] });
    expect((await transport.request({ url: `http://${HOST}:${server.port}/` })).status).toBe(200);
    expect(proxy.connections).toBe(0);
    expect(viaOf(events)[0]).not.toHaveProperty("proxy");
  });

  it.each([
    "http://169.254.169.254:3128",
    "http://[fe80::1]:3128",
    "http://metadata.google.internal:3128",
    "http://proxy.example:25",
  ])("takes no proxy at %s", (url) => {
    expect(() => createTransport({ jail: createJail(), proxy: { http: url } })).toThrow(/never opened/);
  });

  it("dials no proxy whose name leads to a metadata service", async () => {
    const server = await site();
    const { transport } = through(server, {
      url: "http://proxy.example.org:3128",
      resolve: async () => ["169.254.169.254"],
    });
    const request = transport.request({ url: `http://${HOST}:${server.port}/` });
    await expect(request).rejects.toMatchObject({ code: "proxy_failed", details: { reason: "not_resolved" } });
  });

  it("reads no environment variable by itself", async () => {
    const server = await site();
    const proxy = await httpProxy();
    const jail = createJail({
      exemptions: [{ origin: `http://${HOST}:${server.port}`, name: "site" }],
      resolve: async () => ["127.0.0.1"],
    });
    const before = { ...process.env };
    for (const name of ["http_proxy", "HTTP_PROXY", "ALL_PROXY", "NODE_USE_ENV_PROXY"]) {
      process.env[name] = name.startsWith("NODE") ? "1" : `http://127.0.0.1:${proxy.port}`;
    }
    const transport = closeAfter(createTransport({ jail }));
    const response = await transport.request({ url: `http://${HOST}:${server.port}/` });
    for (const name of Object.keys(process.env)) if (!(name in before)) delete process.env[name];
    expect([response.status, proxy.connections]).toEqual([200, 0]);
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
    expect(await unreached({ proxy: { http: "http://127.0.0.1:3128" } })).toMatch(/set `proxy\.dns` to `proxy`/);
  });
});

describe("a proxy that misbehaves", () => {
  const misbehaving = (wire: string | Buffer | undefined): Promise<RawServer> =>
    openRawServer((socket) => (wire === undefined ? socket.destroy() : socket.write(wire))).then(closeAfter);

  it.each<[string, string | undefined, string]>([
    ["hangs up", undefined, "protocol"],
    ["speaks another protocol", "220 mail.example.org ESMTP\r\n", "protocol"],
    [
      "sends a flood of headers",
      `HTTP/1.1 200 OK\r\n${`x-flood: ${"y".repeat(1000)}\r\n`.repeat(100)}\r\n`,
      "protocol",
    ],
    ["sends bytes before the server could", "HTTP/1.1 200 OK\r\n\r\nHTTP/1.1 200 OK\r\n\r\nforged", "protocol"],
    ["redirects", "HTTP/1.1 302 Found\r\nlocation: http://127.0.0.1/\r\n\r\n", "refused"],
    ["answers 100 first", "HTTP/1.1 100 Continue\r\n\r\nHTTP/1.1 200 OK\r\n\r\n", "refused"],
    ["wants a password in a way nobody named", "HTTP/1.1 407 Auth\r\n\r\n", "auth_required"],
  ])("%s: the site is not asked", async (_how, wire, reason) => {
    const server = await site();
    const proxy = await misbehaving(wire);
    const { transport } = through(server, { url: `http://127.0.0.1:${proxy.port}` });
    const request = transport.request({ url: `http://${HOST}:${server.port}/?secret`, timeoutMs: 2_000 });
    await expect(request).rejects.toMatchObject({ code: "proxy_failed", details: { reason } });
    expect(server.connections).toBe(0);
    expect(proxy.received.join("")).not.toContain("secret");
    await expect.poll(() => proxy.open).toBe(0);
  });

  it.each(["http", "socks5"])("is silent (%s): the deadline ends it, in the stage of connecting", async (scheme) => {
    const server = await site();
    const proxy = closeAfter(await openRawServer(() => {}));
    const { transport } = through(server, { url: `${scheme}://127.0.0.1:${proxy.port}` });
    const request = transport.request({ url: `http://${HOST}:${server.port}/`, timeoutMs: 200 });
    await expect(request).rejects.toMatchObject({ code: "timeout", details: { stage: "connect" } });
    await expect.poll(() => proxy.open).toBe(0);
  });

  it("is not there", async () => {
    const server = await site();
    const gone = await openRawServer(() => {});
    await gone.close();
    const { transport } = through(server, { url: `http://127.0.0.1:${gone.port}` });
    const failure = await transport.request({ url: `http://${HOST}:${server.port}/` }).catch((error: unknown) => error);
    expect(failure).toMatchObject({ code: "proxy_failed", retryable: true, details: { reason: "unreachable" } });
    expect(String((failure as Error).cause)).not.toContain("127.0.0.1");
  });

  it("is left at once when the transport closes", async () => {
    const server = await site();
    const proxy: ProxyServer | RawServer = closeAfter(await openRawServer(() => {}));
    const { transport } = through(server, { url: `http://127.0.0.1:${proxy.port}` });
    const request = transport.request({ url: `http://${HOST}:${server.port}/` }).catch((error: unknown) => error);
    await expect.poll(() => proxy.connections).toBe(1);
    await transport.close();
    expect(await request).toMatchObject({ code: "aborted" });
    await expect.poll(() => proxy.open).toBe(0);
  });
});
