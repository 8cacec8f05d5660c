import { ConfigError, FetchError } from "../errors.js";
import type { Hop } from "../types.js";
import type { Connections } from "./connections.js";
import { createDeadline, type Deadline } from "./deadline.js";
import type { Jail } from "./jail.js";
import {
  DEFAULT_CONNECTIONS_PER_ORIGIN,
  DEFAULT_KEEP_ALIVE_MS,
  DEFAULT_TIMEOUT_MS,
  MAX_KEEP_ALIVE_MS,
  REDIRECTS_CEILING,
} from "./limits.js";
import type { NetEvent } from "./net-event.js";
import { createProxyRules, type ProxyOptions } from "./proxy/upstream.js";
import type { RequestBody } from "./request-body.js";
import { type ChainRooms, RequestChain } from "./request-chain.js";
import { METHODS, type Method } from "./request-headers.js";
import type { ResponseHeaders } from "./response-headers.js";
import { pemCertificates } from "./tls/certificate-files.js";
import { indexTlsExceptions, type TlsException } from "./tls/tls-exceptions.js";

export interface TransportOptions {
  /** Judges every hop: its URL before anything is looked up, its addresses before anything is dialled. */
  readonly jail: Jail;
  /** `User-Agent` of requests whose own headers have none. Default `postern`. */
  readonly userAgent?: string | undefined;
  /** PEM certificates trusted beside Node's and the system's. */
  readonly ca?: readonly string[] | undefined;
  /** Where `NODE_EXTRA_CA_CERTS`, `SSL_CERT_FILE` and `SSL_CERT_DIR` are read; they add to `ca`. Default `process.env`. */
  readonly env?: Readonly<Record<string, string | undefined>> | undefined;
  /** Origins whose certificate may be wrong, as long as it is exactly the pinned one. Default: none. */
  readonly tlsExceptions?: readonly TlsException[] | undefined;
  /** Proxies to go through. Default: none, whatever the environment says. */
  readonly proxy?: ProxyOptions | undefined;
  /** An environment variable that names a proxy and is not used: said when a host cannot be reached without. */
  readonly unusedProxy?: string | undefined;
  readonly onEvent?: ((event: NetEvent) => void) | undefined;
  /** How long an idle connection stays open, 1 to 3,600,000. Default 10,000. */
  readonly keepAliveMs?: number | undefined;
  /** Connections to one origin at the same time, from 1 on; further requests wait. Default 8. */
  readonly maxConnectionsPerOrigin?: number | undefined;
}

export interface TransportRequest {
  readonly url: string;
  readonly method?: Method | undefined;
  /** `Host`, framing, `Proxy-*`, `Referer` and `Accept-Encoding` are the transport's own and dropped. */
  readonly headers?: Readonly<Record<string, string>> | undefined;
  /** A stream is read whole before anything is sent, 10 MB at most. */
  readonly body?: RequestBody | undefined;
  readonly signal?: AbortSignal | undefined;
  /** For everything: the body's stream, look-ups, connections, hops, retries, body. 1 to 3,600,000, default 15,000. */
  readonly timeoutMs?: number | undefined;
  /** Limit for the body on the wire and decoded, each. Default 2,000,000. */
  readonly maxBytes?: number | undefined;
  /** 0 to 20, default 5. */
  readonly maxRedirects?: number | undefined;
  /** `manual` hands a redirect back with its checked `location`; `error` throws. Default `follow`. */
  readonly redirect?: "follow" | "manual" | "error" | undefined;
  /** Further tries after a failure that may pass, for the whole chain: 0 or 1. Default 0. */
  readonly retries?: 0 | 1 | undefined;
  /**
   * The egress policy: asked before any look-up, on every hop, since a name leaks too. A rejection ends the request.
   * The clock stands still meanwhile.
   */
  readonly approveHop?: ((url: URL, hopIndex: number) => Promise<void>) | undefined;
  readonly onEvent?: ((event: NetEvent) => void) | undefined;
}

export interface TransportResponse {
  /** Of the last hop, without a fragment. */
  readonly url: string;
  readonly status: number;
  readonly headers: ResponseHeaders;
  /** Decoded. */
  readonly bytes: Uint8Array;
  /** `cap`: cut at `maxBytes`. `stream`: it broke off, and is not a whole document. */
  readonly truncated?: "cap" | "stream";
  /** Written to a socket: each hop's and each retry's. What ended at the look-up or the connection is none. */
  readonly requests: number;
  /** Of the bodies of all these requests' answers, as they came. */
  readonly wireBytes: number;
  readonly hops: readonly Hop[];
  /** Where a redirect leads that was not followed; checked up to the look-up. */
  readonly location?: string;
}

export interface Transport {
  /**
   * @throws BlockedError by the jail or `approveHop`, FetchError for all else; an HTTP error status is an answer. The
   * `details` of a FetchError hold `requests` and `wireBytes`, as an answer does: what was used until then.
   */
  request(request: TransportRequest): Promise<TransportResponse>;
  /** Leaves no socket and no timer behind. Requests under way, and later ones, fail at once with `aborted`. */
  close(): Promise<void>;
}

/**
 * HTTP through the jail. Loads its HTTP client when the first URL has passed the rules that need no look-up.
 * @throws ConfigError for an option that is not what its comment says
 */
export function createTransport(options: TransportOptions): Transport {
  assertAllowed(options, TRANSPORT_RULES);
  let connections: Promise<Connections> | undefined;
  const proxyFor = createProxyRules(options.proxy);
  const tlsExceptions = indexTlsExceptions(options.tlsExceptions ?? []);
  const ca = (options.ca ?? []).flatMap(pemCertificates);
  const live = new Set<Deadline>();
  let isClosed = false;
  const openConnections = async (): Promise<Connections> => {
    const { createConnections } = await import("./connections.js");
    return createConnections({
      ca,
      env: options.env,
      tlsExceptions,
      keepAliveMs: options.keepAliveMs ?? DEFAULT_KEEP_ALIVE_MS,
      maxConnectionsPerOrigin: options.maxConnectionsPerOrigin ?? DEFAULT_CONNECTIONS_PER_ORIGIN,
    });
  };
  const connect = (): Promise<Connections> => {
    connections ??= openConnections();
    return connections;
  };

  const rooms: ChainRooms = { ...options, proxyFor, connect };

  return {
    async request(request) {
      assertAllowed(request, REQUEST_RULES);
      const deadline = createDeadline(request.timeoutMs ?? DEFAULT_TIMEOUT_MS, request.signal);
      live.add(deadline);
      if (isClosed) deadline.end(closed());
      try {
        return await new RequestChain(rooms, request, deadline).run();
      } finally {
        deadline.dispose();
        live.delete(deadline);
      }
    },
    async close() {
      isClosed = true;
      // Before their sockets go, which would read as the server's doing.
      for (const deadline of live) deadline.end(closed());
      await (await connections)?.close();
    },
  };
}

function closed(): FetchError {
  return new FetchError("aborted", "The transport was closed.");
}

/** What an option may be; callers without types send anything. */
interface Rule {
  readonly takes: string;
  readonly allows: (value: unknown) => boolean;
}

const oneOf = (...values: readonly unknown[]): Rule => ({
  takes: `one of ${values.join(", ")}`,
  allows: (value) => values.includes(value),
});
const wholeFrom = (minimum: number, maximum = Infinity): Rule => ({
  takes: `a whole number ${maximum === Infinity ? `above ${minimum - 1}` : `from ${minimum} to ${maximum}`}`,
  allows: (value) => Number.isSafeInteger(value) && Number(value) >= minimum && Number(value) <= maximum,
});

type Rules<T> = { readonly [K in keyof T]?: Rule };

const TRANSPORT_RULES: Rules<TransportOptions> = {
  keepAliveMs: wholeFrom(1, MAX_KEEP_ALIVE_MS),
  maxConnectionsPerOrigin: wholeFrom(1),
};
const REQUEST_RULES: Rules<TransportRequest> = {
  method: oneOf(...METHODS),
  maxBytes: wholeFrom(1),
  maxRedirects: wholeFrom(0, REDIRECTS_CEILING),
  redirect: oneOf("follow", "manual", "error"),
  retries: oneOf(0, 1),
};

function assertAllowed<T>(given: T, rules: Rules<T>): void {
  for (const [name, { takes, allows }] of Object.entries<Rule>(rules as Record<string, Rule>)) {
    const value = given[name as keyof T];
    if (value !== undefined && !allows(value)) {
      throw new ConfigError("invalid_argument", `\`${name}\` must be ${takes}.`);
    }
  }
}
