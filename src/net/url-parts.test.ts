import { describe, expect, it } from "vitest";
import { dialHostOf, portOf } from "./url-parts.js";

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
