import type { AddressInfo, Server, Socket } from "node:net";

/** What every server of the tests tells of itself. */
export interface Listening {
  readonly port: number;
  /** TCP connections accepted so far, whatever became of their handshake. */
  readonly connections: number;
  /** Those that are still open. */
  readonly open: number;
  /** Ends what is open. */
  close(): Promise<void>;
}

/** Listens on loopback, at any port unless one is given; a client that breaks off is no error of the test. */
export async function listen(
  server: Server,
  { host = "127.0.0.1", port = 0 }: { readonly host?: string | undefined; readonly port?: number | undefined } = {},
): Promise<Listening> {
  const sockets = new Set<Socket>();
  let connections = 0;
  server.on("connection", (socket: Socket) => {
    connections += 1;
    sockets.add(socket);
    socket.on("error", () => {});
    socket.on("close", () => sockets.delete(socket));
  });
  // Of TLS servers alone: what is decrypted is a socket of its own.
  server.on("secureConnection", (socket: Socket) => void socket.on("error", () => {}));
  server.on("tlsClientError", () => {});
  await new Promise<void>((resolve, reject) => {
    server.once("error", reject).listen(port, host, resolve);
  });
  return {
    port: (server.address() as AddressInfo).port,
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
