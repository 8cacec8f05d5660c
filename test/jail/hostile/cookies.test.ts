import { describe, expect, it } from "vitest";
import { serve, transportTo } from "../../helpers/jail-bench.js";
import { answer } from "../../helpers/raw-server.js";
import { describeError } from "./bench.js";

/** What a gate at `/shop/gate` that sets these cookies and redirects to itself gets back, or why it does not. */
async function returned(lines: readonly string[]): Promise<string | undefined> {
  const server = await serve((socket) => {
    const cookies = Buffer.from(lines.map((line) => `set-cookie: ${line}\r\n`).join(""), "latin1");
    const isFirst = server.received.join("").match(/GET/g)?.length === 1;
    const redirect = ["HTTP/1.1 302 Found\r\nlocation: /shop/gate\r\ncontent-length: 0\r\n", cookies, "\r\n"];
    socket.write(isFirst ? Buffer.concat(redirect.map((part) => Buffer.from(part as string))) : answer("200 OK"));
  });
  const request = transportTo([server]).request({ url: `${server.origin}/shop/gate` });
  const failure = await request.then(() => undefined, describeError);
  return failure ?? /^cookie: (.*)\r$/m.exec(server.received.join("").split(/(?=GET )/)[1] ?? "")?.[1];
}

const numbered = (count: number): string[] => Array.from({ length: count }, (_, i) => `c${i}=1`);
const YEAR_10000 = "Fri, 31 Dec 10000 23:59:59 GMT";

describe("a cookie comes back", () => {
  it.each<[what: string, lines: readonly string[], cookie: string]>([
    ["as it was set", ["a=1"], "a=1"],
    ["with others", ["a=1", "b=2; Path=/", "c=3; Path=/shop; HttpOnly; SameSite=Strict"], "a=1; b=2; c=3"],
    ["in quotes, as they are", ['a="1"'], 'a="1"'],
    ["empty", ["a="], "a="],
    ["with an equals sign in it", ["a=b=c"], "a=b=c"],
    ["when its own host is its Domain", ["a=1; Domain=127.0.0.1"], "a=1"],
    ["when its Domain is empty", ["a=1; Domain="], "a=1"],
    ["when it expires beyond what a date can say", [`a=1; Expires=${YEAR_10000}`], "a=1"],
    ["when its date is no date", ["a=1; Expires=never"], "a=1"],
    ["when its age is beyond a number", [`a=1; Max-Age=${"9".repeat(400)}`], "a=1"],
    ["when its age is no number", ["a=1; Max-Age=1e-9"], "a=1"],
    ["when a long age outweighs a past date", ["a=1; Max-Age=60; Expires=Thu, 01 Jan 1970 00:00:00 GMT"], "a=1"],
    ["the last one of its name", ["a=1", "a=2"], "a=2"],
    ["and its last attribute counts", ["a=1; Path=/elsewhere; Path=/shop"], "a=1"],
    ["when its path is no path", ["a=1; Path=shop"], "a=1"],
    ["named after the prototype", ["__proto__=1", "constructor=2"], "__proto__=1; constructor=2"],
    ["among fifteen hundred, of which twenty are kept", numbered(1_500), numbered(20).join("; ")],
    ["among the first twenty, or not at all", [...numbered(20), "late=1"], numbered(20).join("; ")],
    ["of 4 KB", [`a=${"x".repeat(4_094)}`], `a=${"x".repeat(4_094)}`],
  ])("%s", async (_what, lines, cookie) => expect(await returned(lines)).toBe(cookie));
});

describe("no cookie comes back", () => {
  it.each<[what: string, lines: readonly string[]]>([
    ["of another host", ["a=1; Domain=example.org"]],
    ["of a host that ends alike", ["a=1; Domain=0.1"]],
    ["of a longer host", ["a=1; Domain=x.127.0.0.1"]],
    ["of a whole top-level domain", ["a=1; Domain=.org"]],
    ["of another path", ["a=1; Path=/shopping"]],
    ["of a path below", ["a=1; Path=/shop/gate/inner"]],
    ["of a path that is not normalised", ["a=1; Path=/shop/../shop"]],
    ["of a path in other letters", ["a=1; Path=/SHOP"]],
    ["that is over by age", ["a=1", "a=1; Max-Age=0"]],
    ["that is over by an age below zero", ["a=1; Max-Age=-1"]],
    ["that is over by date", ["a=1; Expires=Thu, 01 Jan 1970 00:00:00 GMT"]],
    ["for TLS, set without", ["a=1; Secure"]],
    ["whose name promises TLS", ["__Secure-a=1", "__Host-a=1; Path=/", "__hOsT-b=1; Path=/; Secure"]],
    ["without a name", ["=1"]],
    ["without a value", ["a"]],
    ["with a space in its name", ["a b=1"]],
    ["with a comma in its name", ["a,b=1"]],
    ["with a space in its value", ["a=1 2"]],
    ["with Latin-1 in its value", ["a=\xe9"]],
    ["with UTF-8 in its value", [Buffer.from("a=\u2028").toString("latin1")]],
    ["of more than 4 KB", [`a=${"x".repeat(4_095)}`]],
    ["of more than 4 KB with its attributes", [`a=1; Path=/shop; Comment=${"x".repeat(4_096)}`]],
    ["of 30 KB of semicolons", [`a=1${";".repeat(30_000)}`]],
  ])("%s", async (_what, lines) => expect(await returned(lines)).toBeUndefined());

  it.each<[what: string, lines: readonly string[]]>([
    ["that are ten thousand", numbered(10_000)],
    ["of 40 KB", [`a=${"x".repeat(40_000)}`]],
    ["with a line end in it", ["a=1\rb: 2"]],
    ["with NUL in it", ["a=1\0"]],
    ["with another control in it", ["a=\x01"]],
  ])("nor an answer, with cookies %s", async (_what, lines) => expect(await returned(lines)).toBe("protocol_error"));
});

describe("a cookie stays with its chain and its host", () => {
  it("goes to no other host that asks for the same path, and to nobody after the chain", async () => {
    const thief = await serve((socket) => socket.write(answer("302 Found", { location: `${gate.origin}/gate` })));
    const gate = await serve((socket, head) => {
      const seen = gate.received.join("").match(/GET/g)?.length ?? 0;
      const headers = {
        "set-cookie": "sid=1; Path=/; Domain=127.0.0.1",
        location: seen === 1 ? `${thief.origin}/gate` : "/gate",
      };
      socket.write(head.includes("cookie: sid=1") ? answer("200 OK") : answer("302 Found", headers));
    });
    const transport = transportTo([gate, thief]);
    expect((await transport.request({ url: `${gate.origin}/gate` })).status).toBe(200);
    expect(thief.received.join("")).not.toMatch(/cookie/i);
    await transport.request({ url: `${gate.origin}/gate`, maxRedirects: 0 }).catch(() => {});
    expect(
      gate.received
        .join("")
        .split(/(?=GET )/)
        .at(-1),
    ).not.toMatch(/cookie/i);
  });

  it("stands behind the caller's own, which leaves the first origin no more than any secret", async () => {
    const server = await serve((socket, head) =>
      socket.write(
        head.includes("gate=1") ? answer("200 OK") : answer("302 Found", { location: "/", "set-cookie": "gate=1" }),
      ),
    );
    await transportTo([server]).request({ url: `${server.origin}/`, headers: { cookie: "own=1" } });
    expect(server.received.join("")).toMatch(/^cookie: own=1; gate=1\r$/m);
  });
});
