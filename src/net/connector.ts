import type { Socket } from "node:net";
import type { SecureContext, TLSSocket } from "node:tls";
import { FetchError } from "../errors.js";
import { dial } from "./dial.js";
import { CONNECT_TIMEOUT_MS } from "./limits.js";
import { proxyFailure } from "./proxy/proxy-failure.js";
import { startTls } from "./tls/handshake.js";
import type { TlsException } from "./tls/tls-exceptions.js";
import type { CheckedUrl } from "./url-check.js";
import { isProxied, type Way } from "./way.js";

type ConnectCallback = (...result: [null, Socket | TLSSocket] | [Error, null]) => void;

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
  const controller = new AbortController();
  const { signal } = controller;
  let opening: Socket | undefined;
  let usedException: TlsException | undefined;
  let isAtProxy = isProxied(way);

  const track = (socket: Socket): void => {
    opening = socket;
    if (signal.aborted) socket.destroy();
  };
  const openTcp = async (): Promise<Socket> => {
    if (!isProxied(way)) return dial(way.route, url.port, track);
    // Nobody else loads CONNECT and SOCKS.
    const { openTunnel } = await import("./proxy/tunnel.js");
    const socket = await openTunnel(url, way, secureContext, track, signal);
    isAtProxy = false;
    return socket;
  };
  const open = async (): Promise<Socket> => {
    const socket = await openTcp();
    if (!url.secure) return socket;
    const secured = await startTls(socket, { host: url.host, exception }, secureContext());
    usedException = secured.usedException;
    return secured.socket;
  };

  return {
    connect(_options, callback) {
      const timer = setTimeout(
        () =>
          controller.abort(
            isAtProxy ? proxyFailure("unreachable") : failed("The server did not answer the connection."),
          ),
        CONNECT_TIMEOUT_MS,
      );
      const aborted = new Promise<never>((_, reject) => {
        signal.addEventListener("abort", () => reject(signal.reason), { once: true });
      });
      const settle = (...result: Parameters<ConnectCallback>): void => {
        clearTimeout(timer);
        callback(...result);
      };
      void Promise.race([open(), aborted]).then(
        (socket) => settle(null, socket),
        (error: Error) => {
          opening?.destroy();
          settle(error, null);
        },
      );
    },
    abort: () => controller.abort(failed("The connection was given up.")),
    get usedException() {
      return usedException;
    },
  };
}

function failed(message: string): FetchError {
  return new FetchError("connect_failed", message);
}
