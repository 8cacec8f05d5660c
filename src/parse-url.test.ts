import { describe, expect, it } from "vitest";
import { parseUrl } from "./parse-url.js";

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
