import { extract } from "postern/extract";
import { describe, expect, it } from "vitest";
import { faultsOf } from "./sound.js";

const URL_OF_PAGE = "https://kettle.example/a/b";
const SENTENCE = "Tea is made by pouring hot water over the cured leaves of a shrub that grows in the hills. ";
const MODES = ["main", "full"] as const;

/** CPU time, which other tests beside this one do not lengthen; the better of two, since garbage is collected in some. */
function cpuMs(html: string, mode: (typeof MODES)[number] = "main"): number {
  const times = [1, 2].map(() => {
    const before = process.cpuUsage();
    extract(html, { mode, url: URL_OF_PAGE });
    const { user, system } = process.cpuUsage(before);
    return (user + system) / 1_000;
  });
  return Math.min(...times);
}

const faults = (html: string): readonly string[] =>
  MODES.flatMap((mode) => faultsOf(extract(html, { mode, url: URL_OF_PAGE })).map((fault) => `${mode}: ${fault}`));

/** Something of everything, so that each place where a page can end is met. */
const PAGE = `<!doctype html><html lang="en"><head><title>Te&amp;a</title><meta name="author" content='Rosa'>
<style>.x > p:not(.y) { display: none; background: url("a;b") } @media print { p { color: red } }</style>
<script type="application/ld+json">{"@type":"Article","headline":"T","author":[{"name":"R"}]}</script></head>
<body class="a b"><!-- c --><nav><a href="/x?a=1&amp;b">M</a></nav><main><h1 id="t">Tea &eacute; &#x1F375; <![CDATA[x]]></h1>
<p hidden style="color:#fff">h</p><p>a <b>b <i>c</b> d</i> <code>\`e\`</code><br/>f<img src="data:image/png;base64,AAAA" alt="g"></p>
<ul><li>h<ol start=3><li>i</ul><table><caption>j</caption><tr><th rowspan=2>k<td>l|m<tr><td><pre><span class="hljs-k">n</span>
o</pre></table><dl><dt>p<dd>q</dl><svg viewBox="0 0 1 1"><title>r</title><foreignObject><p>s</p></foreignObject></svg>
<math><mfrac><mi>t</mi><mn>2</mn></mfrac></math><template><p>u</p></template><noscript><p>v</p></noscript><select><option>w</select>
<blockquote>x<footer>y</footer></blockquote><details><summary>z</summary>1</details><ruby>2<rt>3</ruby><time datetime="2024-03-05">4</time>
</main></body></html>`;

describe("a page that ends anywhere", () => {
  it("is read as far as it goes", () => {
    for (let end = 0; end <= PAGE.length; end++) expect(faults(PAGE.slice(0, end)), PAGE.slice(0, end)).toEqual([]);
  });

  it("or begins anywhere", () => {
    for (let start = 0; start <= PAGE.length; start++) expect(faults(PAGE.slice(start)), PAGE.slice(start)).toEqual([]);
  });
});

const repeat = (text: string, chars: number): string => text.repeat(Math.max(1, Math.floor(chars / text.length)));
const numbered = (chars: number, one: (n: number) => string): string => {
  const parts: string[] = [];
  for (let length = 0; length < chars; ) length += parts[parts.push(one(parts.length)) - 1]?.length ?? chars;
  return parts.join("");
};

/** Pages of about `chars` characters. */
const SHAPES: Readonly<Record<string, (chars: number) => string>> = {
  NULs: (chars) => repeat("a\0b <p\0>\0</p\0>", chars),
  "halves of surrogate pairs": (chars) => repeat("\ud83d<p title=\udc00>\ude00</p><a href='\ud83d'>x</a>", chars),
  "elements in each other": (chars) => repeat("<div>", chars) + SENTENCE,
  "unknown elements in each other": (chars) => repeat("<x-a>", chars) + SENTENCE,
  "everything unclosed": (chars) => repeat("<div><p><ul><li><table><tr><td><b><i><a href=/x>text ", chars),
  "end tags alone": (chars) => repeat("</div></p></b></table></a></li>", chars),
  "formatting that overlaps": (chars) => repeat("<b><i><p>x</b></i></p>", chars),
  "tables that overlap": (chars) => repeat("<table><b>x<tr><i>y<td>z</table></b>", chars),
  "one line": (chars) => repeat(SENTENCE, chars),
  "an attribute twice": (chars) => repeat('<p id=a id=b class=c class="d" style=x style=y>x', chars),
  "attributes on one element": (chars) => `<p ${numbered(chars, (n) => `a${n}=1 `)}>x`,
  "one attribute many times": (chars) => `<p ${repeat("class=a ", chars)}>x`,
  "a long class and style": (chars) =>
    `<p class="${repeat("a ", chars / 2)}" style="${repeat("color:red;", chars / 2)}">x`,
  "a long address": (chars) => `<a href="/${repeat("%20a b(", chars)}">x</a>`,
  "a long alternative text": (chars) => `<img src=x alt="${repeat("*_[]` ", chars)}">`,
  "a data address": (chars) => `<p>x<img src="data:image/png;base64,${repeat("A", chars)}">`,
  "many sources": (chars) => `<img srcset="${repeat("a 1x, ", chars)}">`,
  "HTML in SVG": (chars) => repeat("<svg><g><p>x</p><desc><div>y</div></desc></g></svg>", chars),
  "SVG in SVG": (chars) => `${repeat("<svg><g>", chars)}x`,
  "HTML in foreignObject": (chars) => repeat("<svg><foreignObject><p>x", chars),
  "HTML in MathML": (chars) =>
    repeat('<math><annotation-xml encoding="text/html"><p>y</p></annotation-xml></math>', chars),
  "MathML in MathML": (chars) => `${repeat("<math><mrow><msup>", chars)}x`,
  "fractions unclosed": (chars) => `<math>${repeat("<mfrac><mi>a</mi>", chars)}`,
  "templates in templates": (chars) => repeat("<template><p>x", chars) + SENTENCE,
  "references to characters": (chars) => repeat("&amp;&#x1F600;&lt;", chars),
  "references to nothing": (chars) => repeat("&#xfffffff;&nosuch;&#;&", chars),
  ampersands: (chars) => repeat("&", chars),
  "class names": (chars) => numbered(chars, (n) => `<p class="c${n} d${n}">x`),
  "class names and rules": (chars) =>
    `<style>${numbered(chars / 2, (n) => `.c${n}{display:none}`)}</style>${numbered(chars / 2, (n) => `<p class="c${2 * n}">x`)}`,
  "media rules in each other": (chars) => `<style>${repeat("@media print{", chars)}`,
  "negations in rules": (chars) =>
    `<style>${repeat("p:not(:not(.a)){display:none}", chars / 2)}</style>${repeat("<p>x", chars / 2)}`,
  "custom properties": (chars) => `<style>${repeat(".a{--x:var(--x)}", chars)}</style><p class=a>x`,
  "hiding styles": (chars) => repeat('<p style="position:absolute;left:-9999px;color:#fff">x', chars),
  comments: (chars) => repeat("<!-- x --><p>y", chars),
  "comments unclosed": (chars) => repeat("<!--", chars),
  "comments half closed": (chars) => repeat("<!--!>--!", chars),
  "opening brackets": (chars) => repeat("<", chars),
  "tags unclosed": (chars) => repeat("<a", chars),
  "end tags unclosed": (chars) => repeat("</", chars),
  declarations: (chars) => repeat("<!", chars),
  instructions: (chars) => repeat("<?", chars),
  CDATA: (chars) => repeat("<![CDATA[", chars / 2) + repeat("<![CDATA[x]]>", chars / 2),
  quotes: (chars) => `<p a='${repeat("\"'", chars)}`,
  "tables in each other": (chars) => repeat("<table><tr><td>", chars),
  "cells in one row": (chars) => `<table><tr>${repeat("<td>x", chars)}`,
  "rows shorter than the first": (chars) =>
    `<table><tr>${repeat("<td>x", Math.sqrt(chars))}${repeat("<tr><td>y", chars)}`,
  "cells that span": (chars) => `<table>${repeat("<tr><td colspan=1000 rowspan=65534>x", chars)}`,
  columns: (chars) => `<table>${repeat("<colgroup><col><caption>x", chars)}`,
  items: (chars) => `<ul>${repeat("<li>x", chars)}`,
  "lists in each other": (chars) => repeat("<ol><li>x", chars),
  terms: (chars) => `<dl>${repeat("<dt>x<dd>y", chars)}`,
  "quotations in each other": (chars) => repeat("<blockquote>x", chars),
  "lines of code": (chars) => `<pre><code>${repeat("<span class=line><span class=ln>1</span>x</span>\n", chars)}`,
  "code in code": (chars) => `${repeat("<pre><code>", chars)}x`,
  "backticks in code": (chars) => `<p>${repeat("<code>`</code>", chars / 2)}<code>${repeat("`", chars / 2)}</code>`,
  "emphasis in emphasis": (chars) => `${repeat("<em><strong>", chars)}*`,
  "links in links": (chars) => repeat("<a href=/x>y", chars),
  "headings in each other": (chars) => repeat("<h1><div>", chars),
  formulas: (chars) => repeat("<p>\\(x^2\\) $$y$$", chars),
  "white space": (chars) => `<p>${repeat("<b> \n</b>&nbsp; ", chars)}x`,
  "what is not text": (chars) =>
    repeat("<script>x</script><style>y</style><textarea>z</textarea><title>t</title>", chars),
  "scripts unclosed": (chars) => repeat("<script>", chars),
  "frames and controls": (chars) => repeat("<iframe><select><option>x<button>y<form><input>", chars),
  "plain text to the end": (chars) => `<plaintext>${repeat("<p>x", chars)}`,
  "documents in documents": (chars) => repeat("<html><head><body>x", chars),
  "roots of applications": (chars) => `${'<div id="root">'.repeat(500)}${repeat("<i></i>", chars)}x`,
  bases: (chars) => repeat("<base href=/x>", chars),
  "labels and identities": (chars) => repeat("<p id=a aria-labelledby=a headers='a b' aria-hidden=true>x", chars),
  "dates and names": (chars) =>
    `<h1>x</h1>${repeat("<p class=author>By Rosa <time datetime=2024-03-05>5</time>", chars)}`,
  "JSON-LD": (chars) => `<script type="application/ld+json">${repeat('{"a":["\\"', chars)}</script><p>x`,
  "items of microdata": (chars) => repeat("<div itemscope itemprop=author itemtype=x>", chars),
};

describe("any shape", () => {
  it.each(Object.entries(SHAPES))("of %s is read soundly, in time linear in its length", (_name, shape) => {
    expect(faults(shape(10_000))).toEqual([]);
    const short = Math.max(cpuMs(shape(30_000)), 4);
    // Four times the input: quadratic code would take sixteen times the time.
    expect(cpuMs(shape(120_000))).toBeLessThan(short * 10);
  });
});

describe("a page of great size", () => {
  it.each<readonly [string, () => string]>([
    ["a line of 10 MB", () => SENTENCE.repeat(107_000)],
    ["100,000 elements in each other", () => "<div>".repeat(100_000) + SENTENCE],
    [
      "2,000 tables in each other",
      () => "<table><tr><td>x</td><td>".repeat(2_000) + "</td></tr></table>".repeat(2_000),
    ],
    ["100,000 attributes", () => `<p ${numbered(1_000_000, (n) => `a${n}=1 `)}>x`],
    ["1,000,000 references to characters", () => "&amp;".repeat(1_000_000)],
    ["50,000 class names", () => numbered(1_000_000, (n) => `<p class=c${n}>x`)],
    ["1,000,000 opening brackets", () => "<".repeat(1_000_000)],
    ["100,000 items", () => `<ul>${"<li>x".repeat(100_000)}`],
    ["a comment of 5 MB", () => `<!--${"- >".repeat(1_700_000)}`],
    ["a value of 5 MB", () => `<p title="${"a ".repeat(2_500_000)}">x`],
    ["a table of 5 MB", () => `<table>${"<tr><td>cell <b>x</b></td><td>y</td></tr>".repeat(120_000)}</table>`],
  ])("such as %s is read in seconds", (_name, make) => {
    const html = make();
    // A second or less on an idle machine; quadratic code takes minutes.
    expect(cpuMs(html)).toBeLessThan(8_000);
    expect(faultsOf(extract(html))).toEqual([]);
  });
});
