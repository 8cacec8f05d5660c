import { parseDocument } from "htmlparser2";

/** Never part of the text. */
const LEFT_OUT = new Set(
  "script style noscript template nav header footer aside form button select svg iframe title".split(" "),
);
/** A shorter text is not believed to be the page's. */
const MIN_CHARS = 200;
const INLINE = new Set("a abbr b cite code em i kbd mark q s small span strong sub sup time u var".split(" "));

export const name = "main/article";
export const version = "text of `main`, or of the only `article`, or of `body`, without chrome, on htmlparser2";

/** The least that can be done: what any reader has to beat. */
export function read(html) {
  const document = parseDocument(html);
  const elements = [...elementsOf(document)];
  const articles = elements.filter(({ name }) => name === "article");
  const roots = [
    elements.find(({ name, attribs }) => name === "main" || attribs?.role === "main"),
    articles.length === 1 ? articles[0] : undefined,
    elements.find(({ name }) => name === "body"),
    document,
  ];
  for (const root of roots) {
    const text = root === undefined ? "" : textOf(root);
    if (text.length >= MIN_CHARS) return text;
  }
  return textOf(document);
}

function* elementsOf(root) {
  const stack = [root];
  for (let node = stack.pop(); node !== undefined; node = stack.pop()) {
    yield node;
    for (let child = node.lastChild; child; child = child.prev) stack.push(child);
  }
}

function textOf(root) {
  const parts = [];
  const stack = [root];
  for (let node = stack.pop(); node !== undefined; node = stack.pop()) {
    if (node.type === "text") parts.push(node.data);
    if (LEFT_OUT.has(node.name)) continue;
    if (node.name !== undefined && !INLINE.has(node.name)) parts.push("\n");
    for (let child = node.lastChild; child; child = child.prev) stack.push(child);
  }
  return parts
    .join("")
    .replace(/[ \t]+/g, " ")
    .replace(/\s*\n\s*/g, "\n\n");
}
