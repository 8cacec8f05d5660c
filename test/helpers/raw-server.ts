import { type AddressInfo, createServer, type Server, type Socket } from "node:net";
import { createServer as createTlsServer, type TlsOptions } from "node:tls";

/** A server that can misbehave: every connection is a bare socket. */
export interface RawServer {
  readonly port: number;
  readonly origin: string;
  /** Connections accepted so far. */
  readonly connections: number;
  /** Everything clients sent, one text a connection. */
  readonly received: readonly string[];
  /** Connections that are still open. */
  readonly open: number;
  close(): Promise<void>;
}

/** `onRequest` is called once for each request head that arrives. */
export async function openRawServer(
  onRequest: (socket: Socket, head: string) => void,
  options: { readonly host?: string; readonly port?: number; readonly tls?: TlsOptions } = {},
): Promise<RawServer> {
  const { host = "127.0.0.1", tls } = options;
  const received: string[] = [];
  const sockets = new Set<Socket>();
  let connections = 0;
  const accept = (socket: Socket): void => {
    const index = connections;
    connections += 1;
    received[index] = "";
    sockets.add(socket);
    socket.on("error", () => {});
    socket.on("close", () => sockets.delete(socket));
    let head = "";
    socket.on("data", (chunk: Buffer) => {
      received[index] += chunk.toString("latin1");
      head += chunk.toString("latin1");
      for (let end = head.indexOf("\r\n\r\n"); end >= 0; end = head.indexOf("\r\n\r\n")) {
        const request = head.slice(0, end + 4);
        head = head.slice(end + 4);
        onRequest(socket, request);
      }
    });
  };
  const server: Server = tls === undefined ? createServer(accept) : createTlsServer(tls, accept);
  server.on("tlsClientError", () => {});
  await new Promise<void>((resolve, reject) => {
    server.once("error", reject).listen(options.port ?? 0, host, resolve);
  });
  const { port } = server.address() as AddressInfo;
  return {
    port,
    origin: `${tls === undefined ? "http" : "https"}://${host.includes(":") ? `[${host}]` : host}:${port}`,
    received,
    get connections() {
      return connections;
    },
    get open() {
      return sockets.size;
    },
    async close() {
      for (const socket of sockets) socket.destroy();
      await new Promise<void>((resolve) => server.close(() => resolve()));
    },
  };
}

/** A whole answer with its length. */
export function answer(
  status: string,
  headers: Readonly<Record<string, string>> = {},
  body: string | Buffer = "",
): Buffer {
  const bytes = Buffer.from(body as string);
  const lines = Object.entries({ "content-length": String(bytes.length), ...headers }).map(
    ([k, v]) => `${k}: ${v}\r\n`,
  );
  return Buffer.concat([Buffer.from(`HTTP/1.1 ${status}\r\n${lines.join("")}\r\n`, "utf8"), bytes]);
}
