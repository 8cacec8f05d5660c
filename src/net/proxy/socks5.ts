import type { Socket } from "node:net";
import { Socks5Client } from "undici/lib/core/socks5-client.js";
import { type ProxyFailureReason, proxyFailure } from "./proxy-failure.js";
import type { ProxyCredentials } from "./proxy-url.js";

/** RFC 1928 6, and RFC 1929 for the password. */
const REASONS: Readonly<Record<string, ProxyFailureReason>> = {
  UND_ERR_SOCKS5_AUTH_REJECTED: "auth_required",
  UND_ERR_SOCKS5_AUTH_FAILED: "auth_required",
  UND_ERR_SOCKS5_AUTH_METHOD: "auth_unsupported",
  UND_ERR_SOCKS5_REPLY_1: "server_unreachable",
  UND_ERR_SOCKS5_REPLY_2: "refused",
  UND_ERR_SOCKS5_REPLY_3: "server_unreachable",
  UND_ERR_SOCKS5_REPLY_4: "server_unreachable",
  UND_ERR_SOCKS5_REPLY_5: "server_unreachable",
  UND_ERR_SOCKS5_REPLY_6: "server_unreachable",
  UND_ERR_SOCKS5_REPLY_7: "refused",
  UND_ERR_SOCKS5_REPLY_8: "refused",
};

/**
 * Asks a SOCKS 5 proxy for a connection (RFC 1928). Resolves when the socket leads to `host`.
 * @param host an address, or a name for the proxy to resolve
 * @throws FetchError `proxy_failed`
 */
export function openSocks5Tunnel(
  socket: Socket,
  host: string,
  port: number,
  credentials: ProxyCredentials | undefined,
): Promise<void> {
  return new Promise((resolve, reject) => {
    const client = new Socks5Client(socket, credentials ?? {});
    // Stays on: the client goes on listening to the socket, and an error event without a listener ends the process.
    client.on("error", (error) => reject(proxyFailure(reasonOf(error, credentials))));
    client.once("close", () => reject(proxyFailure("protocol")));
    client.once("authenticated", () => client.connect(host, port));
    client.once("connected", () => {
      // Nobody reads until the tunnel has its user.
      socket.pause();
      resolve();
    });
    client.handshake();
  });
}

function reasonOf(error: Error, credentials: ProxyCredentials | undefined): ProxyFailureReason {
  const { code = "" } = error as NodeJS.ErrnoException;
  const reason = (Object.hasOwn(REASONS, code) ? REASONS[code] : undefined) ?? "protocol";
  return reason === "auth_required" && credentials !== undefined ? "auth_refused" : reason;
}
