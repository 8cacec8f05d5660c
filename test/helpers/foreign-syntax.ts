import type { Nodes, Root } from "mdast";
import { parseMarkdown } from "./markdown-structure.js";

/** How the writer begins what it writes; anything else that a parser finds was text of the page. */
const WRITTEN_AS: Readonly<Record<string, RegExp>> = {
  heading: /^#/,
  code: /^```/,
  thematicBreak: /^(?:---|___|\*\*\*)$/,
  emphasis: /^\*/,
  strong: /^\*\*/,
  delete: /^~~/,
  link: /^(?:\[|https?:|www\.|\S+@)/i,
  image: /^!\[/,
  table: /^\|/,
  html: /^<br>$/,
  listItem: /^(?:[-*] |\d{1,9}[.)] )/,
};
const NEVER_WRITTEN = new Set(["definition", "linkReference", "imageReference"]);

/** What a parser reads in the Markdown that its writer cannot have meant; nothing when all is well. */
export function foreignSyntax(markdown: string): readonly string[] {
  const root = parseMarkdown(markdown);
  const complaints: string[] = [];
  let letters = "";
  for (const node of descendants(root)) {
    const source =
      node.position === undefined ? "" : markdown.slice(node.position.start.offset, node.position.end.offset);
    const isForeign = NEVER_WRITTEN.has(node.type) || WRITTEN_AS[node.type]?.test(source) === false;
    if (isForeign && source !== "") complaints.push(`${node.type}: ${source.slice(0, 80)}`);
    letters += lettersOf(node, source);
  }
  const missing = difference(lettersIn(markdown.replace(/(?<!\\)&amp;/g, "&")), lettersIn(letters));
  return missing === "" ? complaints : [...complaints, missing];
}

function* descendants(root: Root): Generator<Nodes> {
  const open: Nodes[] = [root];
  for (let node = open.pop(); node !== undefined; node = open.pop()) {
    yield node;
    if ("children" in node) open.push(...[...node.children].reverse());
  }
}

/** All that a node adds to the letters of its document, in any order. */
function lettersOf(node: Nodes, source: string): string {
  switch (node.type) {
    case "text":
    case "inlineCode":
    case "html":
      return node.value;
    case "code":
      return `${node.lang ?? ""}${node.meta ?? ""}${node.value}`;
    case "link":
      return source.startsWith("[") ? node.url : "";
    case "image":
      return `${node.alt ?? ""}${node.url}`;
    case "footnoteReference":
    case "footnoteDefinition":
      return node.label ?? "";
    case "listItem":
      return node.checked === true ? "x" : "";
    default:
      return "";
  }
}

/** Letters alone: numbers of items are no part of a parsed document, signs are what escapes are about. */
const lettersIn = (text: string): string => [...text.replace(/\P{L}+/gu, "")].sort().join("");

function difference(wanted: string, found: string): string {
  return wanted === found ? "" : `letters: ${wanted.length} written, ${found.length} read`;
}
