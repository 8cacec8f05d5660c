import type { Socket } from "node:net";
import { afterEach } from "vitest";
import { createJail, createTransport, type Transport, type TransportOptions } from "../../src/net/index.js";
import { openRawServer, type RawServer } from "./raw-server.js";

export interface JailBench {
  serve(onRequest: (socket: Socket, head: string) => void): Promise<RawServer>;
  /** A transport that may reach `servers` and nothing else on this machine. */
  transportTo(servers: readonly Pick<RawServer, "origin">[], options?: Omit<TransportOptions, "jail">): Transport;
  /** Closed after the test, last one first. */
  closeAfter(closable: { close(): Promise<void> }): void;
}

/** Servers and transports for the tests of one file, closed after each test. */
export function createJailBench(): JailBench {
  const closing: { close(): Promise<void> }[] = [];
  afterEach(async () => {
    for (const closable of closing.splice(0).reverse()) await closable.close();
  });
  return {
    async serve(onRequest) {
      const server = await openRawServer(onRequest);
      closing.push(server);
      return server;
    },
    transportTo(servers, options = {}) {
      const exemptions = servers.map(({ origin }) => ({ origin, name: "test server" }));
      const transport = createTransport({ jail: createJail({ exemptions }), ...options });
      closing.push(transport);
      return transport;
    },
    closeAfter: (closable) => void closing.push(closable),
  };
}
