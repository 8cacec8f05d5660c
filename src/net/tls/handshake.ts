import type { Socket } from "node:net";
import { connect as connectTls, type SecureContext, type TLSSocket } from "node:tls";
import { parseIpAddress } from "../ip-address.js";
import { type PeerCertificate, readPeerCertificate } from "./peer-certificate.js";
import { checkIdentity } from "./server-identity.js";
import type { TlsException } from "./tls-exceptions.js";
import { tlsFailure, tlsRefusal } from "./tls-failure.js";
import type { TlsParty } from "./tls-reasons.js";

/** Whom a handshake is made with. */
export interface TlsPeer {
  /** RFC 9110 4.3.4: the certificate is checked against this name, whatever address the route leads to. */
  readonly host: string;
  /** Whose certificate an error speaks of. Default `server`. */
  readonly party?: TlsParty | undefined;
  /** The user's exception for exactly this origin. A proxy has none. */
  readonly exception?: TlsException | undefined;
}

/** A connection that is encrypted now, and whom it is encrypted for. */
export interface Secured {
  readonly socket: TLSSocket;
  /** The exception without which the certificate would have been refused. */
  readonly usedException: TlsException | undefined;
}

/**
 * A TLS client handshake over a connection that stands: TCP, or TLS itself. Nothing was written to the socket yet.
 *
 * Whether a certificate is good is node's own verdict. What is read of it beforehand explains a refusal, and is compared
 * with the pin of an exception.
 * @throws FetchError `tls_failed`; the connection is destroyed then
 */
export function startTls(tcp: Socket, peer: TlsPeer, secureContext: SecureContext): Promise<Secured> {
  const { host, exception, party = "server" } = peer;
  return new Promise((resolve, reject) => {
    const socket = connectTls({
      socket: tcp,
      host,
      // RFC 6066 3: a server name is never an address.
      ...(parseIpAddress(host) === undefined ? { servername: host } : {}),
      // All that is spoken; OpenSSL refuses a server that chooses what was not offered (RFC 7301 3.2).
      ALPNProtocols: ["http/1.1"],
      secureContext,
      checkServerIdentity: checkIdentity,
      // Set explicitly, because NODE_TLS_REJECT_UNAUTHORIZED=0 would turn the default off. Under an exception node's
      // verdict is read below instead, before anyone has the socket.
      rejectUnauthorized: exception === undefined,
    });
    let certificate: PeerCertificate | undefined;
    const fail = (error: Error): void => {
      reject(error);
      socket.destroy();
      tcp.destroy();
    };
    // Before node's own listener, which ends a refused connection, and what is known of its certificate with it.
    socket.prependOnceListener("secure", () => {
      certificate = readPeerCertificate(socket);
    });
    // An alert can come after the handshake too (RFC 8446 4.4.2.4); node would read on, and the end then hide the alert.
    socket.on("error", (error) => {
      socket.destroy(error);
      fail(tlsFailure(error, party, certificate));
    });
    tcp.once("close", () => fail(tlsRefusal("handshake_cut", party)));
    socket.once("secureConnect", () => {
      const isPinned = exception !== undefined && certificate?.sha256 === exception.sha256;
      if (socket.authorized) resolve({ socket, usedException: undefined });
      else if (isPinned) resolve({ socket, usedException: exception });
      else fail(tlsRefusal("pin_mismatch", party, certificate));
    });
  });
}
