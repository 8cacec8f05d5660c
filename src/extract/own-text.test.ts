import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";
import { describe, expect, test } from "vitest";
import { extract } from "./extract.js";
import { ownText, ownTexts } from "./own-text.js";

setFlagsFromString("--expose-gc");
const collectGarbage = runInNewContext("gc") as () => void;

function heapBytes(): number {
  collectGarbage();
  return process.memoryUsage().heapUsed;
}

describe("ownText", () => {
  test("keeps the text and mends half surrogate pairs", () => {
    expect(ownText("tea \u{1fad6}")).toBe("tea \u{1fad6}");
    expect(ownText("a\ud83db")).toBe("a\ufffdb");
    expect(ownTexts({ title: "\udc00", year: 2_024 })).toEqual({ title: "\ufffd", year: 2_024 });
  });
});

describe("results", () => {
  const FILLER_CHARS = 500_000;
  const page = (
    number: number,
  ): string => `<!doctype html><html><head><title>How to steep a pot of tea, part ${number}</title>
    <meta name="author" content="Rosa Lind of the kettle shop"><meta name="description" content="All about cups and pots.">
    <script>${"x".repeat(FILLER_CHARS)}</script></head><body><!-- a remark that is longer than a few characters ${number} -->
    <p hidden>Words that nobody sees, and yet somebody wrote them down.</p><p>Pour hot water over the leaves.</p></body></html>`;

  test.each(["main", "full"] as const)("of %s mode do not keep their pages in memory", (mode) => {
    extract(page(0), { mode });
    const before = heapBytes();
    const kept = Array.from({ length: 40 }, (_, number) => extract(page(number), { mode }));
    const bytes = heapBytes() - before;
    expect(kept.every(({ markdown, removedText }) => markdown !== "" && removedText.length === 2)).toBe(true);
    expect(bytes).toBeLessThan(FILLER_CHARS * 4);
  });
});
