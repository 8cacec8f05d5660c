import type { Socket } from "node:net";
import { describe, expect, it } from "vitest";
import { BlockedError } from "../../src/errors.js";
import { createJail, createTransport, type NetEvent } from "../../src/net/index.js";
import { closeAfter } from "../helpers/close-after.js";
import { serve, transportTo } from "../helpers/jail-bench.js";
import { answer } from "../helpers/raw-server.js";

/** Far below the cap for bodies: what a server can write until it hears that nobody listens. */
const MAX_UNREAD_BYTES = 1_000_000;

/** Answers by path; the request head is kept by the server. */
function site(pages: Readonly<Record<string, Buffer | ((head: string) => Buffer)>>) {
  return (socket: Socket, head: string): void => {
    const path = head.split(" ")[1] ?? "";
    const page = pages[path] ?? answer("404 Not Found");
    socket.write(typeof page === "function" ? page(head) : page);
  };
}

describe("hop limits", () => {
  it("redirect-21: follows five and no more", async () => {
    const server = await serve((socket) => socket.write(answer("302 Found", { location: "/next" })));
    await expect(transportTo([server]).request({ url: server.origin })).rejects.toMatchObject({
      code: "redirect_limit",
    });
    expect(server.received.join("").match(/^GET/gm)).toHaveLength(6);
  });

  it("huge-location: refuses one of more than 4096 characters", async () => {
    const server = await serve((socket) => socket.write(answer("302 Found", { location: `/${"a".repeat(4096)}` })));
    const request = transportTo([server]).request({ url: server.origin });
    await expect(request).rejects.toMatchObject({ code: "jail_refused", rule: "url_length" });
  });

  it("redirect-body-bomb: does not read a redirect's body", async () => {
    let written = 0;
    const server = await serve((socket, head) => {
      if (head.startsWith("GET /end")) return socket.write(answer("200 OK", {}, "end"));
      socket.write("HTTP/1.1 302 Found\r\nlocation: /end\r\n\r\n");
      const timer = setInterval(() => {
        written += 16_384;
        socket.write(Buffer.alloc(16_384));
      }, 1);
      socket.on("close", () => clearInterval(timer));
    });
    const response = await transportTo([server]).request({ url: server.origin });
    expect(Buffer.from(response.bytes).toString()).toBe("end");
    // The one it came over is left for good, while the other is kept.
    await expect.poll(() => server.open).toBe(1);
    expect(written).toBeLessThanOrEqual(MAX_UNREAD_BYTES);
  });

  it("keeps the connection of a redirect that ends with its head", async () => {
    const server = await serve(site({ "/": answer("301 Moved", { location: "/b" }, "moved"), "/b": answer("200 OK") }));
    await transportTo([server]).request({ url: server.origin });
    expect(server.connections).toBe(1);
  });
});

describe("what a hop carries on", () => {
  const secrets = {
    authorization: "Bearer 1",
    cookie: "sid=1",
    "proxy-authorization": "Basic 1",
    "x-api-key": "1",
    "x-subscription-token": "1",
    "content-type": "application/json",
    accept: "text/html",
    "accept-language": "de",
    "user-agent": "test/1",
  };

  it.each([301, 302, 303])("auth-cross-origin: leaves every secret and the body behind after a %i", async (status) => {
    const other = await serve((socket) => socket.write(answer("200 OK")));
    const server = await serve((socket) => socket.write(answer(`${status} Go`, { location: `${other.origin}/x` })));
    await transportTo([server, other]).request({
      url: server.origin,
      method: "POST",
      headers: secrets,
      body: '{"k":1}',
    });
    expect(server.received[0]).toContain("authorization: Bearer 1");
    const seen = other.received[0] ?? "";
    expect(seen).toMatch(/^accept: text\/html\r$/m);
    expect(seen).toMatch(/^user-agent: test\/1\r$/m);
    expect(seen).not.toMatch(/authorization|cookie|api-key|token|content-type|\{"k"/i);
  });

  it("keeps headers and body on the same origin after a 307, and drops the body after a 302", async () => {
    const server = await serve(
      site({
        "/": answer("307 Again", { location: "/same" }),
        "/same": answer("302 Found", { location: "/get" }),
        "/get": answer("200 OK"),
      }),
    );
    await transportTo([server]).request({ url: server.origin, method: "POST", headers: secrets, body: '{"k":1}' });
    const heads = server.received.join("").split(/(?=(?:GET|POST) \/)/);
    expect(heads.map((head) => head.split(" ")[0])).toEqual(["POST", "POST", "GET"]);
    expect(heads[1]).toContain('{"k":1}');
    expect(heads[2]).toContain("authorization: Bearer 1");
    expect(heads[2]).not.toMatch(/\{"k"|content-type|content-length/);
  });

  it("referer: none is ever sent, not even the caller's", async () => {
    const server = await serve(site({ "/": answer("302 Found", { location: "/b" }), "/b": answer("200 OK") }));
    await transportTo([server]).request({ url: server.origin, headers: { Referer: "https://example.org/?secret" } });
    expect(server.received.join("")).not.toMatch(/referer/i);
  });

  it("lets no caller set Host or frame a second request", async () => {
    const server = await serve(site({ "/": answer("200 OK") }));
    const transport = transportTo([server]);
    await transport.request({
      url: server.origin,
      headers: { Host: "evil.example.org", "Transfer-Encoding": "chunked", "Content-Length": "4", Connection: "close" },
    });
    expect(server.received[0]).toContain(`host: 127.0.0.1:${server.port}`);
    expect(server.received[0]).not.toMatch(/evil|chunked|content-length/);
    const injected = transport.request({ url: server.origin, headers: { "x-a": "1\r\nx-b: 2" } });
    await expect(injected).rejects.toMatchObject({ code: "invalid_argument" });
  });
});

describe("cookies", () => {
  it("set-cookie: none reaches another origin or another page", async () => {
    const other = await serve((socket) => socket.write(answer("200 OK")));
    const server = await serve(
      site({
        "/": answer("302 Found", { location: "/next", "set-cookie": "sid=1" }),
        "/next": answer("302 Found", { location: other.origin, "set-cookie": "tid=2; Domain=127.0.0.1" }),
      }),
    );
    await transportTo([server, other]).request({ url: server.origin });
    expect(server.received.join("") + other.received.join("")).not.toMatch(/^cookie:/im);
  });

  it("returns a cookie to the gate that redirects to itself until it comes back", async () => {
    const server = await serve(
      site({
        "/page": (head) =>
          head.includes("cookie: consent=yes")
            ? answer("200 OK", {}, "text")
            : answer("302 Found", { location: "/page", "set-cookie": "consent=yes; Path=/; HttpOnly" }),
      }),
    );
    const response = await transportTo([server]).request({ url: `${server.origin}/page` });
    expect(Buffer.from(response.bytes).toString()).toBe("text");
    const again = transportTo([server]).request({ url: `${server.origin}/page`, maxRedirects: 0 });
    await expect(again, "the jar ends with its chain").rejects.toMatchObject({ code: "redirect_limit" });
  });
});

describe("the steps themselves", () => {
  it("resolves Location as UTF-8 and against the URL that sent it", async () => {
    const server = await serve(
      site({ "/a/b": answer("302 Found", { location: "größe" }), "/a/gr%C3%B6%C3%9Fe": answer("200 OK") }),
    );
    const response = await transportTo([server]).request({ url: `${server.origin}/a/b#part` });
    expect(response).toMatchObject({ status: 200, url: `${server.origin}/a/gr%C3%B6%C3%9Fe` });
    expect(response.hops.map((hop) => [hop.status, hop.via])).toEqual([
      [302, "exemption"],
      [200, "exemption"],
    ]);
  });

  it("does not let a stranger's redirect into an exempted origin", async () => {
    const inside = await serve((socket) => socket.write(answer("200 OK")));
    const jail = createJail({ exemptions: [{ origin: inside.origin, name: "dev server" }] });
    const outside = jail.checkUrl("http://example.org/");
    const { assertRedirectAllowed } = await import("../../src/net/redirects.js");
    expect(() => assertRedirectAllowed(outside, jail.checkUrl(inside.origin), false)).toThrow(
      expect.objectContaining({ rule: "redirect_exemption" }),
    );
  });

  it("refuses two different locations", async () => {
    const server = await serve((socket) =>
      socket.write("HTTP/1.1 302 Found\r\nlocation: /a\r\nlocation: /b\r\ncontent-length: 0\r\n\r\n"),
    );
    await expect(transportTo([server]).request({ url: server.origin })).rejects.toMatchObject({
      code: "protocol_error",
    });
  });

  it("hands a redirect back in manual mode, its target resolved and checked", async () => {
    const server = await serve(
      site({
        "/": answer("302 Found", { location: "next?q=1" }, "moved"),
        "/in": answer("302 Found", { location: "http://10.0.0.1/" }),
      }),
    );
    const transport = transportTo([server]);
    const response = await transport.request({ url: server.origin, redirect: "manual" });
    expect(response).toMatchObject({ status: 302, location: `${server.origin}/next?q=1` });
    expect(response.bytes).toHaveLength(0);
    const inside = transport.request({ url: `${server.origin}/in`, redirect: "manual" });
    await expect(inside).rejects.toMatchObject({ rule: "ipv4_special" });
    const refused = transport.request({ url: server.origin, redirect: "error" });
    await expect(refused).rejects.toMatchObject({ code: "redirect_limit" });
  });

  it("treats a 3xx without Location as an answer", async () => {
    const server = await serve(
      site({ "/": answer("300 Choices", {}, "list"), "/b": answer("302 Found", {}, "nowhere") }),
    );
    const transport = transportTo([server]);
    expect((await transport.request({ url: server.origin })).status).toBe(300);
    expect((await transport.request({ url: `${server.origin}/b` })).status).toBe(302);
  });
});

describe("the egress policy", () => {
  it("is asked on every hop before the name leaves, and ends the request", async () => {
    const lookUps: string[] = [];
    const events: NetEvent[] = [];
    const server = await serve((socket) =>
      socket.write(answer("302 Found", { location: `http://two.example.org:${server.port}/?secret=abc` })),
    );
    const origins = ["one", "two"].map((name) => `http://${name}.example.org:${server.port}`);
    const transport = createTransport({
      jail: createJail({
        exemptions: origins.map((origin) => ({ origin, name: "test" })),
        resolve: async (host) => {
          lookUps.push(host);
          return ["127.0.0.1"];
        },
      }),
      onEvent: (event) => events.push(event),
    });
    closeAfter(transport);
    const asked: string[] = [];
    const request = transport.request({
      url: `http://one.example.org:${server.port}/`,
      approveHop: async (url, hop) => {
        asked.push(`${hop} ${url.hostname} ${lookUps.length}`);
        if (hop === 1) throw new BlockedError("policy_refused", "host_denied", "The host is denied.");
        // What the policy does to its copy is not what is dialled.
        url.hostname = "elsewhere.example.org";
      },
    });
    await expect(request).rejects.toMatchObject({ code: "policy_refused" });
    expect(asked).toEqual(["0 one.example.org 0", "1 two.example.org 1"]);
    expect(lookUps).toEqual(["one.example.org"]);
    expect(events.map((event) => event.type)).toEqual([
      "hop.started",
      "dns.resolved",
      "hop.finished",
      "hop.started",
      "hop.blocked",
    ]);
    expect(events.at(-1)).toEqual({
      type: "hop.blocked",
      hop: 1,
      rule: "host_denied",
      url: `${origins[1]}/?secret=[3]`,
    });
  });
});
