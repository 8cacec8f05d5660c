import { createServer as createHttpServer, request as httpRequest, type IncomingMessage } from "node:http";
import { createServer as createHttpsServer } from "node:https";
import { connect, createServer, type Socket } from "node:net";
import type { TlsOptions } from "node:tls";
import { hostPort } from "./host-port.js";
import { type Listening, listen } from "./listening.js";
import { asTestClient } from "./recorder-test-client.js";

export interface ProxyServer extends Listening {
  /** Every request for a tunnel, as `host:port`. */
  readonly tunnels: readonly string[];
  /** Every request in absolute form. */
  readonly forwards: readonly string[];
  /** The `Proxy-Authorization` values that came. */
  readonly authorizations: readonly string[];
}

export interface ProxyServerOptions {
  /** Names the proxy resolves itself; all lead to loopback. */
  readonly knownHosts?: readonly string[];
  /** `user:password`. */
  readonly credentials?: string;
  /** Answers instead of a tunnel or a forwarded request: a whole HTTP message. */
  readonly refuse?: (target: string) => string | undefined;
  readonly tls?: TlsOptions;
}

/** A small honest HTTP proxy (RFC 9110 9.3.6, RFC 9112 3.2.2) that writes down what it was asked. */
export async function openHttpProxy(options: ProxyServerOptions = {}): Promise<ProxyServer> {
  const log = { tunnels: [] as string[], forwards: [] as string[], authorizations: [] as string[] };
  const refusalFor = (request: IncomingMessage): string | undefined => {
    const given = request.headers["proxy-authorization"];
    if (given !== undefined) log.authorizations.push(given);
    const { credentials } = options;
    if (credentials !== undefined && given !== `Basic ${Buffer.from(credentials).toString("base64")}`) {
      return 'HTTP/1.1 407 Proxy Authentication Required\r\nproxy-authenticate: Basic realm="lab"\r\ncontent-length: 0\r\n\r\n';
    }
    return options.refuse?.(request.url ?? "");
  };
  const server = options.tls === undefined ? createHttpServer() : createHttpsServer(options.tls);
  server.on("connect", (request: IncomingMessage, socket: Socket) => {
    const target = request.url ?? "";
    log.tunnels.push(target);
    const refusal = refusalFor(request);
    if (refusal !== undefined) {
      socket.end(refusal);
      return;
    }
    const { hostname, port } = new URL(`http://${target}`);
    const upstream = dialUpstream(lead(hostname, options.knownHosts), Number(port), () => {
      socket.write("HTTP/1.1 200 Connection established\r\n\r\n");
      upstream.pipe(socket).pipe(upstream);
    });
    joinEnds(socket, upstream, "HTTP/1.1 502 Bad Gateway\r\ncontent-length: 0\r\n\r\n");
  });
  server.on("request", (request, response) => {
    const target = request.url ?? "";
    log.forwards.push(target);
    const refusal = refusalFor(request);
    if (refusal !== undefined) {
      response.socket?.end(refusal);
      return;
    }
    const url = new URL(target);
    const { "proxy-authorization": _own, ...headers } = request.headers;
    const onward = asTestClient(() =>
      httpRequest(
        { host: lead(url.hostname, options.knownHosts), port: url.port, path: url.pathname + url.search, headers },
        (answer) => {
          response.writeHead(answer.statusCode ?? 502, answer.headers);
          answer.pipe(response);
        },
      ),
    );
    onward.on("error", () => response.writeHead(502).end());
    onward.end();
  });
  return Object.assign(await listen(server), log);
}

/** SOCKS 5 (RFC 1928) with CONNECT and, when asked for, a password (RFC 1929). */
export async function openSocksProxy(
  options: Omit<ProxyServerOptions, "refuse" | "tls"> & { readonly reply?: number } = {},
): Promise<ProxyServer> {
  const log = { tunnels: [] as string[], forwards: [] as string[], authorizations: [] as string[] };
  const server = createServer((socket) => {
    let step = 0;
    socket.on("data", function onData(chunk: Buffer) {
      step += 1;
      const wantsPassword = options.credentials !== undefined;
      if (step === 1) {
        const offered = chunk.subarray(2);
        if (!wantsPassword) socket.write(Buffer.from([5, 0]));
        else if (offered.includes(2)) socket.write(Buffer.from([5, 2]));
        else socket.end(Buffer.from([5, 0xff]));
        return;
      }
      if (wantsPassword && step === 2) {
        const nameLength = chunk[1] ?? 0;
        const name = chunk.subarray(2, 2 + nameLength).toString();
        const password = chunk.subarray(3 + nameLength).toString();
        log.authorizations.push(`${name}:${password}`);
        const isRight = `${name}:${password}` === options.credentials;
        if (isRight) socket.write(Buffer.from([1, 0]));
        else socket.end(Buffer.from([1, 1]));
        return;
      }
      const { host, port } = socksTarget(chunk);
      log.tunnels.push(hostPort(host, port));
      socket.removeListener("data", onData);
      const answer = (reply: number): Buffer => Buffer.from([5, reply, 0, 1, 0, 0, 0, 0, 0, 0]);
      if (options.reply !== undefined) {
        socket.end(answer(options.reply));
        return;
      }
      const upstream = dialUpstream(lead(host, options.knownHosts), port, () => {
        socket.write(answer(0));
        upstream.pipe(socket).pipe(upstream);
      });
      joinEnds(socket, upstream, answer(5));
    });
  });
  return Object.assign(await listen(server), log);
}

function socksTarget(chunk: Buffer): { readonly host: string; readonly port: number } {
  const port = chunk.readUInt16BE(chunk.length - 2);
  const address = chunk.subarray(4, chunk.length - 2);
  if (chunk[3] === 1) return { host: [...address].join("."), port };
  if (chunk[3] === 3) return { host: address.subarray(1).toString(), port };
  const groups = Array.from({ length: 8 }, (_, i) => address.readUInt16BE(i * 2).toString(16));
  return { host: groups.join(":"), port };
}

/** The proxy is a part of the test, and so are its connections. */
function dialUpstream(host: string, port: number, onConnect: () => void): Socket {
  return asTestClient(() => connect({ host, port }, onConnect));
}

/** A private host of the lab; not loopback, which no proxy is asked for. The proxies find it on this machine. */
export const LAB_ADDRESS = "10.20.30.40";

function lead(host: string, knownHosts: readonly string[] = []): string {
  return host === LAB_ADDRESS || knownHosts.includes(host) ? "127.0.0.1" : host.replace(/^\[|\]$/g, "");
}

function joinEnds(socket: Socket, upstream: Socket, refusal: string | Buffer): void {
  let isConnected = false;
  upstream.once("connect", () => {
    isConnected = true;
  });
  upstream.on("error", () => (isConnected ? socket.destroy() : socket.end(refusal)));
  socket.on("error", () => upstream.destroy());
  socket.on("close", () => upstream.destroy());
}
