import fc from "fast-check";
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
    expect(first.notices).toEqual([`${shown} of 17 matches are shown.`]);
    const second = viewPage(markdown(text), { find: "needle", maxChars: 3_000, offset: first.next?.offset });
    expect(second.found).toBe(17 - shown);
    expect(second.notices).toEqual([
      `${second.pieces.length} of ${17 - shown} matches in this part of the text are shown.`,
    ]);
  });

  describe("within a small budget", () => {
    const section = (index: number): string =>
      `## Part ${index}\n\n${"before the word ".repeat(20)}tabby cats ${"and after it ".repeat(20)}end.\n`;
    const text = Array.from({ length: 5 }, (_, index) => section(index)).join("\n");

    it.each([
      [{ maxChars: 9_000, maxBytes: 300 }, 1],
      [{ maxChars: 9_000, maxBytes: 200 }, 1],
      [{ maxChars: 200 }, 1],
      [{ maxChars: 9_000, maxBytes: 450 }, 2],
    ])("%j shows fewer passages, the match and what surrounds it in each", (limits, shown) => {
      const view = viewPage(markdown(text), { find: "cats", ...limits });
      expect(view.pieces).toHaveLength(shown);
      for (const piece of view.pieces) {
        expect(piece.text).toMatch(/word tabby cats and after/);
        expect(piece.text.length).toBeGreaterThan(100);
        expect(piece.label).toMatch(/^\d Part \d, characters \d+-\d+$/);
      }
      expect(view.notices).toEqual([`${shown} of 5 matches ${shown === 1 ? "is" : "are"} shown.`]);
    });

    it("gives a long match its place before other passages", () => {
      const long = `tabby cats ${"and after it ".repeat(20)}`;
      const view = viewPage(markdown(text), { find: long, maxChars: 1_000 });
      expect(view.pieces.length).toBe(2);
      for (const piece of view.pieces) expect(piece.text).toContain(long.trim());
    });

    it("leaves the label out before it cuts the match, and says when it cuts", () => {
      const bare = viewPage(markdown(text), { find: "tabby cats", maxChars: 16 });
      expect(bare.text).toContain("tabby cats");
      expect(bare.pieces[0]?.label).toBeUndefined();
      const cut = viewPage(markdown(text), { find: "tabby cats", maxChars: 7 });
      expect(cut.text).toMatch(/^tabby/);
      expect(cut.text.length).toBeLessThanOrEqual(7);
      expect(cut.notices).toEqual(["1 of 5 matches is shown, cut short by the limit."]);
      const last = viewPage(markdown(section(0)), { find: "tabby cats", maxChars: 7 });
      expect(last.notices).toEqual(["The only match is shown, cut short by the limit."]);
      expect(last.next).toBeUndefined();
    });

    it("counts bytes, not characters, where they differ", () => {
      const page = markdown(`${"猫は日向で眠る。".repeat(60)}needle${"犬は庭で遊ぶ。".repeat(60)}`);
      const view = viewPage(page, { find: "needle", maxChars: 9_000, maxBytes: 300 });
      expect(view.text).toMatch(/眠る。needle犬は/);
      expect(Buffer.byteLength(view.text)).toBeLessThanOrEqual(300);
      expect(Buffer.byteLength(view.text)).toBeGreaterThan(250);
    });

    it("shows what follows a heading that matches, though its paragraph does not fit", () => {
      const view = viewPage(markdown(`## Proxy\n\n${"how it works ".repeat(100)}\n`), { find: "proxy", maxChars: 300 });
      expect(view.text).toMatch(/## Proxy\n\nhow it works how/);
    });
  });

  it("shows every match once when read on, each whole, and counts those it shows", () => {
    const filler = fc.constantFrom(
      "plain words here. ",
      "\n\n",
      "\n",
      "# head\n\n",
      "```\ncode\n```\n",
      "日本語。",
      "😀 ",
    );
    const part = fc.tuple(fc.array(filler, { maxLength: 30 }), fc.constantFrom("needle", "needleneedle", ""));
    const pages = fc.array(part, { maxLength: 12 }).map((parts) => parts.map(([words, end]) => words.join("") + end));
    fc.assert(
      fc.property(
        pages,
        fc.integer({ min: 6, max: 900 }),
        fc.integer({ min: 6, max: 900 }),
        fc.boolean(),
        (parts, maxChars, maxBytes, asText) => {
          const text = parts.join("");
          const page: PageText = asText ? { text, outline: [], format: "text" } : markdown(text);
          const starts = findMatches(text, "needle", 0, text.length)?.matches.map((match) => match.start) ?? [];
          for (let offset: number | undefined = 0, seen = 0; offset !== undefined && starts.length > 0; ) {
            const view = viewPage(page, { find: "needle", offset, maxChars, maxBytes });
            const covered = Number(/^(\d+) of/.exec(view.notices[0] ?? "")?.[1] ?? view.found);
            expect(view.found).toBe(starts.length - seen);
            for (const start of starts.slice(seen, seen + covered)) {
              expect(view.pieces.some((piece) => piece.start <= start && start + 6 <= piece.end)).toBe(true);
            }
            seen += covered;
            expect(view.next?.offset).toBe(starts[seen]);
            expect(view.text.length).toBeLessThanOrEqual(maxChars);
            expect(Buffer.byteLength(view.text)).toBeLessThanOrEqual(maxBytes);
            offset = view.next?.offset;
          }
        },
      ),
      { numRuns: 500 },
    );
  });

  it("takes neither the next heading along nor a heading without its text", () => {
    const page = markdown(
      "# Book\n\nA needle here.\n\n## Next\n\nmore\n\n## Nail\n\n### Inner\n\ntext\n\n## Last\n\nend\n",
    );
    expect(viewPage(page, { find: "needle", maxChars: 2_000 }).pieces[0]?.text).toBe("# Book\n\nA needle here.\n\n");
    expect(viewPage(page, { find: "Nail", maxChars: 2_000 }).pieces[0]?.text).toBe("## Nail\n\n### Inner\n\ntext\n\n");
  });

  it("shows the neighbours of a line of data, under the name of the line's own section", () => {
    const lines = Array.from({ length: 20 }, (_, index) => `"key${index}": ${index},`);
    const text = lines.join("\n");
    const outline = lines.map((line, index) => {
      const start = text.indexOf(line);
      return { number: `${index + 1}`, level: 1, title: `key${index}`, start, end: start + line.length + 1 };
    });
    const [piece] = viewPage({ text, outline, format: "text" }, { find: "key10", maxChars: 900 }).pieces;
    expect(piece?.text).toBe(lines.slice(7, 14).join("\n"));
    expect(piece?.label).toMatch(/^11 key10, /);
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

  it.each([
    ["one endless paragraph", `needle ${"word ".repeat(4_000)}`.repeat(400)],
    ["blank lines without end", `needle${"\n".repeat(20_000)}`.repeat(400)],
    ["spaces without end", `needle${" ".repeat(20_000)}`.repeat(400)],
    ["combining marks without end", `needle${"\u0301".repeat(20_000)}`.repeat(400)],
    ["as many headings as there are", `# needle\n\n`.repeat(10_000)],
    ["as many code blocks as there are", "```\nneedle\n```\n".repeat(100_000)],
  ])("stays linear on %s", (_, text) => {
    const page = markdown(text);
    const started = performance.now();
    for (const format of ["markdown", "text"] as const) {
      for (const maxBytes of [100, 11_000, 1e9])
        viewPage({ ...page, format }, { find: "needle", maxChars: 1e9, maxBytes });
    }
    expect(performance.now() - started).toBeLessThan(2_000);
  });
});
