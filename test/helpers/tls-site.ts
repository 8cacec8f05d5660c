import { X509Certificate } from "node:crypto";
import { readFileSync } from "node:fs";
import { type AddressInfo, createServer, type Server, type Socket } from "node:net";
import { join } from "node:path";
import { createServer as createTlsServer, type TlsOptions } from "node:tls";
import { createJail, createTransport, type Transport, type TransportOptions } from "../../src/net/index.js";
import { answer } from "./raw-server.js";

/** The host of every certificate that is good. */
export const TLS_HOST = "secure.example.org";

const FIXTURES = join(import.meta.dirname, "../fixtures/tls");

export const tlsFixturePath = (file: string): string => join(FIXTURES, file);
export const tlsFixture = (file: string): string => readFileSync(tlsFixturePath(file), "utf8");

/** What a server presents: the files that `make.sh` made under this name. */
export const tlsIdentity = (name: string): { readonly cert: string; readonly key: string } => ({
  cert: tlsFixture(`${name}.pem`),
  key: tlsFixture(`${name}.key`),
});

/** As openssl prints it: upper-case pairs with colons. */
export const fingerprintOf = (name: string): string => new X509Certificate(tlsFixture(`${name}.pem`)).fingerprint256;

/** A transport that reaches `TLS_HOST` and 127.0.0.1 on this port, and reads no environment. */
export function transportTo(port: number, options: Partial<TransportOptions> = {}): Transport {
  const origins = [`https://${TLS_HOST}:${port}`, `https://127.0.0.1:${port}`];
  return createTransport({
    jail: createJail({
      exemptions: origins.map((origin) => ({ origin, name: "test" })),
      resolve: async () => ["127.0.0.1"],
    }),
    env: {},
    ...options,
  });
}

export interface ByteServer {
  readonly port: number;
  /** TCP connections that are still open, whatever became of their handshake. */
  readonly open: number;
  close(): Promise<void>;
}

export interface TlsSite extends ByteServer {
  /** All that clients sent in secret. */
  readonly received: string;
  /** One entry a handshake that was finished: was it an earlier session's? */
  readonly resumed: readonly boolean[];
  /** From now on it presents this identity. */
  present(name: string): void;
}

/** Answers every request with `secure`. */
export async function openTlsSite(name: string, options: TlsOptions = {}): Promise<TlsSite> {
  const resumed: boolean[] = [];
  let received = "";
  const server = createTlsServer({ ...tlsIdentity(name), ...options }, (socket) => {
    resumed.push(socket.isSessionReused());
    socket.on("error", () => {});
    socket.on("data", (chunk: Buffer) => {
      received += chunk.toString("latin1");
      if (received.endsWith("\r\n\r\n")) socket.write(answer("200 OK", {}, "secure"));
    });
  });
  server.on("tlsClientError", () => {});
  const { port, sockets, close } = await listen(server);
  return {
    port,
    close,
    resumed,
    get open() {
      return sockets.size;
    },
    get received() {
      return received;
    },
    present: (next) => server.setSecureContext(tlsIdentity(next)),
  };
}

/** A server of bare bytes: `onData` gets whatever the client sends, undecrypted. */
export async function openByteServer(onData: (socket: Socket, data: Buffer) => void): Promise<ByteServer> {
  const { port, sockets, close } = await listen(
    createServer((socket) => socket.on("data", (data: Buffer) => onData(socket, data))),
  );
  return {
    port,
    close,
    get open() {
      return sockets.size;
    },
  };
}

async function listen(
  server: Server,
): Promise<{ readonly port: number; readonly sockets: ReadonlySet<Socket>; readonly close: () => Promise<void> }> {
  const sockets = new Set<Socket>();
  server.on("connection", (socket: Socket) => {
    sockets.add(socket);
    socket.on("error", () => {});
    socket.on("close", () => sockets.delete(socket));
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  return {
    port: (server.address() as AddressInfo).port,
    sockets,
    async close() {
      for (const socket of sockets) socket.destroy();
      await new Promise<void>((resolve) => server.close(() => resolve()));
    },
  };
}
