import type { Node, Tree } from "../tree.js";
import { isAnchor, isAnchorText, isHeadingText } from "./heading-anchor.js";
import { textOf } from "./text-of.js";
import type { ElementWriter, MarkdownWriter } from "./writer.js";

const MAX_ANCHOR_NODES = 8;
const MAX_LABEL_CHARS = 80;
/** More text than this in a link of several blocks is a passage that holds a link, not the link's text. */
const MAX_JOINED_CHARS = 300;
const MAX_JOINED_NODES = 60;
const STRUCTURE = /^(?:ul|ol|dl|table|pre|blockquote|form|hr)$/;

export const link: ElementWriter = {
  enter(writer, node) {
    const { tree, gone, links } = writer.request;
    const href = writer.attribute(node, "href");
    const reference = writer.parts.footnotes.reference(node);
    if (reference !== undefined) {
      writer.inline.raw(reference);
      return true;
    }
    if (writer.parts.footnotes.isWayBack(node) && !isHeadingText(writer, node)) return true;
    const label = node.end - node.index > MAX_ANCHOR_NODES ? undefined : textOf(tree, gone, node, MAX_LABEL_CHARS);
    if (label !== undefined && isAnchor(node, href) && isAnchorText(label) && !holdsImage(tree, node)) return true;
    const address = addressOf(writer, href, label);
    if (address === undefined) {
      writer.inline.open("");
      return false;
    }
    const heading = firstHeading(writer, node);
    if (heading !== undefined) {
      if (!links.isSamePage(address)) writer.linkHeading(heading, address);
      writer.inline.open("");
      return false;
    }
    if (isJoinable(tree, node)) {
      writer.endBlock();
      writer.joinBlocks(node);
    }
    writer.inline.open("[", `](${address})`);
    return false;
  },
  leave(writer, node) {
    writer.inline.close();
    writer.endJoin(node);
  },
};

/** Undefined for a link that would say the same twice, or that points to the heading it stands in. */
function addressOf(writer: MarkdownWriter, href: string, label: string | undefined): string | undefined {
  const { links } = writer.request;
  const address = links.resolve(href);
  if (address === undefined || address === `mailto:${label}`) return undefined;
  return writer.heading !== undefined && links.isSamePage(address) ? undefined : address;
}

/** The first heading inside, which then carries the link: no link of Markdown goes round blocks. */
function firstHeading(writer: MarkdownWriter, root: Node): Node | undefined {
  const { tree, gone } = writer.request;
  if (writer.heading !== undefined || writer.isInCell) return undefined;
  for (let at = root.index + 1; at < root.end; at++) {
    const node = tree.nodes[at];
    if (node === undefined || node.tag.headingLevel === 0 || gone[at] === 1) continue;
    if (textOf(tree, gone, node, MAX_LABEL_CHARS) !== "") return node;
  }
  return undefined;
}

/** True for a link of a few short blocks, as on a card: they become the lines of its text. */
function isJoinable(tree: Tree, root: Node): boolean {
  if (root.end - root.index > MAX_JOINED_NODES) return false;
  let chars = 0;
  let hasBlock = false;
  for (let at = root.index + 1; at < root.end; at++) {
    const node = tree.nodes[at];
    if (node === undefined) break;
    if (STRUCTURE.test(node.tag.name)) return false;
    hasBlock ||= node.tag.isBlock;
    chars += node.text.length;
  }
  return hasBlock && chars <= MAX_JOINED_CHARS;
}

function holdsImage(tree: Tree, root: Node): boolean {
  for (let at = root.index + 1; at < root.end; at++) if (tree.nodes[at]?.tag.name === "img") return true;
  return false;
}
