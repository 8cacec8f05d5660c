import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { brotliDecompressSync } from "node:zlib";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { documentTree } from "../../../test/helpers/document-arbitrary.js";
import { documentHtml } from "../../../test/helpers/document-html.js";
import { foreignSyntax } from "../../../test/helpers/foreign-syntax.js";
import { markdownStructure } from "../../../test/helpers/markdown-structure.js";
import { structureDifference } from "../../../test/helpers/structure-difference.js";
import { treeStructure } from "../../../test/helpers/tree-structure.js";
import { extract } from "../extract.js";

const markdownOf = (html: string): string => extract(html, { mode: "full", images: "link" }).markdown;

describe("the Markdown of any document", () => {
  test("parses back to the document's structure", () => {
    fc.assert(
      fc.property(documentTree, (tree) => {
        const markdown = markdownOf(documentHtml(tree));
        const difference = structureDifference(treeStructure(tree), markdownStructure(markdown));
        expect([markdown, difference]).toEqual([markdown, ""]);
      }),
      { seed: 1, numRuns: 1_000 },
    );
  }, 60_000);
});

/** What people write that has the characters of syntax and none of its meaning. */
const PROSE = [
  "snake_case and _private, but 2 * 3 = 6 and 5*",
  "a < b, x<y and i<n; R&D, AT&T & co; 3 > 2",
  "[text] alone, arr[0], [1] and (see [2])",
  "C:\\path\\to, \\d+ and a back\\slash",
  "~5 minutes and ~10 metres",
  "Fish + chips - salt = 3.50 # each",
  "It`s one tick, a | pipe, $5 and $6, 100%!",
  "Version 1.2.3 of 1. January: 10) is not first",
  "https://example.org/a_b/*c*/_d_e and www.example.org/~tea",
  "mail tea_pot@example.org, see @tea and #tea",
  "f(*args, **kwargs), *.js and !important: {a: 1}",
  "A line - with dashes -- and --- more",
];

describe("prose", () => {
  test.each(PROSE)("keeps its characters: %s", (text) => {
    const html = text.replaceAll("&", "&amp;").replaceAll("<", "&lt;");
    expect(markdownOf(`<p>${html}</p>`)).toBe(text);
  });

  test.each(["1. First steps", "- Dash", "> More", "+ Plus", "--"])("has no lines in a heading: %s", (text) => {
    expect(markdownOf(`<h2>${text.replace(">", "&gt;")}</h2>`)).toBe(`## ${text}`);
  });
});

/** What has been read as something else once. */
const FAULTS: readonly (readonly [why: string, html: string, markdown: string])[] = [
  ["a mark gives up punctuation", "<p><b>Note:</b>text, <b>茶「</b>茶</p>", "**Note**:text, **茶**「茶"],
  ["a mark that cannot open is left out", "<p>hot<i>!</i>tea</p>", "hot!tea"],
  ["a mark inside a word stays", "<p>un<b>believ</b>able</p>", "un**believ**able"],
  ["a mark that would end another is left out", "<p><i>a <b>b</b></i><b>c</b></p>", "*a **b***c"],
  ["text that equals a mark is none", "<p>2 **<b>bold</b></p>", "2 \\*\\***bold**"],
  ["stars of two texts would pair", "<p>*<span>a</span>*</p>", "\\*a\\*"],
  ["a bracket before what a link is", "<p>[a]<ruby><rt>b</rt></ruby></p>", "[a\\](b)"],
  ["a label before a parenthesis", '<p><img alt="Red clay" src="x:">(hot)</p>', "[image: Red clay]\\(hot)"],
  ["code that touches code", "<p><code>a</code><code>b</code></p>", "`ab`"],
  ["keys that touch", "<p><kbd>Ctrl</kbd><kbd>C</kbd></p>", "`Ctrl` `C`"],
  ["code of ticks at a line's start", "<p><code>``</code></p>", "``` `` ```"],
  ["a rule of stars below a break", "<p>a<br>***</p>", "a  \n\\*\\*\\*"],
  ["an underline below a break", "<p>a<br>=</p><p>b<br>--</p>", "a  \n\\=\n\nb  \n\\--"],
  ["a table below a break", "<p>a | b<br>--|--</p>", "a | b  \n\\--|--"],
  ["an item in bold below a break", "<p><b>a<br>- b</b></p>", "**a  \n\\- b**"],
  ["a definition", "<p>[tea]: hot</p>", "[tea\\]: hot"],
  ["a note", "<p>[^1]: hot</p>", "\\[^1]: hot"],
  ["a task", "<ul><li>[x] done</li></ul>", "- \\[x] done"],
  ["a heading that ends in a sign", "<h2>C #</h2><h2>C#</h2>", "## C \\#\n\n## C#"],
  ["an open tag at a line's start", "<p>&lt;div</p><p>a &lt;b and c> d</p>", "\\<div\n\na \\<b and c> d"],
  ["an address before a placeholder", "<p>https://example.org/&lt;id></p>", "https\\://example.org/\\<id>"],
  [
    "an address before text that is no bold",
    "<h2>www.example.org<b>tea</b><code>x</code></h2>",
    "## www\\.example.orgtea`x`",
  ],
  ["an address before bold", "<p>https://example.org/<b>id</b>x</p>", "https\\://example.org/**id**x"],
  [
    "a reference in an address",
    '<p><a href="https://example.org/?a=1&amp;lt;=2">a</a></p>',
    "[a](https://example.org/?a=1&amp;lt;=2)",
  ],
  ["a tick in an address", '<p><a href="https://example.org/?`">a</a>`</p>', "[a](https://example.org/?%60)`"],
  [
    "a backslash before a pipe in a cell",
    "<table><tr><th>a\\|b<td>c|d</table>",
    "| a\\\\\\|b | c\\|d |\n| --- | --- |",
  ],
  ["a star below a break in a cell", "<table><tr><th>a<br>* <b>b</b></table>", "| a<br>\\* **b** |\n| --- |"],
];

describe("what looked like syntax", () => {
  test.each(FAULTS)("%s", (_why, html, markdown) => {
    expect(markdownOf(html)).toBe(markdown);
  });
});

/** Data that is not ours to publish: read where it lies, skipped where it does not. */
const PAGES = join(process.env.POSTERN_SHARED ?? join(process.cwd(), "../shared"), "data/extraction/dev/wcxb/html");
const SAMPLE = 30;
const pages = existsSync(PAGES) ? readdirSync(PAGES).sort() : [];

describe.skipIf(pages.length === 0)("the Markdown of real pages (skipped: no shared data here)", () => {
  test("holds no syntax but the writer's own", () => {
    for (const page of pages.filter((_, index) => index % SAMPLE === 0)) {
      const { markdown } = extract(brotliDecompressSync(readFileSync(join(PAGES, page))).toString(), { mode: "full" });
      expect([page, ...foreignSyntax(markdown)]).toEqual([page]);
    }
  }, 60_000);
});
