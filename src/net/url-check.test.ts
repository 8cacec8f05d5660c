import { describe, expect, it } from "vitest";
import { indexExemptions } from "./exemptions.js";
import { DEFAULT_PORTS } from "./ports.js";
import { type CheckedUrl, checkUrl } from "./url-check.js";

/** Nothing is opened. */
const settings = { ...indexExemptions([]), ports: new Set(DEFAULT_PORTS), nat64Prefixes: [], denied: [] };
const check = (url: string | URL): CheckedUrl => checkUrl(url, settings);

describe("checkUrl", () => {
  it("takes a URL of 4096 characters and not of one more", () => {
    const url = "https://example.org/".padEnd(4096, "a");
    expect(check(url).href).toBe(url);
    expect(() => check(`${url}a`)).toThrow(expect.objectContaining({ rule: "url_length" }));
  });

  it("gives the parts that are dialled, without fragment, brackets and trailing dot", () => {
    expect(check("https://Example.ORG.:8443/a%20b?q=1#part")).toMatchObject({
      href: "https://example.org.:8443/a%20b?q=1",
      host: "example.org",
      port: 8443,
      target: "/a%20b?q=1",
      secure: true,
      literal: undefined,
    });
    expect(check(new URL("http://[2a01:4f8::1]/"))).toMatchObject({ host: "2a01:4f8::1", port: 80 });
  });

  it("is not moved by what happens to the URL object later", () => {
    const url = new URL("http://example.org/");
    const checked = check(url);
    url.hostname = "127.0.0.1";
    expect(checked.host).toBe("example.org");
  });

  it.each([
    ["http://example.org/\u2028", "url_syntax"],
    ["http://example.org/\u00a0", "url_syntax"],
    ["http://exa$mple.org/", "host_name"],
    ["http://example.org:10080/", "port"],
    ["ftp://example.org:80/", "scheme"],
    ["ws://example.org/", "scheme"],
    ["javascript:alert(1)", "scheme"],
    ["http://user@example.org/", "userinfo"],
    ["http://:secret@example.org/", "userinfo"],
    [42 as unknown as string, "url_syntax"],
    [null as unknown as string, "url_syntax"],
  ])("refuses %j by %s", (url, rule) => {
    expect(() => check(url)).toThrow(expect.objectContaining({ code: "jail_refused", rule }));
  });

  it("takes time in proportion to the text", () => {
    const startedAt = performance.now();
    for (const hostile of [" ".repeat(1e6), `http://${"a.".repeat(5e5)}`, `http://${"x".repeat(1e6)}`]) {
      expect(() => check(hostile)).toThrow();
    }
    expect(performance.now() - startedAt).toBeLessThan(5_000);
  });
});

describe("isPrivate", () => {
  const origins = ["http://10.0.0.1", "http://wiki.lan", "http://8.8.8.8:3000", "http://public.example.org:3000"];
  const opened = { ...settings, ...indexExemptions(origins.map((origin) => ({ origin, name: "own" }))) };

  it.each([
    ["http://10.0.0.1/", true],
    ["http://wiki.lan/", true],
    ["http://8.8.8.8:3000/", false],
    ["http://public.example.org:3000/", false],
    ["http://example.org/", false],
    ["http://8.8.8.8/", false],
  ])("says whether it took an exemption to let %s pass: %s", (url, isPrivate) => {
    expect(checkUrl(url, opened).isPrivate).toBe(isPrivate);
  });
});
