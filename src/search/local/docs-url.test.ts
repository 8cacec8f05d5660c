import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { formatDocsUrl, MAX_DOCS_URL_LENGTH, parseDocsUrl } from "./docs-url.js";

describe("docs: URLs", () => {
  it("name a package, its version, a path and a section", () => {
    const url = "docs:@gates/iron@2.0.1/docs/api/Gate.md#class-gate";
    const parts = { name: "@gates/iron", version: "2.0.1", path: "docs/api/Gate.md", fragment: "class-gate" };
    expect(parseDocsUrl(url)).toEqual(parts);
    expect(formatDocsUrl(parts)).toBe(url);
    expect(parseDocsUrl("docs:iron@local/README.md")).toEqual({ name: "iron", version: "local", path: "README.md" });
  });

  it.each([
    "docs:../../etc/passwd",
    "docs:iron@1.0.0/../../etc/passwd",
    "docs:iron@1.0.0/..%2f..%2fetc/passwd",
    "docs:iron@1.0.0/%2e%2e/passwd",
    "docs:iron@1.0.0/a%00b",
    "docs:iron@1.0.0/a\u0000b",
    "docs:iron@1.0.0/a%5cb",
    "docs:iron@1.0.0//etc/passwd",
    "docs:///etc/passwd",
    "docs:iron@1.0.0/",
    "docs:iron@1.0.0",
    "docs:iron/README.md",
    "docs:iron@1.0.0/%zz",
    "docs:iron@1.0.0/a?b",
    "file:///etc/passwd",
    "https://gates.example/",
    "",
    `docs:iron@1.0.0/${"a".repeat(MAX_DOCS_URL_LENGTH)}`,
  ])("do not take %j", (url) => {
    expect(parseDocsUrl(url)).toBeUndefined();
  });

  it("come back as they were, whatever a file or a section is called", () => {
    const part = fc
      .string({ minLength: 1, maxLength: 20, unit: "grapheme" })
      .filter((text) => !/[/\\\p{Cc}]/u.test(text) && text !== "." && text !== "..");
    fc.assert(
      fc.property(fc.array(part, { minLength: 1, maxLength: 4 }), part, (path, fragment) => {
        const parts = { name: "iron", version: "1.0.0", path: path.join("/"), fragment };
        expect(parseDocsUrl(formatDocsUrl(parts))).toEqual(parts);
      }),
    );
  });
});
