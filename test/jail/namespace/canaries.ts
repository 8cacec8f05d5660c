import { createServer, type IncomingMessage, type RequestListener } from "node:http";
import { createServer as createSecureServer } from "node:https";
import { createServer as createTcpServer, type Socket } from "node:net";
import type { Arrival } from "./plays.js";

/** Servers on every address of the namespace. */
export interface Canaries {
  /** What they answer to successive requests, before a page. */
  script: { readonly redirects: readonly string[]; readonly status: number };
  readonly arrivals: readonly Arrival[];
  /** Connections accepted so far. */
  readonly connections: number;
  reset(): void;
}

const PORTS = [80, 443, 3000, 8080, 8443];
/** The first octet of a TLS record that begins a handshake (RFC 8446 5.1). */
const TLS_HANDSHAKE = 22;
const PAGE = "<!doctype html><title>Canary</title><main><h1>Canary</h1><p>A bird in a mine.</p></main>";

export async function openCanaries(
  families: readonly (4 | 6)[],
  tls: { cert: string; key: string },
): Promise<Canaries> {
  const arrivals: Arrival[] = [];
  let connections = 0;
  const canaries = {
    script: { redirects: [] as readonly string[], status: 302 },
    arrivals,
    get connections() {
      return connections;
    },
    reset() {
      arrivals.length = 0;
    },
  };
  const listener: RequestListener = (request, response) => {
    const location = canaries.script.redirects[arrivals.length];
    arrivals.push(arrivalOf(request));
    if (location === undefined) response.writeHead(200, { "content-type": "text/html" }).end(PAGE);
    else {
      const onWire = Buffer.from(location, "utf8").toString("latin1");
      response.writeHead(canaries.script.status, { location: onWire }).end();
    }
  };
  const plain = createServer(listener);
  const secure = createSecureServer(tls, listener);
  // Every port speaks both, so that whatever is sent to it is understood.
  const accept = (socket: Socket): void => {
    connections += 1;
    socket.on("error", () => {});
    const begin = (): void => {
      const first = socket.read(1) as Buffer | null;
      if (first === null) return void socket.once("readable", begin);
      socket.unshift(first);
      (first[0] === TLS_HANDSHAKE ? secure : plain).emit("connection", socket);
    };
    begin();
  };
  for (const host of families.map((family) => (family === 4 ? "0.0.0.0" : "::"))) {
    for (const port of PORTS) {
      const server = createTcpServer(accept);
      await new Promise<void>((resolve, reject) => {
        server.once("error", reject).listen({ host, port, ipv6Only: true }, resolve);
      });
    }
  }
  return canaries;
}

function arrivalOf({ socket, headers, url = "" }: IncomingMessage): Arrival {
  const { localAddress = "", localPort = 0 } = socket as Socket;
  return {
    address: spelling(localAddress),
    port: localPort,
    isSecure: "encrypted" in socket,
    host: headers.host ?? "",
    target: url,
  };
}

function spelling(address: string): string {
  return address.includes(":") ? new URL(`http://[${address}]/`).hostname.slice(1, -1) : address;
}
