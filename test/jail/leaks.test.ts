import { execFile } from "node:child_process";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { describe, expect, it } from "vitest";

const SCRIPT = fileURLToPath(new URL("../../bench/jail/leftovers.mjs", import.meta.url));
/** Below half of this in all runs; a kilobyte kept of each request would be twice as much. */
const MAX_GROWTH_BYTES = 5_000_000;
const MAX_IDLE_CONNECTIONS = 64;

interface Leftovers {
  readonly growthBytes: number;
  readonly growthAfterCloseBytes: number;
  readonly openWhileIdle: number;
  readonly openAfterClose: number;
  readonly resourcesBefore: string;
  readonly resourcesAfterClose: string;
  readonly signalListeners: number;
  readonly listenersAdded: number;
  readonly warnings: readonly string[];
}

/** In a process of its own, whose memory is nobody else's. */
async function leftoversOf(...args: readonly string[]): Promise<Leftovers> {
  const { stdout } = await promisify(execFile)(process.execPath, ["--expose-gc", SCRIPT, ...args]);
  return JSON.parse(stdout) as Leftovers;
}

describe("requests to many hosts leave nothing behind", () => {
  it.each([
    ["10,000 to 1,000 hosts", ["10000", "1000"]],
    ["1,000 over TLS to 250 addresses", ["1000", "250", "tls"]],
  ])(
    "%s",
    async (_name, args) => {
      const leftovers = await leftoversOf(...args);
      expect(leftovers).toMatchObject({ openAfterClose: 0, signalListeners: 0, listenersAdded: 0, warnings: [] });
      expect(leftovers.openWhileIdle).toBeLessThanOrEqual(MAX_IDLE_CONNECTIONS);
      expect(leftovers.resourcesAfterClose).toBe(leftovers.resourcesBefore);
      expect(leftovers.growthBytes).toBeLessThan(MAX_GROWTH_BYTES);
      expect(leftovers.growthAfterCloseBytes).toBeLessThan(MAX_GROWTH_BYTES);
    },
    60_000,
  );
});
