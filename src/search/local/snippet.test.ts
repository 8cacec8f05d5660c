import { describe, expect, it } from "vitest";
import { MAX_SNIPPET_LENGTH, snippetOf } from "./snippet.js";
import { createTermReader } from "./tokens.js";

const read = createTermReader((term) => term);
const snippet = (text: string, ...terms: string[]): string =>
  snippetOf(text, "Bolts", new Map(terms.map((term) => [term, 1])), read);

describe("snippetOf", () => {
  it("shows the passage that holds what was asked, as plain text", () => {
    const filler = "The wall is old and made of grey stone.\n\n".repeat(30);
    const found = snippet(
      `## Bolts\n\n${filler}- **width** of a [bolt](#bolt) in \`mm\`\n\n${filler}`,
      "width",
      "bolt",
    );
    expect(found).toMatch(/^width of a bolt in mm/u);
    expect(found.length).toBeLessThanOrEqual(MAX_SNIPPET_LENGTH);
  });

  it("cuts a long line around its hit and never inside a character", () => {
    const found = snippet(`${"🚪 ".repeat(400)} rust ${"🚪".repeat(400)}`, "rust");
    expect(found).toContain("rust");
    expect(found.length).toBeLessThanOrEqual(MAX_SNIPPET_LENGTH);
    expect(Buffer.from(found).toString()).toBe(found);
  });

  it("leaves out the heading, comment marks and control characters", () => {
    expect(snippet("## Bolts\n\n/**\n * Slides the bolt.\n */\u0007\n", "bolt")).toBe("Slides the bolt.");
    expect(snippet("", "bolt")).toBe("");
  });
});
