import type { Socket } from "node:net";
import type { SecureContext } from "node:tls";
import { FetchError } from "../errors.js";
import { dial } from "./dial.js";
import type { Route } from "./jail.js";
import { type ConnectCallback, startTls } from "./tls/handshake.js";
import type { CheckedUrl } from "./url-check.js";

/** How one connection is opened, and how to stop opening it. */
export interface Connector {
  /**
   * undici's connect hook. What undici passes in (host, port, server name) is not looked at: the route says where, the
   * checked URL says whom.
   */
  connect(options: unknown, callback: ConnectCallback): void;
  abort(): void;
}

const CONNECT_TIMEOUT_MS = 10_000;

/** An upstream proxy goes here: its CONNECT comes between `dial` and the TLS handshake. */
export function createConnector(url: CheckedUrl, route: Route, secureContext: () => SecureContext): Connector {
  let opening: Socket | undefined;
  return {
    connect(_options, callback) {
      let isSettled = false;
      const settle: ConnectCallback = (...result) => {
        if (isSettled) return;
        isSettled = true;
        clearTimeout(timer);
        opening = undefined;
        if (result[0] !== null) socket.destroy();
        callback(...result);
      };
      const fail = (message: string): void => settle(new FetchError("connect_failed", message), null);
      const timer = setTimeout(() => fail("The server did not answer the connection."), CONNECT_TIMEOUT_MS);
      const socket = dial(route, url.port, (error, tcp) => {
        if (error !== null) settle(error, null);
        else if (url.secure) startTls(tcp, url.host, secureContext(), settle);
        else settle(null, tcp);
      });
      socket.once("close", () => fail("The server closed the connection."));
      opening = socket;
    },
    abort() {
      opening?.destroy();
    },
  };
}
