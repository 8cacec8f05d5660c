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

  it("takes no Secure cookie from plain http", () => {
    expect(sentAfter(["a=1; Path=/; Secure"], SITE.href, new URL("http://www.example.org/"))).toBeUndefined();
  });
});
