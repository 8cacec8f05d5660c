import { describe, expect, it } from "vitest";
import { outlineOf } from "./outline.js";
import { renderOutline } from "./render-outline.js";

const PAGE = outlineOf(["# Guide", "## One", "### Deep", "### Deeper", "## Two", "### Deepest", ""].join("\n\n"));

describe("renderOutline", () => {
  it("indents numbers, titles and sizes", () => {
    expect(renderOutline(PAGE, 10).split("\n")).toEqual([
      "1 Guide (60)",
      "  1.1 One (30)",
      "    1.1.1 Deep (10)",
      "    1.1.2 Deeper (12)",
      "  1.2 Two (21)",
      "    1.2.1 Deepest (13)",
    ]);
  });

  it("drops the deepest levels first and counts them", () => {
    expect(renderOutline(PAGE, 4).split("\n")).toEqual([
      expect.stringMatching(/^1 Guide/),
      expect.stringMatching(/^ {2}1\.1 One/),
      expect.stringMatching(/^ {2}1\.2 Two/),
      "… 3 more",
    ]);
  });

  it("cuts a flat list at the limit and says so", () => {
    const flat = outlineOf("## Part\n\n".repeat(500));
    const text = renderOutline(flat, 20);
    expect(text.split("\n")).toHaveLength(21);
    expect(text).toMatch(/… 480 more$/);
    const short = renderOutline(flat, 400, 300);
    expect(short.length).toBeLessThanOrEqual(300);
    expect(short).toMatch(/… \d+ more$/);
  });

  it("looks below a lone title", () => {
    const lone = outlineOf(`# Book\n\n${"## Chapter\n\n".repeat(100)}`);
    expect(renderOutline(lone, 10).split("\n")[1]).toMatch(/^ {2}1\.1 Chapter/);
  });

  it("is empty without sections", () => {
    expect(renderOutline([], 10)).toBe("");
  });
});
