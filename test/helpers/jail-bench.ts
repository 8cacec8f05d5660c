import type { Socket } from "node:net";
import { createJail, createTransport, type Transport, type TransportOptions } from "../../src/net/index.js";
import { closeAfter } from "./close-after.js";
import { openRawServer, type RawServer } from "./raw-server.js";

/** A server for the test that runs. */
export async function serve(onRequest: (socket: Socket, head: string) => void): Promise<RawServer> {
  return closeAfter(await openRawServer(onRequest));
}

/** A transport for the test that runs, which may reach `servers` and nothing else on this machine. */
export function transportTo(
  servers: readonly Pick<RawServer, "origin">[],
  options: Omit<TransportOptions, "jail"> = {},
): Transport {
  const exemptions = servers.map(({ origin }) => ({ origin, name: "test server" }));
  return closeAfter(createTransport({ jail: createJail({ exemptions }), ...options }));
}
