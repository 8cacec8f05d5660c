import { attribute, type Node, type Tree } from "../tree.js";
import { admonitionKind } from "./roles.js";
import { isLayout, shapeOf } from "./table-shape.js";
import { textOf } from "./text-of.js";
import type { ElementWriter, MarkdownWriter } from "./writer.js";

const MAX_TITLE_CHARS = 80;
const TITLE_NODES = 12;
const FRAME = /^(?:div|aside|section|blockquote|article|p|details|figure)$/;
const KIND_ATTRIBUTES = ["data-panel-type", "data-callout-type", "data-callout", "data-type"] as const;

/** A quote that begins with the admonition's name; one with code or tables inside stays unquoted, to be copied. */
export const admonition: ElementWriter = {
  enter(writer, node) {
    writer.endBlock();
    if (isQuotable(writer, node)) writer.output.openQuote();
    if (!showsTitle(writer, node)) writer.block(`**${kindOf(node)}**`);
    return false;
  },
  leave(writer, node) {
    writer.endBlock();
    if (isQuotable(writer, node)) writer.output.close();
  },
};

export function isAdmonition(writer: MarkdownWriter, node: Node): boolean {
  if (writer.isInCell || !FRAME.test(node.tag.name) || isWithin(node)) return false;
  return kindOf(node) !== "" || showsTitle(writer, node);
}

function kindOf(node: Node): string {
  const named = KIND_ATTRIBUTES.map((name) => attribute(node, name)).find((value) => value !== undefined);
  return admonitionKind(`${named ?? ""} ${node.className}`);
}

/** Parts of an admonition carry its class names too: only the outermost is one. */
function isWithin(node: Node): boolean {
  return /admonition|alert|callout|custom-block|notecard|information-macro/i.test(node.parent?.className ?? "");
}

function isQuotable({ request: { tree, gone } }: MarkdownWriter, root: Node): boolean {
  for (let at = root.index + 1; at < root.end; at++) {
    const node = tree.nodes[at];
    if (node?.tag.name === "pre" || (node?.tag.name === "table" && !isFrame(tree, gone, node))) return false;
  }
  return true;
}

/** AsciiDoctor sets an admonition's icon and its text side by side in a table. */
const isFrame = (tree: Tree, gone: Uint8Array, table: Node): boolean =>
  isLayout(tree, table, shapeOf(tree, gone, table));

/** True when the admonition shows a title itself, or its text begins with the name of its kind. */
function showsTitle({ request: { tree, gone } }: MarkdownWriter, root: Node): boolean {
  const kind = kindOf(root).toLowerCase();
  if (kind !== "" && textOf(tree, gone, root, MAX_TITLE_CHARS).toLowerCase().startsWith(kind)) return true;
  for (let at = root.index + 1; at < Math.min(root.end, root.index + TITLE_NODES); at++) {
    const node = tree.nodes[at];
    if (node === undefined || node.text !== "" || gone[at] === 1) continue;
    const isTitle = node.tag.headingLevel > 0 || /title|heading|label/i.test(node.className);
    if (isTitle && textOf(tree, gone, node, MAX_TITLE_CHARS) !== "") return true;
  }
  return false;
}
