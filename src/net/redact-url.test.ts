import { describe, expect, it } from "vitest";
import { redactUrl } from "./redact-url.js";

describe("redactUrl", () => {
  it.each([
    ["https://user:secret@example.org/a/b?q=hello&token=abc#key", "https://example.org/a/b?q=[5]&token=[3]"],
    ["https://example.org/?abcdef", "https://example.org/?[6]"],
    ["https://example.org/?a=b=c&&x=", "https://example.org/?a=[3]&[0]&x=[0]"],
    ["https://example.org/?", "https://example.org/"],
    ["http://[::1]:3000/", "http://[::1]:3000/"],
    ["data:text/html,secret", "data:(16)"],
    ["mailto:someone@example.org", "mailto:(19)"],
    ["no url: secret", "(not a URL)"],
    ["", "(not a URL)"],
    ["a".repeat(9000), "(9000 characters)"],
  ])("%s", (url, expected) => expect(redactUrl(url)).toBe(expected));
});
