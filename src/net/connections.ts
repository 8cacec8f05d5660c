import type { SecureContext } from "node:tls";
import type { Dispatcher } from "undici";
import Client from "undici/lib/dispatcher/client.js";
import { createConnector } from "./connector.js";
import type { Deadline } from "./deadline.js";
import { addressKey } from "./ip-address.js";
import type { Route } from "./jail.js";
import { createSlots } from "./slots.js";
import { createSecureContext } from "./tls/secure-context.js";
import type { CheckedUrl } from "./url-check.js";

export interface ConnectionsOptions {
  /** PEM certificates trusted beside the system's. */
  readonly ca: readonly string[];
  readonly keepAliveMs: number;
  readonly maxConnectionsPerOrigin: number;
}

/** One connection, lent for one exchange. */
export interface Connection {
  readonly dispatcher: Dispatcher;
  /** The answer was read to its end: the next request may use the connection. */
  release(): void;
  /** Ends it, wherever it stands: connecting, waiting, or in the middle of an answer. */
  destroy(): void;
}

/** Warm connections, found by origin and the very addresses that were checked for this request. */
export interface Connections {
  /**
   * A connection to the route, warm or new. A host whose answers changed never gets a connection of its earlier answers,
   * because the set of checked addresses is part of what a connection is found by.
   * @throws the deadline's reason while every connection to the origin is taken
   */
  take(url: CheckedUrl, route: Route, deadline: Deadline): Promise<Connection>;
  /** Resolves when every connection is destroyed. Whoever still uses one must have been ended before. */
  close(): Promise<void>;
}

const MAX_IDLE = 64;
const MAX_HEADER_BYTES = 32 * 1024;

interface Entry {
  readonly key: string;
  readonly client: Client;
  readonly destroy: () => Promise<void>;
  isDisconnected: boolean;
}

export function createConnections(options: ConnectionsOptions): Connections {
  const slots = createSlots(options.maxConnectionsPerOrigin);
  /** Until its socket is gone. */
  const alive = new Set<Entry>();
  /** Oldest first. */
  const idle = new Set<Entry>();
  let context: SecureContext | undefined;
  const secureContext = (): SecureContext => {
    context ??= createSecureContext(options.ca);
    return context;
  };

  const open = (key: string, url: CheckedUrl, route: Route): Entry => {
    const connector = createConnector(url, route, secureContext);
    const client = new Client(url.origin, {
      connect: connector.connect,
      pipelining: 1,
      allowH2: false,
      keepAliveTimeout: options.keepAliveMs,
      // The server may ask for less and never for more.
      keepAliveMaxTimeout: options.keepAliveMs,
      maxHeaderSize: MAX_HEADER_BYTES,
      // The request's own deadline covers both; these restart with every byte.
      headersTimeout: 0,
      bodyTimeout: 0,
    });
    const destroy = async (): Promise<void> => {
      idle.delete(entry);
      connector.abort();
      await client.destroy();
      alive.delete(entry);
    };
    const entry: Entry = { key, client, destroy, isDisconnected: false };
    alive.add(entry);
    client.on("disconnect", () => {
      entry.isDisconnected = true;
      if (idle.has(entry)) void destroy();
    });
    return entry;
  };

  const keep = (entry: Entry): void => {
    if (entry.isDisconnected) {
      void entry.destroy();
      return;
    }
    idle.add(entry);
    const [oldest] = idle;
    if (idle.size > MAX_IDLE) void oldest?.destroy();
  };

  return {
    async take(url, route, deadline) {
      const freeSlot = await slots.take(url.origin, deadline);
      const key = connectionKey(url, route);
      const warm = [...idle].findLast((candidate) => candidate.key === key);
      const entry = warm ?? open(key, url, route);
      idle.delete(entry);
      let isGivenBack = false;
      const giveBack = (then: (entry: Entry) => void): void => {
        if (isGivenBack) return;
        isGivenBack = true;
        then(entry);
        freeSlot();
      };
      return {
        dispatcher: entry.client,
        release: () => giveBack(keep),
        destroy: () => giveBack(({ destroy }) => void destroy()),
      };
    },
    async close() {
      await Promise.all([...alive].map((entry) => entry.destroy()));
    },
  };
}

/** Resolvers rotate their answers; the set stays the same. */
function connectionKey(url: CheckedUrl, route: Route): string {
  return `${url.origin} ${route.addresses.map(addressKey).sort().join(" ")}`;
}
