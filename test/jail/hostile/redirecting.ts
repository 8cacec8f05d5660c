import type { TransportRequest } from "../../../src/net/index.js";
import { serve, transportTo } from "../../helpers/jail-bench.js";
import { answer, type RawServer } from "../../helpers/raw-server.js";
import { describeError } from "./bench.js";

/** Method and target of each request, in order; the body of one may stand right before the next. */
export function requestLines(server: RawServer): string[] {
  return server.received.join("").match(/\b(?:GET|HEAD|OPTIONS|POST|PUT|PATCH|DELETE) \S+(?= HTTP)/g) ?? [];
}

/**
 * Asks a server for `/` that answers it with this status line and header, and everything else with its own target. The
 * outcome is `200 body`, or an error's code, with the rule of a refusal.
 */
export async function redirecting(
  head: string | Buffer,
  request: Omit<TransportRequest, "url"> = {},
): Promise<{ readonly outcome: string; readonly server: RawServer }> {
  const parts = ["HTTP/1.1 ", head, "\r\ncontent-length: 0\r\n\r\n"].map((part) => Buffer.from(part as string));
  const server = await serve((socket, received) => {
    const target = received.split(" ")[1] ?? "";
    socket.write(target === "/" ? Buffer.concat(parts) : answer("200 OK", {}, target));
  });
  const outcome = await transportTo([server])
    .request({ url: `${server.origin}/`, timeoutMs: 5_000, ...request })
    .then(({ status, bytes }) => `${status} ${Buffer.from(bytes).toString()}`, describeError);
  return { outcome, server };
}
