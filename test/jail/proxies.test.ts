import { describe, expect, it } from "vitest";
import { createJail, createTransport, type NetEvent } from "../../src/net/index.js";
import { closeAfter } from "../helpers/close-after.js";
import { serve } from "../helpers/jail-bench.js";
import { httpProxy, site, socksProxy, through } from "../helpers/proxy-bench.js";
import { LAB_ADDRESS } from "../helpers/proxy-server.js";
import { answer, openRawServer } from "../helpers/raw-server.js";
import { TLS_HOST, tlsIdentity } from "../helpers/tls-site.js";

const textOf = ({ bytes }: { readonly bytes: Uint8Array }): string => Buffer.from(bytes).toString();
const finishedHops = (events: readonly NetEvent[]) =>
  events.flatMap((event) => (event.type === "hop.finished" ? [event] : []));

describe("an HTTP proxy, names resolved here", () => {
  it("is asked for a tunnel to the checked address, while Host and SNI keep the name", async () => {
    const server = await site("200 OK", tlsIdentity("good"));
    const proxy = await httpProxy();
    const { transport, lookUps, events } = through(server, { url: `http://127.0.0.1:${proxy.port}` });
    const response = await transport.request({ url: `https://${TLS_HOST}:${server.port}/page` });
    expect(textOf(response)).toBe("the site");
    expect(proxy.tunnels).toEqual([`${LAB_ADDRESS}:${server.port}`]);
    expect(server.received[0]).toMatch(
      new RegExp(`^GET /page HTTP/1.1\\r\\nhost: ${TLS_HOST}:${server.port}\\r$`, "m"),
    );
    expect(lookUps).toEqual([TLS_HOST]);
    expect(finishedHops(events)).toMatchObject([{ via: "exemption", proxy: `http://127.0.0.1:${proxy.port}` }]);
  });

  it("gets no http: request itself either, since it could not be held to an address", async () => {
    const server = await site();
    const proxy = await httpProxy();
    const { transport } = through(server, { url: `http://127.0.0.1:${proxy.port}` });
    expect(textOf(await transport.request({ url: `http://${TLS_HOST}:${server.port}/page` }))).toBe("the site");
    expect([proxy.tunnels, proxy.forwards]).toEqual([[`${LAB_ADDRESS}:${server.port}`], []]);
    expect(server.received[0]).toContain(`host: ${TLS_HOST}:${server.port}\r\n`);
  });

  it("keeps its tunnel for the next request to the same origin, and for no other", async () => {
    const [one, two] = [await site(), await site()];
    const proxy = await httpProxy();
    const url = `http://127.0.0.1:${proxy.port}`;
    const jail = createJail({
      exemptions: [one, two].map(({ port }) => ({ origin: `http://${TLS_HOST}:${port}`, name: "site" })),
      resolve: async () => [LAB_ADDRESS],
    });
    const transport = closeAfter(createTransport({ jail, proxy: { http: url } }));
    for (const { port } of [one, one, two, one]) await transport.request({ url: `http://${TLS_HOST}:${port}/` });
    expect(proxy.tunnels).toEqual([`${LAB_ADDRESS}:${one.port}`, `${LAB_ADDRESS}:${two.port}`]);
  });

  it("is asked for the next checked address when it cannot reach the first", async () => {
    const server = await site();
    const proxy = await httpProxy({
      refuse: (target) => (target.startsWith("[") ? "HTTP/1.1 503 No Route\r\ncontent-length: 0\r\n\r\n" : undefined),
    });
    const jail = createJail({
      exemptions: [{ origin: `http://${TLS_HOST}:${server.port}`, name: "site" }],
      resolve: async () => ["fd00::40", LAB_ADDRESS],
    });
    const transport = closeAfter(createTransport({ jail, proxy: { http: `http://127.0.0.1:${proxy.port}` } }));
    expect((await transport.request({ url: `http://${TLS_HOST}:${server.port}/` })).status).toBe(200);
    expect(proxy.tunnels).toEqual([`[fd00::40]:${server.port}`, `${LAB_ADDRESS}:${server.port}`]);
  });
});

describe("a proxy that resolves names", () => {
  it.each([
    ["http:", "an absolute request (RFC 9112 3.2.2)"],
    ["https:", "a tunnel to the name"],
  ])("gets for %s %s, and nothing is looked up here", async (scheme) => {
    const server = await site("200 OK", scheme === "https:" ? tlsIdentity("good") : undefined);
    const proxy = await httpProxy({ knownHosts: [TLS_HOST] });
    const { transport, lookUps, events } = through(server, { url: `http://127.0.0.1:${proxy.port}`, dns: "proxy" });
    const url = `${scheme}//${TLS_HOST}:${server.port}/page?q=1`;
    const response = await transport.request({ url });
    expect(textOf(response)).toBe("the site");
    expect(lookUps).toEqual([]);
    expect(proxy.tunnels).toEqual(scheme === "https:" ? [`${TLS_HOST}:${server.port}`] : []);
    expect(proxy.forwards).toEqual(scheme === "https:" ? [] : [url]);
    expect(response.hops).toMatchObject([{ via: "delegated" }]);
    expect(finishedHops(events)).toMatchObject([{ via: "delegated" }]);
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
    const proxy = await httpProxy({ knownHosts: [TLS_HOST] });
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
    const proxy = await httpProxy({
      knownHosts: [TLS_HOST],
      refuse: (target) => refusals.get(new URL(target).pathname),
    });
    const { transport } = through(server, { url: `http://127.0.0.1:${proxy.port}`, dns: "proxy" });
    const ask = (path: string) => transport.request({ url: `http://${TLS_HOST}:${server.port}${path}` });
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
    const server = await site("200 OK", tlsIdentity("good"));
    const proxy = await httpProxy({ tls: tlsIdentity("good"), credentials: "user:pass word" });
    const { transport } = through(server, {
      url: `https://user:pass%20word@${TLS_HOST}:${proxy.port}`,
      resolve: async () => ["127.0.0.1"],
    });
    expect(textOf(await transport.request({ url: `https://${TLS_HOST}:${server.port}/` }))).toBe("the site");
    expect(proxy.tunnels).toEqual([`${LAB_ADDRESS}:${server.port}`]);
  });

  it.each([
    ["another host's", "other-host"],
    ["an expired", "expired"],
    ["a self-signed", "self-signed"],
  ])("that shows %s certificate gets neither a password nor a target", async (_which, certificate) => {
    const server = await site();
    const proxy = closeAfter(await openRawServer(() => {}, { tls: tlsIdentity(certificate) }));
    const { transport } = through(server, {
      url: `https://user:secret@${TLS_HOST}:${proxy.port}`,
      resolve: async () => ["127.0.0.1"],
    });
    const failure = await transport
      .request({ url: `http://${TLS_HOST}:${server.port}/` })
      .catch((error: unknown) => error);
    expect(failure).toMatchObject({ code: "proxy_failed", details: { reason: "tls" }, cause: { code: "tls_failed" } });
    expect(proxy.received.join("")).toBe("");
    expect(server.connections).toBe(0);
  });
});

describe("a SOCKS 5 proxy", () => {
  it("socks5: gets the checked address", async () => {
    const server = await site("200 OK", tlsIdentity("good"));
    const proxy = await socksProxy();
    const { transport, lookUps } = through(server, { url: `socks5://127.0.0.1:${proxy.port}` });
    expect(textOf(await transport.request({ url: `https://${TLS_HOST}:${server.port}/` }))).toBe("the site");
    expect(proxy.tunnels).toEqual([`${LAB_ADDRESS}:${server.port}`]);
    expect(lookUps).toEqual([TLS_HOST]);
  });

  it("socks5h: gets the name, for http: too, and nothing is looked up here", async () => {
    const server = await site();
    const proxy = await socksProxy({ knownHosts: [TLS_HOST] });
    const { transport, lookUps } = through(server, { url: `socks5h://127.0.0.1:${proxy.port}` });
    const response = await transport.request({ url: `http://${TLS_HOST}:${server.port}/page` });
    expect(response.hops).toMatchObject([{ via: "delegated" }]);
    expect(server.received[0]).toMatch(/^GET \/page HTTP/);
    expect([proxy.tunnels, lookUps]).toEqual([[`${TLS_HOST}:${server.port}`], []]);
  });

  it("gets a password when it wants one (RFC 1929)", async () => {
    const server = await site();
    const proxy = await socksProxy({ credentials: "käthe:p@ss" });
    const ask = (userinfo: string) =>
      through(server, { url: `socks5://${userinfo}127.0.0.1:${proxy.port}` }).transport.request({
        url: `http://${TLS_HOST}:${server.port}/`,
      });
    expect((await ask("k%C3%A4the:p%40ss@")).status).toBe(200);
    await expect(ask("k%C3%A4the:wrong@")).rejects.toMatchObject({ details: { reason: "auth_refused" } });
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
    const request = transport.request({ url: `http://${TLS_HOST}:${server.port}/` });
    await expect(request).rejects.toMatchObject({ code: "proxy_failed", details: { reason } });
    expect(server.connections).toBe(0);
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
    let answers = [LAB_ADDRESS];
    const jail = createJail({
      exemptions: [{ origin: `http://${TLS_HOST}:${server.port}`, name: "site" }],
      resolve: async () => answers,
    });
    const transport = closeAfter(createTransport({ jail, proxy: { http: `http://127.0.0.1:${proxy.port}` } }));
    const url = `http://${TLS_HOST}:${server.port}/`;
    await transport.request({ url });
    answers = ["169.254.169.254"];
    await expect(transport.request({ url })).rejects.toMatchObject({ rule: "dns_answer" });
    expect(proxy.tunnels).toHaveLength(1);
  });

  it("judges every hop of a redirect that came through the proxy", async () => {
    const server = await serve((socket) =>
      socket.write(answer("302 Found", { location: "http://169.254.169.254/latest/" })),
    );
    const proxy = await httpProxy({ knownHosts: [TLS_HOST] });
    for (const dns of ["local", "proxy"] as const) {
      const { transport } = through(server, { url: `http://127.0.0.1:${proxy.port}`, dns });
      const request = transport.request({ url: `http://${TLS_HOST}:${server.port}/` });
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

  it.each(["127.0.0.1", "127.0.1.1", "::1", "::ffff:127.0.0.1"])(
    "keeps a name that resolves to %s away from it, whose own loopback that would be",
    async (address) => {
      const proxy = await httpProxy();
      const { transport } = through({ port: 8_000 }, { url: `http://127.0.0.1:${proxy.port}` }, address);
      const request = transport.request({ url: `http://${TLS_HOST}:8000/` });
      await expect(request).rejects.toMatchObject({ code: "connect_failed" });
      expect(proxy.connections).toBe(0);
    },
  );

  it("asks a bypassed host directly", async () => {
    const server = await site();
    const proxy = await httpProxy();
    const { transport, events } = through(
      server,
      { url: `http://127.0.0.1:${proxy.port}`, dns: "proxy", bypass: [".example.org"] },
      "127.0.0.1",
    );
    expect((await transport.request({ url: `http://${TLS_HOST}:${server.port}/` })).status).toBe(200);
    expect(proxy.connections).toBe(0);
    expect(finishedHops(events)[0]).not.toHaveProperty("proxy");
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
    const request = transport.request({ url: `http://${TLS_HOST}:${server.port}/` });
    await expect(request).rejects.toMatchObject({ code: "proxy_failed", details: { reason: "not_resolved" } });
  });

  it("reads no environment variable by itself", async () => {
    const server = await site();
    const proxy = await httpProxy();
    const jail = createJail({
      exemptions: [{ origin: `http://${TLS_HOST}:${server.port}`, name: "site" }],
      resolve: async () => ["127.0.0.1"],
    });
    const before = { ...process.env };
    for (const name of ["http_proxy", "HTTP_PROXY", "ALL_PROXY", "NODE_USE_ENV_PROXY"]) {
      process.env[name] = name.startsWith("NODE") ? "1" : `http://127.0.0.1:${proxy.port}`;
    }
    const transport = closeAfter(createTransport({ jail }));
    const response = await transport.request({ url: `http://${TLS_HOST}:${server.port}/` });
    for (const name of Object.keys(process.env)) if (!(name in before)) delete process.env[name];
    expect([response.status, proxy.connections]).toEqual([200, 0]);
  });
});
