import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { outlineOf } from "./outline.js";

const titles = (markdown: string): string[] => outlineOf(markdown).map(({ number, title }) => `${number} ${title}`);

describe("outlineOf", () => {
  it("numbers headings as a tree whatever level the page starts at", () => {
    expect(titles("# Guide\n\n## Install\n\n### From npm\n\n## Use\n\n# Notes\n")).toEqual([
      "1 Guide",
      "1.1 Install",
      "1.1.1 From npm",
      "1.2 Use",
      "2 Notes",
    ]);
    expect(titles("## First\n\n#### Deep\n\n### Less deep\n\n# Late title\n")).toEqual([
      "1 First",
      "1.1 Deep",
      "1.2 Less deep",
      "2 Late title",
    ]);
  });

  it("gives a section its subsections", () => {
    const text = "intro\n\n# A\n\nbody\n\n## B\n\nmore\n\n# C\n\nend\n";
    const [a, b, c] = outlineOf(text);
    expect(text.slice(a?.start, a?.end)).toBe("# A\n\nbody\n\n## B\n\nmore\n\n");
    expect(text.slice(b?.start, b?.end)).toBe("## B\n\nmore\n\n");
    expect(text.slice(c?.start, c?.end)).toBe("# C\n\nend\n");
  });

  it("reads setext headings and leaves rules, lists, tables and front matter alone", () => {
    expect(titles("Title\n=====\n\nPart\n----\n\ntext\n\n---\n\n- item\n---\n\n| a |\n---\n")).toEqual([
      "1 Title",
      "1.1 Part",
    ]);
    expect(titles("---\ntitle: Page\n---\n\n# Real\n")).toEqual(["1 Real"]);
    const text = "one\n\ntwo\nlines\n===\n\nrest";
    expect(outlineOf(text)[0]).toMatchObject({ title: "two lines", start: 5, end: text.length });
  });

  it("ignores headings in fenced code, nested and unclosed", () => {
    expect(titles("# A\n\n```sh\n# not one\n```\n\n~~~\n```\n# nor this\n~~~\n\n## B\n")).toEqual(["1 A", "1.1 B"]);
    expect(titles("- step\n\n      ```sh\n      ls\n      ```\n\n# After\n\n````\n```\n# inside\n````\n")).toEqual([
      "1 After",
    ]);
    expect(titles("# A\n\n```\n# swallowed to the end\n")).toEqual(["1 A"]);
    expect(titles("Use ``` code ``` inline\n\n# Still a heading\n")).toEqual(["1 Still a heading"]);
  });

  it("shows titles without Markdown", () => {
    expect(titles("## The `run()` **method** of [Agent](https://example.com/a) #\n")).toEqual([
      "1 The run() method of Agent",
    ]);
    expect(titles("# snake_case_name and 2 \\* 3\n")).toEqual(["1 snake_case_name and 2 * 3"]);
    expect(titles("#hashtag\n\n####### seven\n\n#\n")).toEqual([]);
  });

  it("keeps every section inside its parent, for any text", () => {
    const line = fc.constantFrom("# a", "## b", "### c", "text", "", "```", "~~~~", "===", "---", "- x", "    # code");
    fc.assert(
      fc.property(fc.array(line, { maxLength: 60 }), (lines) => {
        const text = lines.join("\n");
        const byNumber = new Map(outlineOf(text).map((entry) => [entry.number, entry]));
        for (const entry of byNumber.values()) {
          expect(entry.start).toBeLessThan(entry.end);
          expect(entry.end).toBeLessThanOrEqual(text.length);
          const parent = byNumber.get(entry.number.replace(/\.?\d+$/, ""));
          if (parent !== undefined) expect(entry.end).toBeLessThanOrEqual(parent.end);
        }
      }),
    );
  });

  it("stays linear and bounded on hostile input", () => {
    const started = performance.now();
    expect(outlineOf("# a\n".repeat(250_000))).toHaveLength(10_000);
    outlineOf(`# ${"[".repeat(1_000_000)}`);
    outlineOf(`# ${"*_".repeat(500_000)}`);
    outlineOf("- ".repeat(500_000));
    outlineOf("x".repeat(10_000_000));
    expect(performance.now() - started).toBeLessThan(2_000);
  });
});
