import { request as httpRequest, type IncomingMessage } from "node:http";
import type { Socket } from "node:net";
import { MAX_HEADER_BYTES } from "../limits.js";
import { proxyAuthorization, refusalReason } from "./http-proxy.js";
import { proxyFailure } from "./proxy-failure.js";
import type { ProxyCredentials } from "./proxy-url.js";

/**
 * Asks an HTTP proxy for a tunnel (RFC 9110 9.3.6). Resolves when the socket leads to `authority`.
 * @param authority `host:port`, an IPv6 address in brackets
 * @throws FetchError `proxy_failed`
 */
export function openHttpTunnel(
  socket: Socket,
  authority: string,
  credentials: ProxyCredentials | undefined,
): Promise<void> {
  return new Promise((resolve, reject) => {
    const request = httpRequest({
      createConnection: () => socket,
      method: "CONNECT",
      path: authority,
      maxHeaderSize: MAX_HEADER_BYTES,
      setHost: false,
      headers: { host: authority, ...proxyAuthorization(credentials) },
    });
    request.once("error", () => reject(proxyFailure("protocol")));
    request.once("connect", (response: IncomingMessage, _socket: Socket, head: Buffer) => {
      const { statusCode = 0 } = response;
      if (statusCode < 200 || statusCode > 299) reject(connectRefusal(response, credentials));
      // In HTTP the client speaks first: what came with the answer is none of the server's.
      else if (head.length > 0) reject(proxyFailure("protocol"));
      else resolve();
    });
    request.end();
  });
}

function connectRefusal(
  { statusCode = 0, headers }: IncomingMessage,
  credentials: ProxyCredentials | undefined,
): Error {
  const authenticate = headers["proxy-authenticate"] ?? headers["www-authenticate"];
  return proxyFailure(refusalReason(statusCode, authenticate, credentials), undefined, { status: statusCode });
}
