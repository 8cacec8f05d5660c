import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import { gzipSync } from "node:zlib";
import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest";
import {
  createJail,
  createJailedFetch,
  createTransport,
  type JailedFetch,
  type JailedFetchOptions,
} from "../../src/net/index.js";
import { type Listening, listen } from "../helpers/listening.js";
import { LAB_ADDRESS, openHttpProxy } from "../helpers/proxy-server.js";

let server: Listening;
let origin: string;
const fetches: JailedFetch[] = [];

beforeAll(async () => {
  server = await listen(createServer(handle));
  origin = `http://127.0.0.1:${server.port}`;
});
afterEach(async () => {
  for (const fetch of fetches.splice(0)) await fetch.close();
});
afterAll(() => server.close());

function handle(request: IncomingMessage, response: ServerResponse): void {
  if (request.url === "/gzip") {
    response.writeHead(200, { "content-encoding": "gzip", "set-cookie": ["a=1", "b=2"], "x-name": "Gr\u00fc\u00df" });
    response.end(gzipSync("compressed"));
  } else if (request.url === "/go") response.writeHead(302, { location: "/echo" }).end();
  else if (request.url === "/away") response.writeHead(302, { location: "http://example.org/" }).end();
  else if (request.url === "/empty") response.writeHead(204).end();
  else if (request.url === "/large") response.end("x".repeat(5000));
  else if (request.url === "/odd") response.writeHead(799).end();
  else {
    const chunks: Buffer[] = [];
    request.on("data", (chunk: Buffer) => chunks.push(chunk));
    request.on("end", () => {
      response.setHeader("content-type", "application/json");
      response.end(
        JSON.stringify({ method: request.method, headers: request.headers, body: Buffer.concat(chunks).toString() }),
      );
    });
  }
}

function jailed(options: JailedFetchOptions = {}): JailedFetch {
  const created = createJailedFetch({ exemptions: [{ origin, name: "test" }], ...options });
  fetches.push(created);
  return created;
}

interface Echo {
  readonly method: string;
  readonly headers: Record<string, string>;
  readonly body: string;
}

async function echoOf(response: Response): Promise<Echo> {
  return (await response.json()) as Echo;
}

describe("as a fetch", () => {
  it("returns a Response with url, redirected and status", async () => {
    const response = await jailed()(`${origin}/go`);
    expect(response).toBeInstanceOf(Response);
    expect([response.url, response.redirected, response.status]).toEqual([`${origin}/echo`, true, 200]);
    expect((await echoOf(response)).method).toBe("GET");
  });

  it("decodes the body and keeps repeated and Latin-1 headers", async () => {
    const response = await jailed()(new URL(`${origin}/gzip`));
    expect(await response.text()).toBe("compressed");
    expect(response.headers.getSetCookie()).toEqual(["a=1", "b=2"]);
    expect(response.headers.get("x-name")).toBe("Gr\u00fc\u00df");
  });

  it.each<[string, ConstructorParameters<typeof Response>[0], string, RegExp]>([
    ["a string", "text", "text", /^text\/plain/],
    ["parameters", new URLSearchParams({ q: "a b" }), "q=a+b", /^application\/x-www-form-urlencoded/],
    ["bytes", new Uint8Array([104, 105]), "hi", /^undefined$/],
    ["a Blob", new Blob(["<p>"], { type: "text/html" }), "<p>", /^text\/html$/],
    ["a stream", new Blob(["streamed"]).stream(), "streamed", /^undefined$/],
  ])("sends %s", async (_kind, body, expected, contentType) => {
    const response = await jailed()(`${origin}/`, { method: "POST", body, duplex: "half" } as RequestInit);
    const echo = await echoOf(response);
    expect([echo.method, echo.body]).toEqual(["POST", expected]);
    expect(String(echo.headers["content-type"])).toMatch(contentType);
  });

  it("takes a Request, and init over it", async () => {
    const request = new Request(`${origin}/`, { method: "POST", body: "one", headers: { "x-own": "1" } });
    expect(await echoOf(await jailed()(request.clone()))).toMatchObject({ method: "POST", body: "one" });
    const changed = await echoOf(await jailed()(request, { method: "PUT", headers: [["x-own", "2"]], body: "two" }));
    expect(changed).toMatchObject({ method: "PUT", body: "two", headers: { "x-own": "2" } });
  });

  it("honours redirect modes", async () => {
    const manual = await jailed()(`${origin}/go`, { redirect: "manual" });
    expect([manual.status, manual.headers.get("location")]).toEqual([302, `${origin}/echo`]);
    await expect(jailed()(`${origin}/go`, { redirect: "error" })).rejects.toMatchObject({ code: "redirect_limit" });
  });

  it("returns answers without a body, and error statuses", async () => {
    expect((await jailed()(`${origin}/empty`)).body).toBeNull();
    expect((await jailed()(`${origin}/echo`, { method: "HEAD" })).status).toBe(200);
  });
});

describe("what it refuses", () => {
  it.each([
    ["a private address", "http://10.0.0.1/", "ipv4_special"],
    ["a relative URL", "/path", "url_syntax"],
    ["a file", "file:///etc/hostname", "scheme"],
    ["credentials in the URL", "http://user:password@example.org/", "userinfo"],
  ])("%s", async (_what, url, rule) => {
    await expect(jailed()(url)).rejects.toMatchObject({ name: "BlockedError", code: "jail_refused", rule });
  });

  it("throws our errors and no TypeError for a request that cannot be sent", async () => {
    const fetch = jailed();
    for (const init of [
      { method: "GET", body: "x" },
      { method: "CONNECT" },
      { method: "TRACE" },
      { method: "PURGE" },
      { headers: { "x-bad": "1\r\n2" } },
    ]) {
      await expect(fetch(origin, init)).rejects.toMatchObject({ name: "ConfigError", code: "invalid_argument" });
    }
  });

  it("a body that is cut, and a status that no Response can hold", async () => {
    await expect(jailed({ maxBytes: 100 })(`${origin}/large`)).rejects.toMatchObject({ code: "too_large" });
    await expect(jailed()(`${origin}/odd`)).rejects.toMatchObject({ code: "protocol_error" });
  });

  it("a request body without end", async () => {
    const endless = new ReadableStream({ pull: (controller) => controller.enqueue(new Uint8Array(1_000_000)) });
    const request = jailed()(origin, { method: "POST", body: endless, duplex: "half" } as RequestInit);
    await expect(request).rejects.toMatchObject({ code: "invalid_argument" });
  });

  it.each<[string, number, () => AbortSignal | undefined, string]>([
    ["the time is over", 100, () => undefined, "timeout"],
    ["the caller cancels", 5_000, () => AbortSignal.timeout(100), "aborted"],
  ])("a request body that never comes, once %s", async (_when, timeoutMs, signalOf, code) => {
    const body = new ReadableStream({ start: (controller) => controller.enqueue(new Uint8Array(5)) });
    const init = { method: "POST", body, duplex: "half", signal: signalOf() ?? null } as RequestInit;
    const startedAt = performance.now();
    const details = { requests: 0, ...(code === "timeout" ? { stage: "upload", timeoutMs } : {}) };
    await expect(jailed({ timeoutMs })(`${origin}/echo`, init)).rejects.toMatchObject({ code, details });
    expect(performance.now() - startedAt).toBeLessThan(10_000);
  });

  it("a request body of something else than bytes", async () => {
    const body = new ReadableStream({ start: (controller) => controller.enqueue(7) });
    const request = jailed()(origin, { method: "POST", body, duplex: "half" } as RequestInit);
    await expect(request).rejects.toMatchObject({ name: "ConfigError", code: "invalid_argument" });
  });

  it("an aborted signal, of init and of a Request", async () => {
    const signal = AbortSignal.abort();
    await expect(jailed()(origin, { signal })).rejects.toMatchObject({ code: "aborted" });
    await expect(jailed()(new Request(origin, { signal }))).rejects.toMatchObject({ code: "aborted" });
  });

  it("to leave the origins it was made for", async () => {
    const lookUps: string[] = [];
    const resolve = async (host: string) => {
      lookUps.push(host);
      return ["198.41.0.4"];
    };
    const fetch = jailed({ allowedOrigins: [origin], resolve });
    expect((await fetch(`${origin}/echo`)).status).toBe(200);
    await expect(fetch(`${origin}/away`)).rejects.toMatchObject({ rule: "redirect_origin" });
    expect(lookUps).toEqual([]);
    expect(() => createJailedFetch({ allowedOrigins: ["https://example.org/path"] })).toThrow(
      expect.objectContaining({ code: "invalid_configuration" }),
    );
  });

  it.each<Omit<JailedFetchOptions, "transport">>([
    { resolve: async () => [] },
    { exemptions: [] },
    { ports: [3000] },
    { nat64Prefixes: [] },
    { userAgent: "own" },
    { ca: [] },
    { env: {} },
    { proxy: { http: "http://127.0.0.1:1" } },
    { unusedProxy: "HTTP_PROXY" },
    { tlsExceptions: [] },
    { onEvent: () => {} },
  ])("what a transport was made with, beside one: %o", async (option) => {
    const transport = createTransport({ jail: createJail() });
    const message = `\`${Object.keys(option)[0]}\` means nothing beside \`transport\`.`;
    expect(() => createJailedFetch({ transport, ...option })).toThrow(
      expect.objectContaining({ code: "invalid_argument", message }),
    );
    await transport.close();
  });
});

describe("its transport", () => {
  it("may be shared, and then outlives it", async () => {
    const transport = createTransport({ jail: createJail({ exemptions: [{ origin, name: "t" }] }) });
    const shared = createJailedFetch({ transport });
    await shared(`${origin}/echo`);
    await shared.close();
    expect((await transport.request({ url: `${origin}/echo` })).status).toBe(200);
    await transport.close();
  });

  it("tells no header in an error, nor in its cause", async () => {
    const fetch = jailed({});
    const failure = await fetch(origin, { headers: { authorization: "Bearer open-sesame\nx" } }).catch(
      (error) => error,
    );
    expect(failure).toMatchObject({ code: "invalid_argument" });
    expect(`${failure.message} ${String(failure.cause)}`).not.toContain("sesame");
    await fetch.close();
  });

  it("goes through the proxy that is named here", async () => {
    const proxy = await openHttpProxy();
    const { port } = new URL(origin);
    const named = origin.replace("127.0.0.1", "site.example.org");
    const fetch = jailed({
      exemptions: [{ origin: named, name: "test" }],
      resolve: async () => [LAB_ADDRESS],
      proxy: { http: `http://127.0.0.1:${proxy.port}` },
    });
    expect((await fetch(`${named}/echo`)).status).toBe(200);
    expect(proxy.tunnels).toEqual([`${LAB_ADDRESS}:${port}`]);
    await fetch.close();
    await proxy.close();
  });
});
