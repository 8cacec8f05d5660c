import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { outlineOf } from "./outline.js";
import type { PageText } from "./slice.js";
import { type View, viewPage } from "./view.js";

const markdown = (text: string): PageText => ({ text, outline: outlineOf(text), format: "markdown" });
const plain = (text: string): PageText => ({ text, outline: [], format: "text" });
const paragraph = (word: string, count: number): string => `${`${word} `.repeat(count).trim()}.`;

function readThrough(page: PageText, limits: { maxChars: number; maxBytes?: number }): View[] {
  const views: View[] = [];
  for (let offset: number | undefined = 0; offset !== undefined; ) {
    const view: View = viewPage(page, { ...limits, offset });
    views.push(view);
    offset = view.next?.offset;
    if (views.length > page.text.length + 1) throw new Error("reading on does not end");
  }
  return views;
}

const GUIDE = [
  "# Guide",
  paragraph("alpha", 60),
  "## Install",
  paragraph("beta", 60),
  "```sh\nnpm install thing\n\nnpm test\n```",
  "## Options",
  "| name | value |\n| --- | --- |\n| retries | 3 |\n| timeout | 15 |",
  paragraph("gamma", 60),
  "## Notes",
  paragraph("delta", 60),
  "",
].join("\n\n");

describe("viewPage", () => {
  it("shows a page that fits whole, with nothing else", () => {
    const view = viewPage(markdown(GUIDE), { maxChars: 5_000 });
    expect(view).toMatchObject({ text: GUIDE, range: { start: 0, end: GUIDE.length }, notices: [] });
    expect(view.next).toBeUndefined();
    expect(view.outline).toBeUndefined();
  });

  it("shows the beginning of a longer one, an outline and where to go on", () => {
    const text = `${GUIDE}${paragraph("omega", 600)}\n`;
    const view = viewPage(markdown(text), { maxChars: 3_000 });
    expect(text.startsWith(view.text)).toBe(true);
    expect(view.next).toEqual({ offset: view.text.length });
    expect(view.outline).toMatch(/1\.1 Install/);
    expect(view.text.length + (view.outline ?? "").length).toBeLessThanOrEqual(3_000);
  });

  it("cuts at blocks: no heading alone at the end, code and tables whole", () => {
    for (let maxChars = 450; maxChars < GUIDE.length; maxChars += 7) {
      for (const { text, notices } of readThrough(markdown(GUIDE), { maxChars })) {
        expect(text).not.toMatch(/#+ \w+\s*$/);
        expect((text.match(/```/g) ?? []).length % 2).toBe(0);
        if (/\| retries/.test(text)) expect(text).toMatch(/\| name[\s\S]*\| timeout \| 15 \|/);
        expect(notices).toEqual([]);
      }
    }
  });

  it("says when it must cut inside a code block", () => {
    const text = `# Code\n\n\`\`\`js\n${"call();\n\n".repeat(300)}\`\`\`\n\nend\n`;
    const views = readThrough(markdown(text), { maxChars: 500 });
    expect(views.map((view) => view.text).join("")).toBe(text);
    expect(views[1]?.notices.join()).toMatch(/inside a code block/);
    expect(views[1]?.text.endsWith("\n")).toBe(true);
    expect(views.at(-1)?.notices).toEqual([]);
  });

  it("shows a section by number or heading, sliced when it is longer than the budget", () => {
    const view = viewPage(markdown(GUIDE), { section: "1.2", maxChars: 5_000 });
    expect(view.text.startsWith("## Options")).toBe(true);
    expect(view.text.trimEnd().endsWith("gamma.")).toBe(true);
    expect(view.next).toBeUndefined();

    const first = viewPage(markdown(GUIDE), { section: "install", maxChars: 250 });
    expect(first.next).toBeDefined();
    const second = viewPage(markdown(GUIDE), { section: "install", offset: first.next?.offset, maxChars: 5_000 });
    expect((first.text + second.text).trimEnd().endsWith("```")).toBe(true);
    expect(second.next).toBeUndefined();
  });

  it("names the other sections of the same name by number only", () => {
    const view = viewPage(markdown("# Api\n\none\n\n# Api\n\ntwo\n"), { section: "api", maxChars: 500 });
    expect(view.text).toContain("one");
    expect(view.notices).toEqual(["Section 1 is shown; another section matches too: 2."]);
  });

  it("does not name sections inside the shown one, which are shown", () => {
    const page = markdown("# Proxy\n\none\n\n## Proxy pools\n\ntwo\n\n# Rest\n\n## Proxy\n\n# Proxy\n\nend\n");
    expect(viewPage(page, { section: "proxy", maxChars: 500 }).notices).toEqual([
      "Section 1 is shown; other sections match too: 2.1, 3.",
    ]);
    expect(viewPage(page, { section: "prox", maxChars: 500 }).notices).toEqual([
      "Section 1 is shown; other sections match too: 2.1, 3.",
    ]);
    const nested = markdown("# Http proxy\n\none\n\n## Proxy pools\n\ntwo\n");
    expect(viewPage(nested, { section: "proxy", maxChars: 500 }).notices).toEqual([]);
    const many = markdown("# Api\n\n".repeat(30));
    expect(viewPage(many, { section: "api", maxChars: 500 }).notices).toEqual([
      "Section 1 is shown; other sections match too: 2, 3, 4, 5, 6, 7, 8, 9, 10, 11 and 19 more.",
    ]);
  });

  it("says how long a section is when it is cut", () => {
    const text = `${GUIDE}## Long\n\n${paragraph("omega", 600)}\n\n## After\n\nend\n`;
    const size = text.indexOf("## After") - text.indexOf("## Long");
    const first = viewPage(markdown(text), { section: "Long", maxChars: 1_000 });
    expect(first.notices).toEqual([
      `Section 1.4 has ${size} characters; it is shown up to its character ${first.text.length}.`,
    ]);
    const second = viewPage(markdown(text), { section: "Long", offset: first.next?.offset, maxChars: 1_000 });
    const [from, to] = [first.text.length, first.text.length + second.text.length];
    expect(second.notices).toEqual([`Section 1.4 has ${size} characters; its characters ${from}-${to} are shown.`]);
    expect(viewPage(markdown(text), { section: "Long", maxChars: 9_000 }).notices).toEqual([]);
  });

  it("answers an unknown section with the outline, the page's words kept out of the notice", () => {
    const view = viewPage(markdown(GUIDE), { section: "Optoins", maxChars: 500 });
    expect(view.text).toBe("");
    expect(view.outline).toContain("1.2 Options");
    expect(view.notices).toEqual([
      "No such section; the nearest are 1.2, 1.1. Choose one from the outline by its number.",
    ]);
    expect(viewPage(plain("x"), { section: "a", maxChars: 500 }).notices[0]).toMatch(/no sections/);
  });

  it("shows both ends of long text without an outline and marks the gap", () => {
    const lines = Array.from({ length: 5_000 }, (_, index) => `line ${index}`).join("\n");
    const view = viewPage(plain(lines), { maxChars: 2_000 });
    const [head, tail] = view.pieces;
    expect(view.text.length).toBeLessThanOrEqual(2_000);
    expect(view.text).toContain(`\n[… characters ${head?.end}-${tail?.start} not shown …]\n`);
    expect(view.text.startsWith("line 0\n")).toBe(true);
    expect(view.text.endsWith("\nline 4999")).toBe(true);
    expect(lines[(tail?.start ?? 0) - 1]).toBe("\n");
    expect((head?.text.length ?? 0) / (tail?.text.length ?? 1)).toBeGreaterThan(2);
    expect(view.next).toEqual({ offset: head?.end });
    expect(view.notices).toEqual([`The middle is left out (characters ${head?.end}-${tail?.start}).`]);
    expect(view.range).toBeUndefined();
  });

  it.each([
    [-5, 0, /0 or more/],
    [Number.NaN, 0, /0 or more/],
    [7.9, 7, undefined],
    [6, 5, undefined],
  ])("reads offset %d as %d", (offset, start, notice) => {
    const view = viewPage(plain("abcde😀fghij"), { offset, maxChars: 100 });
    expect(view.range?.start).toBe(start);
    if (notice === undefined) expect(view.notices).toEqual([]);
    else expect(view.notices[0]).toMatch(notice);
  });

  it.each([11, 12, 1e9, Number.POSITIVE_INFINITY])("answers offset %d past the end with the length", (offset) => {
    const view = viewPage(plain("hello world"), { offset, maxChars: 100 });
    expect(view).toMatchObject({ text: "", totalChars: 11 });
    expect(view.notices).toEqual(["The offset is past the end: the whole text has 11 characters."]);
  });

  it("shows an empty page as empty", () => {
    expect(viewPage(markdown(""), { maxChars: 100 })).toMatchObject({
      text: "",
      pieces: [],
      totalChars: 0,
      notices: [],
    });
  });

  it("is the whole text when the slices are joined, for any text and budget", () => {
    const piece = fc.oneof(
      fc.string({ unit: "grapheme", maxLength: 40 }),
      fc.constantFrom(
        "\n",
        "\n\n",
        "# h\n\n",
        "```js\n",
        "```\n",
        "~~~\n",
        "| a | b |\n",
        "- x\n",
        "👩‍👩‍👧‍👦",
        "e\u0301",
        "🇫🇷🇩🇪",
        "\r\n",
      ),
    );
    const pages = fc.array(piece, { maxLength: 80 }).map((pieces) => pieces.join(""));
    fc.assert(
      fc.property(
        pages,
        fc.integer({ min: 1, max: 300 }),
        fc.option(fc.integer({ min: 1, max: 400 })),
        (text, maxChars, maxBytes) => {
          const limits = maxBytes === null ? { maxChars } : { maxChars, maxBytes };
          for (const page of [markdown(text), plain(text)]) {
            const views = readThrough(page, limits);
            expect(views.map((view) => view.text).join("")).toBe(text);
            for (const view of views) {
              expect(hasLoneSurrogate(view.text)).toBe(false);
              const oneCharacter = [...view.text].length <= 1;
              expect(view.text.length <= maxChars || oneCharacter).toBe(true);
              expect(Buffer.byteLength(view.text) <= (maxBytes ?? Number.POSITIVE_INFINITY) || oneCharacter).toBe(true);
            }
          }
        },
      ),
      { numRuns: 300 },
    );
  });

  it("never cuts a character in two where the budget holds one", () => {
    const family = "👩‍👩‍👧‍👦";
    const segmenter = new Intl.Segmenter("en", { granularity: "grapheme" });
    for (const { text } of readThrough(plain(family.repeat(50)), { maxChars: 37 })) {
      for (const { segment } of segmenter.segment(text)) expect(segment).toBe(family);
    }
  });

  it("keeps every answer inside its limits and well-formed, whatever is asked", () => {
    const text = `${GUIDE}\n${"emoji 😀 line\n".repeat(400)}`;
    const request = fc.record(
      {
        section: fc.constantFrom("1.2", "Notes", "nothing"),
        find: fc.constantFrom("alpha", "GAMMA", "npm test", "retries timeout", "😀", "zzz"),
        offset: fc.integer({ min: -5, max: 9_000 }),
        maxBytes: fc.integer({ min: 20, max: 5_000 }),
      },
      { requiredKeys: [] },
    );
    fc.assert(
      fc.property(request, fc.integer({ min: 10, max: 4_000 }), fc.boolean(), (rest, maxChars, asText) => {
        const view = viewPage(asText ? plain(text) : markdown(text), { ...rest, maxChars });
        const shown = view.text + (view.outline ?? "");
        expect(shown.length).toBeLessThanOrEqual(maxChars);
        expect(Buffer.byteLength(shown)).toBeLessThanOrEqual(rest.maxBytes ?? Number.POSITIVE_INFINITY);
        expect(hasLoneSurrogate(shown)).toBe(false);
        for (const piece of view.pieces) expect(piece.text).toBe(text.slice(piece.start, piece.end));
        expect(view.notices.join()).not.toMatch(/alpha|gamma|npm|Install|Options/);
        expect(view.notices.join()).not.toMatch(/go on|offset=|next/);
      }),
      { numRuns: 300 },
    );
  });

  it("is quick on a 10 MB line and on pages made of fence marks", () => {
    const line = plain("x".repeat(10_000_000));
    const marks = markdown("a ``` b ~~~ ".repeat(200_000));
    const fences = markdown("```\n".repeat(200_000));
    const started = performance.now();
    for (const page of [line, marks, fences]) {
      viewPage(page, { maxChars: 11_000 });
      viewPage(page, { maxChars: 11_000, offset: 700_000 });
      viewPage(page, { maxChars: 11_000, find: "nowhere" });
      viewPage(page, { maxChars: 11_000, find: "``` b" });
      viewPage(page, { maxChars: 1e9, maxBytes: 1e9, find: "x" });
    }
    expect(performance.now() - started).toBeLessThan(3_000);
  });
});

function hasLoneSurrogate(text: string): boolean {
  return /\p{Cs}/u.test(text);
}
