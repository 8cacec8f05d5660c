import { isIP, type Socket } from "node:net";
import { connect as connectTls, type SecureContext, TLSSocket } from "node:tls";
import { type PeerCertificate, readPeerCertificate } from "./peer-certificate.js";
import { checkIdentity } from "./server-identity.js";
import type { TlsException } from "./tls-exceptions.js";
import { tlsFailure, tlsRefusal } from "./tls-failure.js";
import type { TlsParty } from "./tls-reasons.js";

export type ConnectCallback = (...result: [null, Socket | TLSSocket] | [Error, null]) => void;

/** Whom a handshake is made with. */
export interface TlsPeer {
  /** RFC 9110 4.3.4: the certificate is checked against this name, whatever address the route leads to. */
  readonly host: string;
  /** Whose certificate an error speaks of. Default `server`. */
  readonly party?: TlsParty | undefined;
  /** The user's exception for exactly this origin. A proxy has none. */
  readonly exception?: TlsException | undefined;
}

/**
 * A TLS client handshake over a connection that stands: TCP, or TLS itself. `settle` gets a socket that nothing was
 * written to yet, or a FetchError `tls_failed`, upon which the caller destroys `tcp`.
 *
 * Whether a certificate is good is node's own verdict. What is read of it beforehand explains a refusal and decides
 * nothing.
 */
export function startTls(tcp: Socket, peer: TlsPeer, secureContext: SecureContext, settle: ConnectCallback): void {
  const { host, exception, party = "server" } = peer;
  const socket = connectTls({
    socket: tcp,
    host,
    // RFC 6066 3: a server name is never an address.
    ...(isIP(host) === 0 ? { servername: host } : {}),
    // All that is spoken; OpenSSL refuses a server that chooses what was not offered (RFC 7301 3.2).
    ALPNProtocols: ["http/1.1"],
    secureContext,
    checkServerIdentity: checkIdentity,
    // Said aloud, because NODE_TLS_REJECT_UNAUTHORIZED=0 would turn the default off. Under an exception node's verdict
    // is read below instead, before anyone has the socket.
    rejectUnauthorized: exception === undefined,
  });
  let certificate: PeerCertificate | undefined;
  const fail = (error: Error): void => settle(tlsFailure(error, party, certificate), null);
  // Before node's own listener, which ends a refused connection, and what is known of its certificate with it.
  socket.prependOnceListener("secure", () => {
    certificate = readPeerCertificate(socket);
  });
  socket.once("error", fail);
  socket.once("secureConnect", () => {
    socket.removeListener("error", fail);
    // An alert can come after the handshake too (RFC 8446 4.4.2.4); node would read on, and the end then hide the alert.
    socket.once("error", (error) => socket.destroy(error));
    if (!socket.authorized && !isPinned(socket, exception))
      settle(tlsRefusal("pin_mismatch", party, certificate), null);
    else settle(null, socket);
  });
}

/** Was this connection's certificate accepted only because the user pinned it? */
export function isAcceptedByException(socket: Socket | TLSSocket): boolean {
  return socket instanceof TLSSocket && !socket.authorized;
}

function isPinned(socket: TLSSocket, exception: TlsException | undefined): boolean {
  return exception !== undefined && readPeerCertificate(socket)?.sha256 === exception.sha256;
}
