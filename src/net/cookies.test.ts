import { describe, expect, it } from "vitest";
import { createChainCookies } from "./cookies.js";

const NOW = Date.UTC(2026, 0, 1);
const SITE = new URL("https://www.example.org/shop/cart");

function sentAfter(setCookie: readonly string[], to: string, from = SITE): string | undefined {
  const cookies = createChainCookies();
  cookies.store(from, setCookie, NOW);
  return cookies.headerFor(new URL(to));
}

describe("createChainCookies", () => {
  it.each([
    ["the same path", ["a=1"], "https://www.example.org/shop/cart", "a=1"],
    ["a path below", ["a=1; Path=/shop"], "https://www.example.org/shop/x", "a=1"],
    ["another port of the same host", ["a=1; Path=/"], "https://www.example.org:8443/", "a=1"],
    ["a neighbouring path", ["a=1; Path=/shop"], "https://www.example.org/shopping", undefined],
    ["a path above", ["a=1"], "https://www.example.org/", undefined],
    ["a subdomain", ["a=1; Path=/; Domain=example.org"], "https://api.www.example.org/", undefined],
    ["the parent", ["a=1; Path=/; Domain=example.org"], "https://example.org/", undefined],
    ["plain http, when Secure", ["a=1; Path=/; Secure"], "http://www.example.org/", undefined],
    ["later values", ["a=1; Path=/", "a=2; Path=/"], "https://www.example.org/", "a=2"],
    ["deleted by age", ["a=1; Path=/", "a=; Path=/; Max-Age=0"], "https://www.example.org/", undefined],
    [
      "deleted by date",
      ["a=1; Path=/", "a=; Path=/; Expires=Thu, 01 Jan 1970 00:00:00 GMT"],
      "https://www.example.org/",
      undefined,
    ],
  ])("%s", (_what, setCookie, to, expected) => expect(sentAfter(setCookie, to)).toBe(expected));

  it("takes nothing that could break out of its header, nor what is too large or too many", () => {
    const bad = ["=1", "novalue", "a b=1", "a=1\u00002", "a=x,y\u00e9", `a=${"x".repeat(4096)}`];
    expect(
      sentAfter(
        bad.map((line) => `${line}; Path=/`),
        SITE.href,
      ),
    ).toBeUndefined();
    const many = Array.from({ length: 500 }, (_, i) => `c${i}=1; Path=/`);
    expect(sentAfter(many, SITE.href)?.split("; ")).toHaveLength(20);
  });

  it.each([
    ["__Secure-a=1; Secure; Path=/", "__Secure-a=1"],
    ["__secure-a=1; Secure; Path=/; Domain=example.org", "__secure-a=1"],
    ["__Host-a=1; Secure; Path=/", "__Host-a=1"],
    ["__Host-a=1; Secure; Path=/shop", undefined],
    ["__Host-a=1; Secure", undefined],
    ["__Host-a=1; Secure; Path=/; Domain=www.example.org", undefined],
    ["__Secure-a=1; Path=/", undefined],
    ["__HOST-a=1; Path=/", undefined],
    ["__Hosts-a=1; Path=/", "__Hosts-a=1"],
  ])("holds a name to its prefix: %s", (line, expected) => expect(sentAfter([line], SITE.href)).toBe(expected));

  it.each([
    ["example.org", "a=1"],
    [".EXAMPLE.org", "a=1"],
    ["www.example.org", "a=1"],
    ["api.www.example.org", undefined],
    ["ample.org", undefined],
    ["example.com", undefined],
  ])("takes a cookie for %s or not", (domain, expected) => {
    expect(sentAfter([`a=1; Path=/; Domain=${domain}`], SITE.href)).toBe(expected);
  });

  it.each(["http://127.0.0.1/", "http://[2606:4700::1]/"])("knows no parent of %s", (address) => {
    const url = new URL(address);
    const parents = ["0.1", "0.0.1", "1]", "4700::1]"].map((parent) => `a=1; Domain=${parent}`);
    expect(sentAfter(parents, address, url)).toBeUndefined();
    expect(sentAfter([`a=1; Domain=${url.hostname}`], address, url)).toBe("a=1");
  });

  it("keeps twenty over a whole chain, and still replaces and deletes those", () => {
    const cookies = createChainCookies();
    for (const hop of ["a", "b", "c"]) {
      const lines = Array.from({ length: 15 }, (_, i) => `${hop}${i}=1; Path=/`);
      cookies.store(SITE, lines, NOW);
    }
    expect(cookies.headerFor(SITE)?.split("; ")).toHaveLength(20);
    cookies.store(SITE, ["a0=2; Path=/", "a1=; Path=/; Max-Age=0"], NOW);
    expect(cookies.headerFor(SITE)?.split("; ")).toHaveLength(19);
    expect(cookies.headerFor(SITE)).toMatch(/a0=2/);
  });

  it("takes no Secure cookie from plain http", () => {
    expect(sentAfter(["a=1; Path=/; Secure"], SITE.href, new URL("http://www.example.org/"))).toBeUndefined();
  });
});
