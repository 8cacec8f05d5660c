import type { Socket } from "node:net";
import type { SecureContext } from "node:tls";
import { FetchError } from "../errors.js";
import { dial } from "./dial.js";
import { CONNECT_TIMEOUT_MS } from "./limits.js";
import { type ConnectCallback, isAcceptedByException, startTls } from "./tls/handshake.js";
import type { TlsException } from "./tls/tls-exceptions.js";
import type { CheckedUrl } from "./url-check.js";
import { isProxied, type Way } from "./way.js";

/** How one connection is opened, and how to stop opening it. */
export interface Connector {
  /**
   * undici's connect hook. What undici passes in (host, port, server name) is not looked at: the way says where, the
   * checked URL says whom.
   */
  connect(options: unknown, callback: ConnectCallback): void;
  abort(): void;
  /** The exception without which the server's certificate would have been refused; known once it is connected. */
  readonly usedException: TlsException | undefined;
}

export function createConnector(
  url: CheckedUrl,
  way: Way,
  secureContext: () => SecureContext,
  exception: TlsException | undefined,
): Connector {
  let opening: Socket | undefined;
  let usedException: TlsException | undefined;
  let isAborted = false;
  const track = (socket: Socket): void => {
    opening = socket;
    if (isAborted) socket.destroy();
  };
  return {
    connect(_options, callback) {
      let isSettled = false;
      const settle: ConnectCallback = (...result) => {
        if (isSettled) return;
        isSettled = true;
        clearTimeout(timer);
        if (result[0] !== null) opening?.destroy();
        opening = undefined;
        if (result[0] === null && isAcceptedByException(result[1])) usedException = exception;
        callback(...result);
      };
      const fail = (message: string): void => settle(new FetchError("connect_failed", message), null);
      const timer = setTimeout(() => fail("The server did not answer the connection."), CONNECT_TIMEOUT_MS);
      const secure = (socket: Socket): void => {
        if (url.secure) startTls(socket, { host: url.host, exception }, secureContext(), settle);
        else settle(null, socket);
      };
      const watch = (socket: Socket): void => {
        track(socket);
        socket.once("close", () => fail("The server closed the connection."));
      };
      if (isProxied(way)) {
        // Only with a proxy: node's HTTP client is not loaded for anyone else.
        void import("./proxy/tunnel.js")
          .then(({ openTunnel }) => openTunnel(url, way, secureContext, track))
          .then((socket) => {
            watch(socket);
            secure(socket);
          })
          .catch((error: Error) => settle(error, null));
      } else {
        watch(dial(way.route, url.port, (error, tcp) => (error === null ? secure(tcp) : settle(error, null))));
      }
    },
    abort() {
      isAborted = true;
      opening?.destroy();
    },
    get usedException() {
      return usedException;
    },
  };
}
