import type { Nodes, PhrasingContent, Root, RootContent } from "mdast";
import { fromMarkdown } from "mdast-util-from-markdown";
import { gfmFromMarkdown } from "mdast-util-gfm";
import { gfm } from "micromark-extension-gfm";
import {
  type Atom,
  address,
  block,
  characters,
  collapse,
  imageValue,
  type MarkName,
  type Marks,
  type Structure,
  type Target,
} from "./structure.js";

/** The document that a CommonMark and GFM parser reads. */
export function parseMarkdown(markdown: string): Root {
  return fromMarkdown(markdown, { extensions: [gfm()], mdastExtensions: [gfmFromMarkdown()] });
}

export function markdownStructure(markdown: string): readonly Structure[] {
  return parseMarkdown(markdown).children.flatMap((node) => blockStructure(node, markdown));
}

function blockStructure(node: RootContent, markdown: string): readonly Structure[] {
  const inner = (children: readonly RootContent[]): readonly Structure[] =>
    children.flatMap((child) => blockStructure(child, markdown));
  const line = (children: readonly PhrasingContent[]): readonly Atom[] =>
    collapse(atomsOf(children, markdown, new Map()));
  switch (node.type) {
    case "paragraph":
      return [block("paragraph", "", { line: line(node.children) })];
    case "heading":
      return [block("heading", String(node.depth), { line: line(node.children) })];
    case "list":
      return [block("list", node.ordered === true ? String(node.start) : "", { children: inner(node.children) })];
    case "listItem":
      return [
        block("item", typeof node.checked === "boolean" ? String(node.checked) : "", {
          children: inner(node.children),
        }),
      ];
    case "blockquote":
      return [block("quote", "", { children: inner(node.children) })];
    case "code":
      return [block("code", `${node.lang ?? ""}\n${node.value}`)];
    case "thematicBreak":
      return [block("rule", "")];
    case "table":
      return [block("table", "", { children: inner(node.children) })];
    case "tableRow":
      return [block("row", "", { children: inner(node.children) })];
    case "tableCell":
      return [block("cell", "", { line: line(node.children) })];
    case "footnoteDefinition":
      return [block("note", node.identifier, { children: inner(node.children) })];
    default:
      return [block(node.type, "")];
  }
}

function atomsOf(nodes: readonly PhrasingContent[], markdown: string, marks: Marks, link?: Target): readonly Atom[] {
  return nodes.flatMap((node): readonly Atom[] => {
    const marked = (mark: MarkName, children: readonly PhrasingContent[]): readonly Atom[] =>
      atomsOf(children, markdown, new Map([...marks, [mark, undefined]]), link);
    switch (node.type) {
      case "text":
        return characters(node.value, "character", marks, link);
      case "inlineCode":
        return characters(node.value, "code", marks, link);
      case "break":
        return [{ type: "break", value: "", marks, link }];
      case "strong":
        return marked("strong", node.children);
      case "emphasis":
        return marked("em", node.children);
      case "delete":
        return marked("del", node.children);
      case "link":
        // An address that GFM makes a link of is still the text that it was.
        return atomsOf(
          node.children,
          markdown,
          marks,
          isWritten(node, markdown) ? { address: address(node.url) } : undefined,
        );
      case "image":
        return [{ type: "image", value: imageValue(node.alt ?? "", node.url), marks, link }];
      case "footnoteReference":
        return [{ type: "reference", value: node.identifier, marks, link }];
      case "html":
        // The line breaks of a table's cell.
        return [
          {
            type: node.value === "<br>" ? "break" : "html",
            value: node.value === "<br>" ? "" : node.value,
            marks,
            link,
          },
        ];
      default:
        return [{ type: "html", value: node.type, marks, link }];
    }
  });
}

function isWritten(node: Nodes, markdown: string): boolean {
  return node.position !== undefined && markdown.charAt(node.position.start.offset ?? 0) === "[";
}
