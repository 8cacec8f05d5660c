import { once } from "node:events";
import { connect, type Socket } from "node:net";
import { createServer as createTlsServer, type SecureVersion, type TlsOptions } from "node:tls";
import { describe, expect, it } from "vitest";
import { startTls } from "../../src/net/tls/handshake.js";
import { createSecureContext } from "../../src/net/tls/secure-context.js";
import type { TlsReason } from "../../src/net/tls/tls-reasons.js";
import { closeAfter } from "../helpers/close-after.js";
import { type Listening, listen } from "../helpers/listening.js";
import {
  openByteServer,
  serveWith,
  TLS_HOST,
  type TlsSite,
  tlsFixture,
  tlsIdentity,
  transportTo,
} from "../helpers/tls-site.js";

async function serveBytes(onData: (socket: Socket, data: Buffer) => void): Promise<Listening> {
  return closeAfter(await openByteServer(onData));
}

const serveTls = (options: TlsOptions): Promise<TlsSite> => serveWith("good", options);

function askFor({ port }: { readonly port: number }, options: { readonly timeoutMs?: number; retries?: 0 | 1 } = {}) {
  const transport = closeAfter(transportTo(port, { ca: [tlsFixture("ca.pem")] }));
  return transport.request({ url: `https://${TLS_HOST}:${port}/`, ...options });
}

async function expectFailure(server: Listening, reason: TlsReason): Promise<void> {
  await expect(askFor(server)).rejects.toMatchObject({ code: "tls_failed", details: { reason } });
  await expect.poll(() => server.open).toBe(0);
}

const HANDSHAKE_RECORD = 22;
const ALERT_RECORD = 21;
const record = (type: number, body: readonly number[]): Buffer =>
  Buffer.from([type, 3, 3, body.length >> 8, body.length & 0xff, ...body]);

describe("a server that ends the handshake", () => {
  // RFC 8446 6.2 and RFC 7301 3.2: the numbers of fatal alerts.
  it.each<[string, number, TlsReason]>([
    ["handshake_failure", 40, "handshake"],
    ["bad_certificate", 42, "client_certificate"],
    ["decode_error", 50, "handshake"],
    ["protocol_version", 70, "old_protocol"],
    ["insufficient_security", 71, "handshake"],
    ["internal_error", 80, "handshake"],
    ["unrecognized_name, for a name it does not have", 112, "unknown_name"],
    ["certificate_required", 116, "client_certificate"],
    ["no_application_protocol", 120, "no_common_protocol"],
    ["an alert that no document knows", 200, "handshake_cut"],
  ])("with %s", async (_name, alert, reason) => {
    await expectFailure(await serveBytes((socket) => socket.end(record(ALERT_RECORD, [2, alert]))), reason);
  });

  it.each<[string, (socket: Socket) => void]>([
    ["by hanging up", (socket) => socket.end()],
    ["by a reset", (socket) => socket.resetAndDestroy()],
    ["in the middle of its first message", (socket) => socket.end(record(HANDSHAKE_RECORD, [2, 0, 0, 90, 3, 3, 1, 2]))],
    ["in the middle of a record", (socket) => socket.end(record(HANDSHAKE_RECORD, [2, 0, 0, 90]).subarray(0, 7))],
  ])("%s: which is worth another try", async (_how, cut) => {
    const server = await serveBytes(cut);
    await expect(askFor(server)).rejects.toMatchObject({
      code: "tls_failed",
      retryable: true,
      details: { reason: "handshake_cut", requests: 0 },
    });
    await expect.poll(() => server.open).toBe(0);
  });

  it("is asked once more where that was wished for", async () => {
    let connections = 0;
    const server = await serveBytes((socket) => {
      connections += 1;
      socket.end();
    });
    await expect(askFor(server, { retries: 1 })).rejects.toMatchObject({ details: { reason: "handshake_cut" } });
    expect(connections).toBe(2);
  });
});

describe("a server that speaks something else", () => {
  it.each([
    ["plain HTTP", "HTTP/1.1 400 Bad Request\r\n\r\n"],
    ["another protocol", "220 mail.example.org ESMTP ready\r\n"],
    ["nothing that is known", Buffer.alloc(64, 0xff)],
  ])("%s", async (_what, bytes) => {
    await expectFailure(await serveBytes((socket) => socket.end(bytes)), "not_tls");
  });

  it.each<SecureVersion>(["TLSv1", "TLSv1.1"])("%s and nothing later", async (maxVersion) => {
    const old = { minVersion: "TLSv1", maxVersion, ciphers: "DEFAULT@SECLEVEL=0" } as const;
    await expectFailure(await serveTls(old), "old_protocol");
  });

  it("TLS 1.1 although 1.2 was the least that was offered", async () => {
    const serverHello = [3, 2, ...Array(32).fill(7), 0, 0xc0, 0x13, 0];
    const message = record(HANDSHAKE_RECORD, [2, 0, 0, serverHello.length, ...serverHello]);
    await expectFailure(await serveBytes((socket) => socket.write(message)), "old_protocol");
  });

  it("HTTP/2 alone", async () => {
    await expectFailure(await serveTls({ ALPNProtocols: ["h2"] }), "no_common_protocol");
  });
});

describe("a server that wants to know who connects", () => {
  it("TLS 1.3: says so when the handshake is over", async () => {
    const site = await serveTls({ requestCert: true, minVersion: "TLSv1.3" });
    await expectFailure(site, "client_certificate");
    expect(site.received).toEqual([]);
  });

  it("TLS 1.2: says no more than that it failed", async () => {
    await expectFailure(await serveTls({ requestCert: true, maxVersion: "TLSv1.2" }), "handshake");
  });

  it("is answered when it can do without", async () => {
    const site = await serveTls({ requestCert: true, rejectUnauthorized: false });
    expect((await askFor(site)).status).toBe(200);
  });
});

describe("a server that does not have the name", () => {
  it("and hangs up", async () => {
    const site = await serveTls({ SNICallback: (name, done) => done(new Error(`no ${name}`)) });
    await expectFailure(site, "handshake_cut");
  });

  it("and presents another's certificate", async () => {
    const site = await serveWith("other-host");
    await expectFailure(site, "wrong_host");
  });

  it("is told the URL's name, and never an address", async () => {
    const names: string[] = [];
    const SNICallback: TlsOptions["SNICallback"] = (name, done) => {
      names.push(name);
      done(null);
    };
    const site = await serveTls({ SNICallback });
    const transport = closeAfter(transportTo(site.port, { ca: [tlsFixture("ca.pem")] }));
    await transport.request({ url: `https://${TLS_HOST}:${site.port}/` });
    await transport.request({ url: `https://127.0.0.1:${site.port}/` });
    expect(names).toEqual([TLS_HOST]);
  });
});

describe("TLS inside TLS, as through an HTTPS proxy", () => {
  const secureContext = createSecureContext({ ca: [tlsFixture("ca.pem")], env: {} });
  const handshake = async (tcp: Socket, host: string): Promise<Socket> =>
    (await startTls(tcp, { host, party: "proxy" }, secureContext)).socket;

  /** An outer TLS server that passes everything on to an inner one. */
  async function openTunnelTo(inner: { readonly port: number }, identity: string): Promise<Socket> {
    const outer = createTlsServer(tlsIdentity(identity), (socket) => {
      const onwards = connect({ host: "127.0.0.1", port: inner.port });
      socket.pipe(onwards.on("error", () => {})).pipe(socket);
    });
    const { port } = closeAfter(await listen(outer));
    const tcp = connect({ host: "127.0.0.1", port });
    tcp.on("error", () => {});
    closeAfter({ close: () => void tcp.destroy() });
    return tcp;
  }

  it("checks each certificate under its own name", async () => {
    const inner = await serveWith("good");
    const tunnel = await handshake(await openTunnelTo(inner, "other-host"), "elsewhere.example.org");
    const socket = await handshake(tunnel, TLS_HOST);
    socket.write("GET / HTTP/1.1\r\n\r\n");
    expect(String((await once(socket, "data"))[0])).toMatch(/secure$/);
  });

  it("refuses the inner one, and the outer one", async () => {
    const inner = await serveWith("expired");
    const tunnel = await handshake(await openTunnelTo(inner, "good"), TLS_HOST);
    await expect(handshake(tunnel, TLS_HOST)).rejects.toMatchObject({ details: { reason: "expired" } });
    const refused = handshake(await openTunnelTo(inner, "other-host"), TLS_HOST);
    await expect(refused).rejects.toMatchObject({ message: expect.stringMatching(/^The proxy's certificate/) });
  });
});

describe("the handshake counts as connecting", () => {
  it.each<[string, (socket: Socket, data: Buffer) => void]>([
    ["when the server says nothing", () => {}],
    ["when it drips", (socket) => drip(socket, record(HANDSHAKE_RECORD, Array(1_000).fill(2)))],
  ])("%s", async (_how, onData) => {
    const server = await serveBytes(onData);
    await expect(askFor(server, { timeoutMs: 300 })).rejects.toMatchObject({
      code: "timeout",
      details: { stage: "connect", requests: 0 },
    });
    await expect.poll(() => server.open).toBe(0);
  });

  it("when a good server's bytes come one by one", async () => {
    const site = await serveTls({});
    const slow = await serveBytes(relayTo(site.port, 5));
    await expect(askFor(slow, { timeoutMs: 500 })).rejects.toMatchObject({
      code: "timeout",
      details: { stage: "connect" },
    });
    await expect.poll(() => [slow.open, site.open]).toEqual([0, 0]);
  });
});

function drip(socket: Socket, bytes: Buffer): void {
  let sent = 0;
  const timer = setInterval(() => {
    socket.write(bytes.subarray(sent, sent + 1));
    sent += 1;
  }, 10);
  socket.once("close", () => clearInterval(timer));
}

/** Passes what comes back on one byte at a time. */
function relayTo(port: number, everyMs: number): (socket: Socket, data: Buffer) => void {
  const servers = new WeakMap<Socket, Socket>();
  const open = (socket: Socket): Socket => {
    const server = connect({ host: "127.0.0.1", port });
    const waiting: number[] = [];
    server.on("data", (data: Buffer) => waiting.push(...data)).on("error", () => {});
    const timer = setInterval(() => waiting.length > 0 && socket.write(Buffer.from(waiting.splice(0, 1))), everyMs);
    socket.once("close", () => {
      clearInterval(timer);
      server.destroy();
    });
    servers.set(socket, server);
    return server;
  };
  return (socket, data) => (servers.get(socket) ?? open(socket)).write(data);
}
