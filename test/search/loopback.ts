import { createServer, type IncomingHttpHeaders, type ServerResponse } from "node:http";
import type { Provider, ProviderContext, ProviderQuery } from "../../src/search/index.js";
import { listen } from "../helpers/listening.js";
import { asTestClient } from "../helpers/recorder-test-client.js";

export interface SeenRequest {
  readonly method: string;
  readonly url: URL;
  readonly headers: IncomingHttpHeaders;
  readonly body: string;
}

export interface Loopback {
  readonly origin: string;
  readonly requests: readonly SeenRequest[];
  close(): Promise<void>;
}

export interface Reply {
  readonly status: number;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string | Buffer;
}

/** A real HTTP server on a free port; `undefined` from `answer` leaves the request hanging. */
export async function serve(answer: (request: SeenRequest, index: number) => Reply | undefined): Promise<Loopback> {
  const requests: SeenRequest[] = [];
  const server = createServer((incoming, response: ServerResponse) => {
    const chunks: Buffer[] = [];
    incoming.on("data", (chunk: Buffer) => chunks.push(chunk));
    incoming.on("end", () => {
      const seen = {
        method: incoming.method ?? "",
        url: new URL(incoming.url ?? "/", "http://loopback"),
        headers: incoming.headers,
        body: Buffer.concat(chunks).toString("utf8"),
      };
      requests.push(seen);
      const reply = answer(seen, requests.length - 1);
      if (reply === undefined) return;
      response.writeHead(reply.status, { ...reply.headers });
      response.end(reply.body ?? "");
    });
  });
  const { port, close } = await listen(server);
  return { origin: `http://127.0.0.1:${port}`, requests, close };
}

export const json = (body: unknown, status = 200, headers: Readonly<Record<string, string>> = {}): Reply => ({
  status,
  headers: { "content-type": "application/json", ...headers },
  body: JSON.stringify(body),
});

export const NOON: number = Date.UTC(2026, 10, 30, 12);

export function contextWith(overrides: Partial<ProviderContext> = {}): ProviderContext {
  return {
    fetch: (...request) => asTestClient(() => fetch(...request)),
    run: () => Promise.reject(new Error("this provider runs no command")),
    signal: new AbortController().signal,
    now: () => NOON,
    ...overrides,
  };
}

export const query = (overrides: Partial<ProviderQuery> = {}): ProviderQuery => ({
  query: "moss",
  count: 10,
  sites: [],
  excludeSites: [],
  ...overrides,
});

/** The error of a search that must fail. */
export async function failureOf(search: Promise<unknown>): Promise<unknown> {
  return search.then(
    () => new Error("the search was expected to fail"),
    (error: unknown) => error,
  );
}

/** A provider with a scripted answer, for the chain. */
export function scripted(id: string, search: Provider["search"]): Provider {
  return {
    id,
    capabilities: {
      keyless: true,
      official: true,
      maxCount: 20,
      sites: "none",
      freshness: "none",
      paging: "none",
      dates: false,
      usdPerThousand: 0,
    },
    origins: [],
    search,
  };
}
