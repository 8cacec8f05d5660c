import { describe, expect, it } from "vitest";
import { dialHostOf, parseUrl, portOf } from "./url-parts.js";

describe("parseUrl", () => {
  it("reads a Latin-1 host the same way however often it is asked", () => {
    for (let nth = 0; nth < 20_000; nth += 1) {
      if (parseUrl("http://straße.example/")?.hostname !== "xn--strae-oqa.example") expect.fail(`at call ${nth}`);
    }
  });

  it("reads against a base, and gives nothing for what is no URL", () => {
    expect(parseUrl("../b?c", "http://example.org/a/x")?.href).toBe("http://example.org/b?c");
    expect(parseUrl("../b?c")).toBeUndefined();
    expect(parseUrl("http://[::1")).toBeUndefined();
    expect(parseUrl(undefined as unknown as string)).toBeUndefined();
  });
});

describe("the dialled parts", () => {
  it.each([
    ["http://example.org/", "example.org", 80],
    ["https://example.org/", "example.org", 443],
    ["https://example.org.:8443/", "example.org", 8443],
    ["http://[2a01:4f8::1]:8080/", "2a01:4f8::1", 8080],
    ["http://0x7f.1/", "127.0.0.1", 80],
  ])("of %s are %s and %i", (text, host, port) => {
    const url = new URL(text);
    expect([dialHostOf(url), portOf(url)]).toEqual([host, port]);
  });
});
