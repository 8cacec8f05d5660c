import { createServer, type Socket } from "node:net";
import { createServer as createTlsServer, type TlsOptions } from "node:tls";
import { hostPort } from "./host-port.js";
import { type Listening, listen } from "./listening.js";

/** A server that can misbehave: every connection is a bare socket. */
export interface RawServer extends Listening {
  readonly origin: string;
  /** Everything clients sent, one text a connection. */
  readonly received: readonly string[];
}

/** `onRequest` is called once for each request head that arrives. */
export async function openRawServer(
  onRequest: (socket: Socket, head: string) => void,
  options: { readonly host?: string; readonly port?: number; readonly tls?: TlsOptions } = {},
): Promise<RawServer> {
  const { host = "127.0.0.1", port, tls } = options;
  const received: string[] = [];
  const accept = (socket: Socket): void => {
    const index = received.push("") - 1;
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
  const listening = await listen(tls === undefined ? createServer(accept) : createTlsServer(tls, accept), {
    host,
    port,
  });
  const origin = `${tls === undefined ? "http" : "https"}://${hostPort(host, listening.port)}`;
  return Object.assign(listening, { origin, received });
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
