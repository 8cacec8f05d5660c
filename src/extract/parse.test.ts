import { describe, expect, test } from "vitest";
import { parse } from "./parse.js";
import { TEXT } from "./tags.js";
import { attribute, type Node } from "./tree.js";

/** The content of `body` as `name(…)` and texts in quotes. */
function shape(html: string): string {
  const { nodes } = parse(`<!doctype html><body>${html}`);
  const open: Node[] = [];
  let written = "";
  const closeBefore = (at: number): void => {
    for (let top = open.at(-1); top !== undefined && top.end <= at; top = open.at(-1)) {
      written += ")";
      open.pop();
    }
  };
  for (const node of nodes) {
    closeBefore(node.index);
    if (node.depth < 3) continue;
    if (written !== "" && !written.endsWith("(")) written += " ";
    if (node.tag === TEXT) written += `"${node.text.trim()}"`;
    else {
      written += node.tag.name;
      if (node.end > node.index + 1) {
        written += "(";
        open.push(node);
      }
    }
  }
  closeBefore(nodes.length);
  return written;
}

describe("tree construction", () => {
  test.each([
    ["implied end tags", "<ul><li>a<li>b</ul><p>c<div>d</div>", 'ul(li("a") li("b")) p("c") div("d")'],
    ["an end tag of a list item stays in its list", "<ul><li>a<ul></li><li>b</ul></ul>", 'ul(li("a" ul(li("b"))))'],
    ["a stray end of a paragraph is a paragraph", "a</p>b", '"a" p "b"'],
    ["a button keeps the paragraph round it open", "<p>a<button>b</p>c</button>d", 'p("a" button("b" p "c") "d")'],
    ["a form in a form is ignored", "<form>a<div><form>b</div>c</form>d", 'form("a" div("b") "c") "d"'],
    ["forms follow each other", "<form>a</form><form>b</form>", 'form("a") form("b")'],
    ["mis-nested formatting keeps blocks apart", "<b>a<p>b</b>c", 'b("a" p("b")) p("c")'],
    ["a cell has a row", "<table><td>a<td>b</table>", 'table(tr(td("a") td("b")))'],
    ["parts of a table are nothing outside one", "<div><td>a<tr>b</div>", 'div("a" "b")'],
    ["a table ends one that is open round it", "<table><table><td>a</table>", 'table table(tr(td("a")))'],
    ["a nested table stands in a cell", "<table><td><table><td>a", 'table(tr(td(table(tr(td("a"))))))'],
  ])("%s", (_name, html, expected) => {
    expect(shape(html)).toBe(expected);
  });

  test.each([
    ["text comes before the table", "<table>a<tr><td>b</td>c</tr></table>d", '"a" "c" table(tr(td("b"))) "d"'],
    ["so do elements, and cells go on", "<table><tr><p>a<td>b</table>", 'p("a") table(tr(td("b")))'],
    ["in the order they had", "<table><tr><i>a</i>b<u>c</u><td>d</table>", 'i("a") "b" u("c") table(tr(td("d")))'],
    ["before the innermost table", "<table><td>a<table>b<td>c</table>", 'table(tr(td("a" "b" table(tr(td("c"))))))'],
    ["forms and scripts stay", "<table><form><tr><td>a</table>", 'table(form tr(td("a")))'],
  ])("what a table cannot hold: %s", (_name, html, expected) => {
    expect(shape(html)).toBe(expected);
  });

  test("nodes are numbered in document order", () => {
    const { nodes, texScripts } = parse('<table>a<tr><td><script type="math/tex">x</script></td>b</table>');
    expect(nodes.map(({ index }) => index)).toEqual(nodes.map((_node, at) => at));
    expect([...texScripts.keys()].map((at) => nodes[at]?.tag.name)).toEqual(["script"]);
    for (const { parent, index, end } of nodes)
      if (parent) expect(parent.index < index && parent.end >= end).toBe(true);
  });

  test("the document has a head and a body", () => {
    const { nodes } = parse("<title>Tea</title><meta name=a><p>x");
    expect(nodes.filter(({ tag }) => tag !== TEXT).map(({ tag, depth }) => `${depth} ${tag.name}`)).toEqual([
      "0 #document",
      "1 html",
      "2 head",
      "3 title",
      "3 meta",
      "2 body",
      "3 p",
    ]);
  });
});

describe("text", () => {
  const textOf = (html: string): string =>
    parse(html)
      .nodes.map(({ text }) => text)
      .join("");

  test.each([
    ["references are decoded", "<p>a &amp; b&nbsp;&#8364; &copy c", "a & b\u00a0\u20ac \u00a9 c"],
    ["not across a comment", "<p>a &am<!-- x -->p; &lt;b", "a &amp; <b"],
    ["not in raw text", "<xmp>&amp;<b></xmp>", "&amp;<b>"],
    ["in titles too", "<title>a &lt; b</title>", "a < b"],
    ["before an attribute with one", '<p>a &lt;<i title="&amp;">b &gt;', "a <b >"],
    ["a lone ampersand is itself", "<p>a & b &unknown; &", "a & b &unknown; &"],
  ])("%s", (_name, html, expected) => {
    expect(textOf(html)).toBe(expected);
  });

  test("its length leaves white space at the ends out", () => {
    const { nodes } = parse("<p>  a &amp; b \n</p><p> c </p>");
    expect(nodes.filter(({ tag }) => tag === TEXT).map(({ inkChars }) => inkChars)).toEqual([5, 1]);
  });
});

describe("attributes", () => {
  test("the first of a name counts, names are in lower case, values are decoded", () => {
    const node = parse(`<body><a HREF="/x?a=1&amp;b=2&copy=3" href=no data-x='"' hidden>`).nodes.at(-1);
    expect(node && attribute(node, "href")).toBe("/x?a=1&b=2&copy=3");
    expect(node && attribute(node, "hidden")).toBe("");
    expect(node && attribute(node, "title")).toBeUndefined();
    expect(node?.attributes).toEqual(["href", "/x?a=1&b=2&copy=3", "href", "no", "data-x", '"', "hidden", ""]);
  });

  test("equal classes are one string", () => {
    const { nodes } = parse('<p class="a b"><p class="a &#98;"><p>');
    expect(nodes.filter(({ tag }) => tag.name === "p").map(({ className }) => className)).toEqual(["a b", "a b", ""]);
  });
});
