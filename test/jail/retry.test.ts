import { describe, expect, it } from "vitest";
import type { FetchError } from "../../src/errors.js";
import { createJail, createTransport, type NetEvent, type TransportRequest } from "../../src/net/index.js";
import { closeAfter } from "../helpers/close-after.js";
import { serve, transportTo } from "../helpers/jail-bench.js";
import { answer } from "../helpers/raw-server.js";

/** Sends the answers in turn, the last again and again; `undefined` closes the connection instead. */
async function ask(answers: readonly (Buffer | undefined)[], request: Partial<TransportRequest> = {}) {
  let nth = 0;
  const server = await serve((socket) => {
    const next = answers[Math.min(nth, answers.length - 1)];
    nth += 1;
    if (next === undefined) socket.destroy();
    else socket.write(next);
  });
  const events: NetEvent[] = [];
  const transport = transportTo([server], { onEvent: (event) => events.push(event) });
  const startedAt = performance.now();
  const outcome = await transport
    .request({ url: server.origin, retries: 1, timeoutMs: 2_000, ...request })
    .then((response) => response.status)
    .catch((error: { code: string }) => error.code);
  return { outcome, requests: nth, events, durationMs: performance.now() - startedAt };
}

const busy = (retryAfter?: string): Buffer =>
  answer("503 Busy", retryAfter === undefined ? {} : { "retry-after": retryAfter }, "later");
const fine = answer("200 OK", {}, "fine");

describe("a retry", () => {
  it("is not made unless it is asked for", async () => {
    expect(await ask([busy(), fine], { retries: 0 })).toMatchObject({ outcome: 503, requests: 1 });
  });

  it("waits as long as the server wants", async () => {
    const { durationMs, ...rest } = await ask([busy("1"), fine]);
    expect(rest).toMatchObject({ outcome: 200, requests: 2 });
    expect(durationMs).toBeGreaterThan(990);
    expect(rest.events.find((event) => event.type === "request.retried")).toMatchObject({
      reason: "http_503",
      delayMs: 1000,
    });
  });

  it("is made once", async () => {
    expect(await ask([busy("0")])).toMatchObject({ outcome: 503, requests: 2 });
  });

  it("is not made when the wait does not fit into the deadline", async () => {
    expect(await ask([busy("60"), fine])).toMatchObject({ outcome: 503, requests: 1 });
  });

  it("follows a broken connection for GET, and not for POST, which may have been acted on", async () => {
    expect(await ask([undefined, fine])).toMatchObject({ outcome: 200, requests: 2 });
    const post = { method: "POST", body: "x" } as const;
    expect(await ask([undefined, fine], post)).toMatchObject({ outcome: "connect_failed", requests: 1 });
    expect(await ask([busy("0"), fine], post)).toMatchObject({ outcome: 200, requests: 2 });
  });

  it("is not made for an answer that says no", async () => {
    expect(await ask([answer("404 Not Found"), fine])).toMatchObject({ outcome: 404, requests: 1 });
  });

  it("asks a resolver again that failed, and not for a name that does not exist", async () => {
    const lookUps = async (code: string): Promise<readonly unknown[]> => {
      let count = 0;
      const failing = async (): Promise<string[]> => {
        count += 1;
        throw Object.assign(new Error("look-up"), { code });
      };
      const transport = closeAfter(createTransport({ jail: createJail({ resolve: failing }) }));
      const url = "http://absent.example.org/";
      const error = await transport.request({ url, retries: 1 }).catch((reason: FetchError) => reason);
      return [count, (error as FetchError).details.reason, (error as FetchError).retryable];
    };
    expect(await lookUps("ENOTFOUND")).toEqual([1, "not_found", false]);
    expect(await lookUps("EAI_AGAIN")).toEqual([2, "resolver_failed", true]);
  });

  it("does not ask the policy again", async () => {
    const asked: number[] = [];
    const approveHop = async (_url: URL, hop: number) => void asked.push(hop);
    expect(await ask([busy("0"), fine], { approveHop })).toMatchObject({ outcome: 200 });
    expect(asked).toEqual([0]);
  });

  it("ends with the deadline while it waits", async () => {
    const signal = AbortSignal.timeout(100);
    expect(await ask([busy("1"), fine], { signal })).toMatchObject({ outcome: "aborted", requests: 1 });
  });
});

describe("a request with", () => {
  it.each([
    { method: "CONNECT" as "GET" },
    { maxBytes: 0 },
    { maxRedirects: -1 },
    { maxRedirects: 21 },
    { retries: 2 as 1 },
    { timeoutMs: 0 },
    { timeoutMs: Number.NaN },
  ])("%j is invalid", async (wrong) => {
    expect(await ask([fine], wrong)).toMatchObject({ outcome: "invalid_argument", requests: 0 });
  });
});
