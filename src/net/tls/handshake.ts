import { isIP, type Socket } from "node:net";
import { connect as connectTls, type SecureContext, type TLSSocket } from "node:tls";

export type ConnectCallback = (...result: [null, Socket | TLSSocket] | [Error, null]) => void;

/** RFC 9110 4.3.4: the certificate is checked against the URL's host, whatever address the route leads to. */
export function startTls(tcp: Socket, host: string, secureContext: SecureContext, settle: ConnectCallback): void {
  const socket = connectTls({
    socket: tcp,
    host,
    // RFC 6066 3: a server name is never an address.
    ...(isIP(host) === 0 ? { servername: host } : {}),
    ALPNProtocols: ["http/1.1"],
    secureContext,
    // Said aloud, because NODE_TLS_REJECT_UNAUTHORIZED=0 would turn the default off.
    rejectUnauthorized: true,
  });
  const fail = (error: Error): void => settle(error, null);
  socket.once("error", fail);
  socket.once("secureConnect", () => {
    socket.removeListener("error", fail);
    settle(null, socket);
  });
}
