import type { Socket } from "node:net";
import { isPosternError } from "../../../src/errors.js";
import type { TransportOptions, TransportRequest } from "../../../src/net/index.js";
import { serve, transportTo } from "../../helpers/jail-bench.js";
import { answer, type RawServer } from "../../helpers/raw-server.js";

/** What the server does with a request: writes this, or whatever it likes. */
export type Script = string | Buffer | ((socket: Socket, head: string) => void);

export interface Play {
  /** `200 text`, with `(cap)` or `(stream)` behind it when it was cut; or an error's code, with the rule of a refusal. */
  readonly outcome: string;
  /** Whether the next request went over the same connection. */
  readonly connection: "kept" | "gone";
  readonly server: RawServer;
}

export type PlayRequest = Omit<TransportRequest, "url">;

const NEXT = answer("200 OK", {}, "the next answer");

/**
 * Plays the script to one request, then asks the same server for `/next`, which must be answered in order whatever
 * the first answer left behind, then closes the transport, which must leave no connection.
 */
export async function play(
  script: Script,
  request: PlayRequest = {},
  options: Omit<TransportOptions, "jail"> = {},
): Promise<Play> {
  const server = await serve((socket, head) => {
    if (head.includes(" /next ")) socket.write(NEXT);
    else if (typeof script === "function") script(socket, head);
    else socket.write(script);
  });
  const transport = transportTo([server], options);
  const ask = (path: string, own: PlayRequest): Promise<string> =>
    transport
      .request({ url: server.origin + path, ...own })
      .then(
        ({ status, bytes, truncated }) =>
          `${status} ${Buffer.from(bytes).toString()}${truncated === undefined ? "" : ` (${truncated})`}`,
        describeError,
      );
  const outcome = await ask("/", { timeoutMs: 5_000, ...request });
  const before = server.connections;
  const next = await ask("/next", { timeoutMs: 5_000 });
  if (next !== "200 the next answer") throw new Error(`The next request got: ${next}`);
  const connection = server.connections === before ? "kept" : "gone";
  await transport.close();
  await untilClosed(server);
  return { outcome, connection, server };
}

/** Waits for the server to see that every client is gone. */
export async function untilClosed(server: Pick<RawServer, "open">): Promise<void> {
  for (const startedAt = performance.now(); server.open > 0; ) {
    if (performance.now() - startedAt > 5_000) throw new Error(`${server.open} connections were left open.`);
    await new Promise((resolve) => setTimeout(resolve, 2));
  }
}

export function describeError(error: unknown): string {
  if (!isPosternError(error)) return String(error);
  return error.kind === "blocked" ? `${error.code} ${String(error.details.rule)}` : error.code;
}

/** Writes `first`, then `chunk` for ever and as fast as the other side takes it. */
export function flood(first: string | Buffer, chunk: string | Buffer): Script {
  return (socket) => {
    const more = (): void => {
      while (socket.writable && socket.write(chunk));
    };
    socket.on("drain", more);
    socket.write(first);
    more();
  };
}

/** Writes `first`, then `chunk` for ever in small steps. */
export function drip(first: string | Buffer, chunk: string | Buffer, everyMs = 10): Script {
  return (socket) => {
    const timer = setInterval(() => socket.write(chunk), everyMs);
    socket.on("close", () => clearInterval(timer));
    socket.write(first);
  };
}

/** What ends a list of `steps`: an orderly end, or a reset. */
export const END: unique symbol = Symbol("end");
export const RESET: unique symbol = Symbol("reset");

/** One step after the other, each in a packet of its own. */
export function steps(...parts: readonly (string | Buffer | typeof END | typeof RESET)[]): Script {
  return (socket) => {
    parts.forEach((part, index) => {
      setTimeout(() => {
        if (part === END) socket.end();
        else if (part === RESET) socket.resetAndDestroy();
        else if (socket.writable) socket.write(part);
      }, index * 15);
    });
  };
}
