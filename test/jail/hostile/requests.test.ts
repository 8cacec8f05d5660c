import { describe, expect, it } from "vitest";
import type { TransportRequest } from "../../../src/net/index.js";
import { serve, transportTo } from "../../helpers/jail-bench.js";
import { answer } from "../../helpers/raw-server.js";
import { describeError } from "./bench.js";

/** What a server sees of a request, or why it sees none. */
async function sent(request: Omit<TransportRequest, "url"> & { readonly path?: string }) {
  const { path = "/", ...rest } = request;
  const server = await serve((socket) => socket.write(answer("200 OK", {}, "ok")));
  const outcome = await transportTo([server])
    .request({ url: server.origin + path, ...rest })
    .then(({ status }) => String(status), describeError);
  return { outcome, seen: server.received.join(""), connections: server.connections, port: server.port };
}

/** As a caller without types can do it. */
const untyped = (value: unknown): never => value as never;

describe("a caller's headers", () => {
  it.each<[what: string, headers: Readonly<Record<string, string>>]>([
    ["a line end and a header", { "x-a": "1\r\nx-b: 2" }],
    ["a line end and a request", { "x-a": "1\r\n\r\nGET /evil HTTP/1.1\r\nhost: a" }],
    ["a bare line feed", { "x-a": "1\nx-b: 2" }],
    ["a bare carriage return", { "x-a": "1\rx-b: 2" }],
    ["NUL", { "x-a": "1\0" }],
    ["another control", { "x-a": "\x7f" }],
    ["letters beyond Latin-1, whose low byte is a line end", { "x-a": "1\u010d\u010ax-b: 2" }],
    ["a line end in a name", { "x-a: 1\r\nx-b": "2" }],
    ["a colon in a name", { "x-a:": "1" }],
    ["a space behind a forbidden name", { "host ": "evil.example.org" }],
    ["a tab before a forbidden name", { "\tcontent-length": "5" }],
    ["an empty name", { "": "1" }],
    ["a name beyond ASCII", { "x-\u00e9": "1" }],
    ["a forbidden name whose capital is from another alphabet", { "\u212aeep-alive": "timeout=9", "x-a\u212a": "1" }],
    ["a line end in a cookie", { cookie: "a=1\r\nx-b: 2" }],
    ["64 KiB and more", { "x-a": "y".repeat(64 * 1024) }],
    ["64 KiB and more in many", Object.fromEntries(Array.from({ length: 9_000 }, (_, i) => [`x-${i}`, "yyy"]))],
  ])("with %s are not sent", async (_what, headers) => {
    expect(await sent({ headers })).toMatchObject({ outcome: "invalid_argument", seen: "" });
  });

  it("of 60 KB are sent", async () => {
    const { outcome, seen } = await sent({ headers: { "x-a": "y".repeat(60_000) } });
    expect(outcome).toBe("200");
    expect(seen).toContain("y".repeat(60_000));
  });

  it("cannot be the transport's own, in any spelling", async () => {
    const names = [
      ...["Host", "CONTENT-LENGTH", "Transfer-encoding", "connection", "Keep-Alive", "TE", "Trailer", "upgrade"],
      ...["Expect", "Referer", "Origin", "Via", "Forwarded", "HTTP2-Settings", "Accept-Encoding", "Accept-Charset"],
      ...["Proxy-Authorization", "Proxy-Connection", "Sec-Fetch-Site", "Sec-WebSocket-Key", "Date", "DNT", "Cookie2"],
    ];
    const { seen, port } = await sent({ headers: Object.fromEntries(names.map((name) => [name, "evil"])) });
    expect(seen).not.toContain("evil");
    expect(seen.match(/^host: .*\r$/gm)).toEqual([`host: 127.0.0.1:${port}\r`]);
    expect(seen.match(/^\S+(?=: )/gm)?.sort()).toEqual([
      "accept",
      "accept-encoding",
      "connection",
      "host",
      "user-agent",
    ]);
  });

  it("named after the prototype change nothing", async () => {
    const headers = JSON.parse('{"__proto__": "a", "constructor": "b", "hasOwnProperty": "c"}') as Record<
      string,
      string
    >;
    const { outcome, seen } = await sent({ headers });
    expect(outcome).toBe("200");
    expect(seen).toMatch(/^constructor: b\r$/m);
  });

  it("of which two differ in case are one", async () => {
    const { seen } = await sent({ headers: { "X-A": "1", "x-a": "2" } });
    expect(seen.match(/^x-a: .*\r$/gim)).toEqual(["x-a: 2\r"]);
  });
});

describe("a method", () => {
  it.each([
    "get",
    "CONNECT",
    "TRACE",
    "GET /evil HTTP/1.1\r\nhost: a\r\n\r\nGET",
    "GET\t/",
    "",
    "__proto__",
    "constructor",
    "\u0262ET",
  ])("%j is refused", async (method) => {
    expect(await sent({ method: untyped(method) })).toMatchObject({ outcome: "invalid_argument", connections: 0 });
  });
});

describe("a path", () => {
  it.each(["/a\r\nx-b: 2", "/a\n", "/a b", "/a\tb", "/\0", "/a\u0085", "/a\u2028b", "/a\u3000b"])(
    "%j is refused",
    async (path) => {
      expect(await sent({ path })).toMatchObject({ outcome: "jail_refused url_syntax", connections: 0 });
    },
  );

  it.each([
    ["/a%0d%0ax-b:%202", "/a%0d%0ax-b:%202"],
    ["/größe?q=ü#ä", "/gr%C3%B6%C3%9Fe?q=%C3%BC"],
    ["/\u010d\u010ax-b:2", "/%C4%8D%C4%8Ax-b:2"],
    ["//evil.example.org/", "//evil.example.org/"],
    ["/\\evil", "//evil"],
    ["/http://evil.example.org/", "/http://evil.example.org/"],
    ["/a/../../b", "/b"],
    ["?a=1", "/?a=1"],
    ["/?", "/?"],
    ['/"<>`{}|', "/%22%3C%3E%60%7B%7D|"],
    ["/\ud800", "/%EF%BF%BD"],
  ])("%j is asked for as %s", async (path, target) => {
    const { outcome, seen } = await sent({ path });
    expect(outcome).toBe("200");
    expect(seen.split("\r\n")[0]).toBe(`GET ${target} HTTP/1.1`);
  });
});

describe("a body", () => {
  it("cannot say its own length, and none is none", async () => {
    const headers = { "content-length": "5", "transfer-encoding": "chunked" };
    expect((await sent({ method: "POST", headers, body: "twelve bytes" })).seen).toMatch(
      /content-length: 12\r\n\r\ntwelve bytes$/,
    );
    expect((await sent({ method: "POST", headers, body: "" })).seen).toMatch(/content-length: 0\r\n\r\n$/);
    expect((await sent({ method: "POST", headers })).seen).toMatch(/content-length: 0\r\n\r\n$/);
    expect((await sent({ headers })).seen).not.toMatch(/content-length|transfer-encoding/);
  });

  it("that is a view sends what it shows and nothing around it", async () => {
    const around = new TextEncoder().encode("secret body secret");
    expect((await sent({ method: "POST", body: around.subarray(7, 11) })).seen).toMatch(/\r\n\r\nbody$/);
    expect((await sent({ method: "POST", body: around.subarray(7, 7) })).seen).toMatch(/content-length: 0\r\n\r\n$/);
  });

  it.each<[what: string, pull: (controller: ReadableStreamDefaultController<unknown>) => void, outcome: string]>([
    ["is endless", (controller) => controller.enqueue(new Uint8Array(1_000_000)), "invalid_argument"],
    ["is not made of bytes", (controller) => controller.enqueue("text"), "invalid_argument"],
    ["fails", (controller) => controller.error(new Error("broken source")), "Error: broken source"],
    ["never comes", () => {}, "timeout"],
  ])("that is a stream which %s sends nothing", async (_what, pull, outcome) => {
    let isCancelled = false;
    const cancel = (): void => {
      isCancelled = true;
    };
    const body = new ReadableStream({ pull, cancel });
    expect(await sent({ method: "POST", body: untyped(body), timeoutMs: 200 })).toMatchObject({
      outcome,
      connections: 0,
    });
    expect(isCancelled).toBe(outcome !== "Error: broken source");
  });
});
