import type { Socket } from "node:net";
import type { SecureContext } from "node:tls";
import { isPosternError } from "../../errors.js";
import { dial } from "../dial.js";
import type { RouteAddress } from "../ip-address.js";
import { startTls } from "../tls/handshake.js";
import type { CheckedUrl } from "../url-check.js";
import { authorityOf } from "../url-parts.js";
import type { Way } from "../way.js";
import { openHttpTunnel } from "./http-connect.js";
import { proxyFailure } from "./proxy-failure.js";
import { openSocks5Tunnel } from "./socks5.js";
import type { UpstreamProxy } from "./upstream.js";

/** Of a host with many addresses: each try is a connection to the proxy and a wait for its answer. */
const MAX_TARGETS = 4;

/**
 * A connection through the way's proxy: dial the proxy, TLS to it where it is an HTTPS proxy, then ask it for the host.
 * The proxy is asked for the checked addresses, one after the other, or for the name where it resolves names itself.
 * @param track gets every socket as soon as it exists, to destroy it when all is given up
 * @throws FetchError `proxy_failed`, or the signal's reason
 */
export async function openTunnel(
  url: CheckedUrl,
  way: Way & { readonly proxy: UpstreamProxy },
  secureContext: () => SecureContext,
  track: (socket: Socket) => void,
  signal: AbortSignal,
): Promise<Socket> {
  const { proxy } = way;
  if (way.isForwarded) return connectToProxy(proxy, secureContext, track, signal);
  const hosts = way.route.addresses.length === 0 ? [url.host] : targets(way.route.addresses);
  for (const [index, host] of hosts.entries()) {
    const socket = await connectToProxy(proxy, secureContext, track, signal);
    try {
      await openTunnelTo(socket, proxy, host, url.port);
      return socket;
    } catch (error) {
      socket.destroy();
      const isLast = index === hosts.length - 1;
      if (isLast || !isPosternError(error) || error.details.reason !== "server_unreachable") throw error;
    }
  }
  throw proxyFailure("server_unreachable");
}

function openTunnelTo(socket: Socket, proxy: UpstreamProxy, host: string, port: number): Promise<void> {
  if (proxy.protocol === "socks5") return openSocks5Tunnel(socket, host, port, proxy.credentials);
  return openHttpTunnel(socket, authorityOf(host, port), proxy.credentials);
}

async function connectToProxy(
  proxy: UpstreamProxy,
  secureContext: () => SecureContext,
  track: (socket: Socket) => void,
  signal: AbortSignal,
): Promise<Socket> {
  const route = await proxy.route(signal);
  signal.throwIfAborted();
  const tcp = await dial(route, proxy.port, track).catch((error: unknown) => {
    throw proxyFailure("unreachable", error);
  });
  if (proxy.protocol !== "https") return tcp;
  const { socket } = await startTls(tcp, { host: proxy.host, party: "proxy" }, secureContext()).catch(
    (error: unknown) => {
      throw proxyFailure("tls", error);
    },
  );
  return socket;
}

/** Both families early on: many a proxy reaches only one of them. */
function targets(addresses: readonly RouteAddress[]): readonly string[] {
  const [first] = addresses;
  const own = addresses.filter(({ family }) => family === first?.family);
  const other = addresses.filter(({ family }) => family !== first?.family);
  const mixed = own.flatMap((address, i) => [address, ...other.slice(i, i + 1)]).concat(other.slice(own.length));
  return mixed.slice(0, MAX_TARGETS).map(({ text }) => text);
}
