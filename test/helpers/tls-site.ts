import { X509Certificate } from "node:crypto";
import { readFileSync } from "node:fs";
import { createServer, type Socket } from "node:net";
import { join } from "node:path";
import { createServer as createTlsServer, type TlsOptions } from "node:tls";
import { createJail, createTransport, type Transport, type TransportOptions } from "../../src/net/index.js";
import { closeAfter } from "./close-after.js";
import { type Listening, listen } from "./listening.js";
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

export interface TlsSite extends Listening {
  /** What clients sent in secret, in the pieces it came in. */
  readonly received: readonly string[];
  /** One entry a handshake that was finished: was it an earlier session's? */
  readonly resumed: readonly boolean[];
  /** From now on it presents this identity. */
  present(name: string): void;
}

/** Answers every request with `secure`. */
export async function openTlsSite(name: string, options: TlsOptions = {}): Promise<TlsSite> {
  const resumed: boolean[] = [];
  const received: string[] = [];
  const server = createTlsServer({ ...tlsIdentity(name), ...options }, (socket) => {
    resumed.push(socket.isSessionReused());
    socket.on("data", (chunk: Buffer) => {
      received.push(chunk.toString("latin1"));
      if (received.join("").endsWith("\r\n\r\n")) socket.write(answer("200 OK", {}, "secure"));
    });
  });
  const present = (next: string): void => server.setSecureContext(tlsIdentity(next));
  return Object.assign(await listen(server), { received, resumed, present });
}

/** The same for the test that runs. */
export async function serveWith(...site: Parameters<typeof openTlsSite>): Promise<TlsSite> {
  return closeAfter(await openTlsSite(...site));
}

/** A server of bare bytes: `onData` gets whatever the client sends, undecrypted. */
export function openByteServer(onData: (socket: Socket, data: Buffer) => void): Promise<Listening> {
  return listen(createServer((socket) => socket.on("data", (data: Buffer) => onData(socket, data))));
}
