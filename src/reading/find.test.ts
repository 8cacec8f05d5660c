import { describe, expect, it } from "vitest";
import { findMatches } from "./find-matches.js";
import { outlineOf } from "./outline.js";
import type { PageText } from "./slice.js";
import { viewPage } from "./view.js";

const markdown = (text: string): PageText => ({ text, outline: outlineOf(text), format: "markdown" });

const PAGE = [
  "# Client",
  "The client keeps connections open.",
  "## Timeouts",
  "A **header timeout** ends a request that sends nothing.",
  "```js\nconst client = new Client({\n\n  headersTimeout: 5_000,\n});\n```",
  "Set it to 0 to wait for ever.",
  "## Errors",
  "A request that waits too long ends with a header\ntimeout error; the socket is closed and not used again.",
  "",
].join("\n\n");

describe("find", () => {
  it.each([
    ["headersTimeout", "exact", 1],
    ["HEADERSTIMEOUT", "case", 1],
    ["header timeout", "exact", 1],
    ["Header  Timeout", "spacing", 2],
    ["socket request closed", "words", 1],
    ["a.b*c+(d[", undefined, 0],
    ["  ", undefined, 0],
  ])("searches %j as %s", (query, method, total) => {
    const result = findMatches(PAGE, query, 0, PAGE.length);
    expect([result?.method, result?.total ?? 0]).toEqual([method, total]);
  });

  it("keeps offsets right beside letters that change length with their case", () => {
    const text = "İSTANBUL İ and NEEDLE";
    expect(findMatches(text, "needle", 0, text.length)?.matches).toEqual([{ start: 15, end: 21 }]);
  });

  it("shows the code block whole, under its section's name", () => {
    const view = viewPage(markdown(PAGE), { find: "headersTimeout", maxChars: 2_000 });
    expect(view.found).toBe(1);
    expect(view.pieces[0]?.text).toContain("```js\nconst client");
    expect(view.pieces[0]?.text).toContain("});\n```");
    expect(view.pieces[0]?.label).toMatch(/^1\.1 Timeouts, characters \d+-\d+$/);
    expect(view.text.startsWith(`[${view.pieces[0]?.label}]\n`)).toBe(true);
  });

  it("says how many of all matches are shown and how to see the others", () => {
    const text = Array.from(
      { length: 17 },
      (_, index) => `## Part ${index}\n\n${"filler text ".repeat(60)}needle.\n`,
    ).join("\n");
    const first = viewPage(markdown(text), { find: "needle", maxChars: 3_000 });
    const shown = first.pieces.length;
    expect(first.found).toBe(17);
    expect(first.text.length).toBeLessThanOrEqual(3_000);
    expect(first.notices[0]).toBe(
      `${shown} of 17 matches are shown; for more, the same find with offset=${first.next?.offset}.`,
    );
    const second = viewPage(markdown(text), { find: "needle", maxChars: 3_000, offset: first.next?.offset });
    expect(second.found).toBe(17 - shown);
  });

  it("looks inside one section when both are asked", () => {
    const view = viewPage(markdown(PAGE), { section: "Errors", find: "header", maxChars: 2_000 });
    expect(view.found).toBe(1);
    expect(view.pieces[0]?.label).toMatch(/^1\.2 Errors/);
  });

  it("answers a miss with the outline", () => {
    const view = viewPage(markdown(PAGE), { find: "websocket", maxChars: 2_000 });
    expect(view).toMatchObject({ text: "", found: 0, notices: ["Nothing in the text matches."] });
    expect(view.outline).toContain("1.1 Timeouts");
  });

  it("shows lines around a match in a log and a window in one endless line", () => {
    const log = Array.from({ length: 1_000 }, (_, index) => `entry ${index}`).join("\n");
    const view = viewPage({ text: log, outline: [], format: "text" }, { find: "entry 500", maxChars: 1_000 });
    expect(view.pieces[0]?.text.split("\n")).toEqual(Array.from({ length: 7 }, (_, index) => `entry ${497 + index}`));

    const line = `${"word ".repeat(10_000)}needle ${"word ".repeat(10_000)}`;
    const window = viewPage({ text: line, outline: [], format: "text" }, { find: "needle", maxChars: 1_000 });
    expect(window.text.length).toBeLessThanOrEqual(1_000);
    expect(window.pieces[0]?.text).toContain(" needle ");
  });

  it("stays linear on hostile text and queries", () => {
    const started = performance.now();
    findMatches(`a${" ".repeat(2_000_000)}b`, "a  c", 0, 2_000_002);
    findMatches("a ".repeat(1_000_000), Array(200).fill("a").join("  "), 0, 2_000_000);
    findMatches("a b ".repeat(500_000), "b a z", 0, 2_000_000);
    expect(performance.now() - started).toBeLessThan(3_000);
  });
});
