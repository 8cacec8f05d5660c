import type { SecureContext } from "node:tls";
import type { Dispatcher } from "undici";
import Client from "undici/lib/dispatcher/client.js";
import { type Connector, createConnector } from "./connector.js";
import type { Deadline } from "./deadline.js";
import { MAX_HEADER_BYTES, MAX_IDLE_CONNECTIONS } from "./limits.js";
import { guardParser } from "./parser-guard.js";
import { createSlots } from "./slots.js";
import { createSecureContext } from "./tls/secure-context.js";
import type { TlsException } from "./tls/tls-exceptions.js";
import type { TrustOptions } from "./tls/trust.js";
import type { CheckedUrl } from "./url-check.js";
import { type Way, wayKey } from "./way.js";

export interface ConnectionsOptions extends TrustOptions {
  /** By origin. */
  readonly tlsExceptions: ReadonlyMap<string, TlsException>;
  readonly keepAliveMs: number;
  readonly maxConnectionsPerOrigin: number;
}

/** One connection, lent for one exchange. */
export interface Connection {
  readonly dispatcher: Dispatcher;
  /** The exception that the server's certificate was accepted by; known once an answer is there. */
  readonly usedException: TlsException | undefined;
  /** The answer was read to its end: the next request may use the connection. */
  release(): void;
  /** Ends it, wherever it stands: connecting, waiting, or in the middle of an answer. */
  destroy(): void;
}

/** Warm connections, found by origin, proxy and the very addresses that were checked for this request. */
export interface Connections {
  /**
   * A connection on this way, warm or new. A host whose answers changed never gets a connection of its earlier answers,
   * because the set of checked addresses is part of what a connection is found by.
   * @throws the deadline's reason while every connection to the origin is taken
   */
  take(url: CheckedUrl, way: Way, deadline: Deadline): Promise<Connection>;
  /** Resolves when every connection is destroyed. Whoever still uses one must have been ended before. */
  close(): Promise<void>;
}

interface Entry {
  readonly key: string;
  readonly client: Client;
  readonly connector: Connector;
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
    context ??= createSecureContext(options);
    return context;
  };

  const open = (key: string, url: CheckedUrl, way: Way): Entry => {
    const connector = createConnector(url, way, secureContext, options.tlsExceptions.get(url.origin));
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
    const entry: Entry = { key, client, connector, destroy, isDisconnected: false };
    alive.add(entry);
    client.on("connect", () => guardParser(client));
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
    if (idle.size > MAX_IDLE_CONNECTIONS) void oldest?.destroy();
  };

  return {
    async take(url, way, deadline) {
      deadline.throwIfEnded();
      if (!slots.tryTake(url.origin)) await slots.waitFor(url.origin, deadline);
      const key = wayKey(url, way);
      const entry = newestOf(idle, key) ?? open(key, url, way);
      idle.delete(entry);
      return new LentConnection(entry, keep, () => slots.free(url.origin));
    },
    async close() {
      await Promise.all([...alive].map((entry) => entry.destroy()));
    },
  };
}

/** A class, since one is made for each request. It is given back once, whatever is called afterwards. */
class LentConnection implements Connection {
  readonly #entry: Entry;
  readonly #keep: (entry: Entry) => void;
  readonly #onGivenBack: () => void;
  #isGivenBack = false;

  constructor(entry: Entry, keep: (entry: Entry) => void, onGivenBack: () => void) {
    this.#entry = entry;
    this.#keep = keep;
    this.#onGivenBack = onGivenBack;
  }

  get dispatcher(): Dispatcher {
    return this.#entry.client;
  }

  get usedException(): TlsException | undefined {
    return this.#entry.connector.usedException;
  }

  release(): void {
    if (this.#isGivenBack) return;
    this.#isGivenBack = true;
    this.#keep(this.#entry);
    this.#onGivenBack();
  }

  destroy(): void {
    if (this.#isGivenBack) return;
    this.#isGivenBack = true;
    void this.#entry.destroy();
    this.#onGivenBack();
  }
}

function newestOf(entries: Iterable<Entry>, key: string): Entry | undefined {
  let newest: Entry | undefined;
  for (const entry of entries) if (entry.key === key) newest = entry;
  return newest;
}
