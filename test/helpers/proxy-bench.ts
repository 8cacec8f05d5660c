import { createJail, createTransport, type NetEvent, type ProxyOptions, type Transport } from "../../src/net/index.js";
import { closeAfter } from "./close-after.js";
import { LAB_ADDRESS, openHttpProxy, openSocksProxy, type ProxyServer } from "./proxy-server.js";
import { answer, openRawServer, type RawServer } from "./raw-server.js";
import { TLS_HOST, tlsFixture, type tlsIdentity } from "./tls-site.js";

/** Proxies and a site for the test that runs. */
export const httpProxy = async (...options: Parameters<typeof openHttpProxy>): Promise<ProxyServer> =>
  closeAfter(await openHttpProxy(...options));
export const socksProxy = async (...options: Parameters<typeof openSocksProxy>): Promise<ProxyServer> =>
  closeAfter(await openSocksProxy(...options));
export const site = async (status = "200 OK", tls?: ReturnType<typeof tlsIdentity>): Promise<RawServer> =>
  closeAfter(
    await openRawServer((socket) => socket.write(answer(status, {}, "the site")), tls === undefined ? {} : { tls }),
  );

export interface Through {
  readonly transport: Transport;
  readonly lookUps: readonly string[];
  readonly events: readonly NetEvent[];
}

/** A transport whose DNS leads `TLS_HOST` to a private host, as which the proxies reach the site of each test. */
export function through(
  target: Pick<RawServer, "port">,
  proxy: Partial<ProxyOptions> & { url?: string },
  address: string = LAB_ADDRESS,
): Through {
  const lookUps: string[] = [];
  const events: NetEvent[] = [];
  const origins = [`http://${TLS_HOST}:${target.port}`, `https://${TLS_HOST}:${target.port}`];
  const { url, ...rest } = proxy;
  const transport = createTransport({
    jail: createJail({
      exemptions: origins.map((origin) => ({ origin, name: "site" })),
      resolve: async (host) => {
        lookUps.push(host);
        return [address];
      },
    }),
    ca: [tlsFixture("ca.pem")],
    proxy: { http: url, https: url, ...rest },
    onEvent: (event) => events.push(event),
  });
  return { transport: closeAfter(transport), lookUps, events };
}
