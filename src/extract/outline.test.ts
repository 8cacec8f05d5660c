import fc from "fast-check";
import { expect, it } from "vitest";
import { extract } from "./extract.js";

const read = (html: string) => extract(html, { mode: "full" });
const titles = (html: string): readonly string[] => read(html).outline.map(({ level, title }) => `${level} ${title}`);

it.each([
  [
    "their text without marks",
    "<h2>a_b <em>c</em> <a href=/x>d (e)</a> <code>__f__</code> *g* [h] \\ ` #i</h2>",
    ["2 a_b c d (e) __f__ *g* [h] \\ ` #i"],
  ],
  [
    "in lists, at any depth",
    "<ul><li><h3>One</h3>x<ul><li><h4>Two</h4></ul></ul><ol><li><p>x<h3>Three</h3></ol>",
    ["3 One", "4 Two", "3 Three"],
  ],
  ["in definitions", "<dl><dt>t<dd><h3>One</h3></dl>", ["3 One"]],
  [
    "not of a quotation",
    "<h2>One</h2><blockquote><h3>Theirs</h3><pre># no</pre></blockquote><h2>Two</h2>",
    ["2 One", "2 Two"],
  ],
  [
    "not in code",
    "<pre># a\n```\n# b\n````\n# c</pre><ul><li><ul><li><pre># d</pre></ul></ul><p><code># e</code><h2>One</h2>",
    ["2 One"],
  ],
  ["not in text", "<p># a<br># b<br>===<br>---</p><p>1. # c</p><ul><li># d</ul>", []],
  ["after an underline", "<p>a<br>===</p><h1>---</h1>", ["1 ---"]],
])("has headings %s", (_name, html, expected) => {
  expect(titles(html)).toEqual(expected);
});

const word = fc.stringMatching(/^[a-z][a-z_*`#\\0-9]{0,6}[a-z]$/);
const block = fc.oneof(
  fc.record({ level: fc.integer({ min: 1, max: 6 }), words: fc.array(word, { minLength: 1, maxLength: 3 }) }),
  fc.array(fc.constantFrom("# a", "```", "~~~~", "    # b", "- # c", "> # d", "=="), { maxLength: 5 }),
);

it("has every heading of the page, at its place, and nothing else", () => {
  fc.assert(
    fc.property(fc.array(fc.tuple(block, fc.constantFrom("div", "ul", "pre")), { maxLength: 12 }), (blocks) => {
      const expected: string[] = [];
      const html = blocks.map(([content, holder]) => {
        if (Array.isArray(content)) return `<pre>${content.join("\n")}</pre><p>${content.join("<br>")}</p>`;
        const text = content.words.join(" ");
        expected.push(`${content.level} ${text}`);
        const heading = `<h${content.level}>${text}</h${content.level}>`;
        return holder === "ul" ? `<ul><li>${heading}<p>x</p></li></ul>` : heading;
      });
      const { outline, markdown } = read(html.join(""));
      expect(outline.map(({ level, title }) => `${level} ${title}`)).toEqual(expected);
      for (const { start, end, level } of outline) {
        expect(markdown.slice(start, end)).toMatch(new RegExp(`^[-*\\s]*${"#".repeat(level)} `));
      }
    }),
    { numRuns: 200 },
  );
});
