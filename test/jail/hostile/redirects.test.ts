import { describe, expect, it } from "vitest";
import { createJail, createTransport } from "../../../src/net/index.js";
import { closeAfter } from "../../helpers/close-after.js";
import { serve, transportTo } from "../../helpers/jail-bench.js";
import { answer, type RawServer } from "../../helpers/raw-server.js";
import { describeError } from "./bench.js";
import { redirecting, requestLines } from "./redirecting.js";

describe("a status", () => {
  it.each([301, 302, 303, 307, 308])("%i is followed", async (status) => {
    expect((await redirecting(`${status} Go\r\nlocation: /there`)).outcome).toBe("200 /there");
  });

  it.each([200, 201, 202, 300, 304, 305, 306, 309, 399, 400, 503])(
    "%i is not, whatever its Location says",
    async (status) => {
      const { outcome, server } = await redirecting(`${status} Stay\r\nlocation: http://10.0.0.1/`);
      expect(outcome).toBe(`${status} `);
      expect(requestLines(server)).toEqual(["GET /"]);
    },
  );

  it("and Refresh, Link and Content-Location lead nowhere", async () => {
    const { outcome, server } = await redirecting(
      "302 Found\r\nrefresh: 0;url=/evil\r\nlink: </evil>; rel=canonical\r\ncontent-location: /evil\r\nuri: </evil>",
    );
    expect([outcome, requestLines(server)]).toEqual(["302 ", ["GET /"]]);
  });
});

describe("a Location", () => {
  const latin1 = (text: string): Buffer => Buffer.from(`302 Found\r\nlocation: ${text}`, "latin1");
  it.each<[what: string, location: string | Buffer, outcome: string]>([
    ["that is missing is an answer", "302 Found", "302 "],
    ["that is empty is an answer", "302 Found\r\nlocation:", "302 "],
    ["of spaces is an answer", "302 Found\r\nlocation:    ", "302 "],
    ["twice and equal", "302 Found\r\nlocation: /a\r\nlocation: /a", "200 /a"],
    ["twice and different", "302 Found\r\nlocation: /a\r\nlocation: /b", "protocol_error"],
    ["twice, once empty", "302 Found\r\nlocation:\r\nlocation: /b", "protocol_error"],
    ["that is relative", "302 Found\r\nlocation: a/../b?c=1#d", "200 /b?c=1"],
    ["that climbs above the root", "302 Found\r\nlocation: ../../../../b", "200 /b"],
    ["that climbs above the root in percents", "302 Found\r\nlocation: /%2e%2e/%2E%2E/b", "200 /b"],
    ["of a query alone", "302 Found\r\nlocation: ?q", "200 /?q"],
    ["with a list in it", "302 Found\r\nlocation: /a, /b", "200 /a,%20/b"],
    ["with spaces within", "302 Found\r\nlocation: /a b", "200 /a%20b"],
    ["with quotes and angles", '302 Found\r\nlocation: /<a>"b"', "200 /%3Ca%3E%22b%22"],
    ["with an encoded line end", "302 Found\r\nlocation: /a%0d%0aset-cookie:b", "200 /a%0d%0aset-cookie:b"],
    ["in UTF-8", "302 Found\r\nlocation: /größe", "200 /gr%C3%B6%C3%9Fe"],
    ["in Latin-1", latin1("/gr\xf6\xdfe"), "200 /gr%C3%B6%C3%9Fe"],
    ["with an encoded UTF-8 NEL control", "302 Found\r\nlocation: /a\u0085b", "jail_refused url_syntax"],
    ["with a tab, which a URL parser would drop", "302 Found\r\nlocation: /a\tb", "jail_refused url_syntax"],
    ["of no host", "302 Found\r\nlocation: http://", "jail_refused url_syntax"],
    ["with a broken host", "302 Found\r\nlocation: http://[::1/", "jail_refused url_syntax"],
    ["of 60 kB", Buffer.from(`302 Found\r\nlocation: /${"a".repeat(60_000)}`), "protocol_error"],
    ["of 4,097 characters", `302 Found\r\nlocation: /${"a".repeat(4_096)}`, "jail_refused url_length"],
    [
      "that is short and comes to 4,097 characters",
      `302 Found\r\nlocation: /${"\u00e9".repeat(1_000)}`,
      "jail_refused url_length",
    ],
    ["of a script", "302 Found\r\nlocation: javascript:alert(1)", "jail_refused scheme"],
    ["of data", "302 Found\r\nlocation: data:text/html,hello", "jail_refused scheme"],
    ["of a file", "302 Found\r\nlocation: file:///etc/passwd", "jail_refused scheme"],
    ["of FTP", "302 Found\r\nlocation: ftp://example.org/a", "jail_refused scheme"],
    ["of gopher", "302 Found\r\nlocation: gopher://example.org:70/_a", "jail_refused scheme"],
    ["of a web socket", "302 Found\r\nlocation: ws://example.org/", "jail_refused scheme"],
    ["of a blob", "302 Found\r\nlocation: blob:http://example.org/a", "jail_refused scheme"],
    ["of a view of the source", "302 Found\r\nlocation: view-source:http://example.org/", "jail_refused scheme"],
    ["with a user", "302 Found\r\nlocation: http://user@example.org/", "jail_refused userinfo"],
    [
      "with a user that looks like a host",
      "302 Found\r\nlocation: http://example.org%40127.0.0.1/",
      "jail_refused url_syntax",
    ],
    ["with a host behind a backslash", "302 Found\r\nlocation: \\\\10.0.0.1\\a", "jail_refused ipv4_special"],
    ["with a host behind mixed slashes", "302 Found\r\nlocation: /\\10.0.0.1/a", "jail_refused ipv4_special"],
    ["with a host behind two slashes", "302 Found\r\nlocation: //10.0.0.1/a", "jail_refused ipv4_special"],
    ["with a host behind one slash too many", "302 Found\r\nlocation: http:///10.0.0.1/a", "jail_refused ipv4_special"],
    ["with a host behind no slash", "302 Found\r\nlocation: https:10.0.0.1", "jail_refused ipv4_special"],
    ["with a host in octal", "302 Found\r\nlocation: http://012.0.0.1/", "jail_refused ipv4_special"],
    [
      "with a host in full-width digits",
      "302 Found\r\nlocation: http://\uff11\uff10.0.0.1/",
      "jail_refused ipv4_special",
    ],
    ["to another port of this machine", "302 Found\r\nlocation: http://127.0.0.1:8443/", "jail_refused ipv4_special"],
    ["to the metadata service", "302 Found\r\nlocation: http://169.254.169.254/", "jail_refused metadata"],
    ["to a mail server's port", "302 Found\r\nlocation: http://example.org:25/", "jail_refused port"],
  ])("%s", async (_what, lines, outcome) => expect((await redirecting(lines)).outcome).toBe(outcome));
});

describe("a maze", () => {
  it.each<[what: string, next: (hop: number) => string, outcome: string, requests: number]>([
    ["of one room", () => "/", "redirect_limit", 6],
    ["of two rooms", (hop) => `/${hop % 2}`, "redirect_limit", 6],
    ["of twenty-one rooms", (hop) => (hop === 21 ? "end" : `/${hop}`), "redirect_limit", 6],
    ["of rooms that only differ in their fragment", (hop) => `/#${hop}`, "redirect_limit", 6],
    ["whose way is five redirects long", (hop) => (hop === 5 ? "end" : `/${hop}`), "200", 6],
    ["whose URL doubles each time", (hop) => `/${"a".repeat(700 * 2 ** hop)}`, "jail_refused url_length", 4],
  ])("%s", async (_what, next, outcome, requests) => {
    let hop = 0;
    const server = await serve((socket) => {
      const to = next(hop);
      hop += 1;
      socket.write(to === "end" ? answer("200 OK") : answer("302 Found", { location: to }, "moved"));
    });
    const got = await transportTo([server])
      .request({ url: `${server.origin}/` })
      .then(({ status }) => String(status), describeError);
    expect([got, requestLines(server).length, server.connections]).toEqual([outcome, requests, 1]);
  });
});

describe("what was left behind at one origin", () => {
  const secrets = {
    authorization: "Bearer 1",
    cookie: "sid=1",
    "x-api-key": "1",
    "api-token": "1",
    accept: "text/plain",
  };

  it.each([301, 302, 303, 307, 308])("does not come back with it, after a %i", async (status) => {
    const there = await serve((socket) => socket.write(answer(`${status} Back`, { location: `${here.origin}/end` })));
    const here: RawServer = await serve((socket, head) =>
      socket.write(head.includes(" /end ") ? answer("200 OK") : answer(`${status} Go`, { location: there.origin })),
    );
    await transportTo([here, there]).request({ url: here.origin, headers: secrets });
    const [first = "", last = ""] = here.received.join("").split(/(?=GET \/end)/);
    expect(first).toMatch(/authorization[\s\S]*cookie[\s\S]*x-api-key[\s\S]*api-token/);
    for (const later of [there.received.join(""), last]) {
      expect(later).toMatch(/^accept: text\/plain\r$/m);
      expect(later).not.toMatch(/authorization|cookie|key|token|bearer/i);
    }
  });

  it("is left behind where only the port, or only the host, differs", async () => {
    const server = await serve((socket, head) => {
      const location = head.includes("127.0.0.1") ? `http://localhost.example.org:${server.port}/end` : undefined;
      socket.write(location === undefined ? answer("200 OK") : answer("302 Found", { location }));
    });
    const origins = [server.origin, `http://localhost.example.org:${server.port}`];
    const jail = createJail({
      exemptions: origins.map((origin) => ({ origin, name: "test" })),
      resolve: async () => ["127.0.0.1"],
    });
    const transport = createTransport({ jail });
    closeAfter(transport);
    await transport.request({ url: server.origin, headers: secrets });
    expect(server.received.join("").match(/authorization/g)).toHaveLength(1);
  });
});
