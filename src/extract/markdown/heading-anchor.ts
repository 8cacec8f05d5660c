import { attribute, type Node } from "../tree.js";
import { textOf } from "./text-of.js";
import type { MarkdownWriter } from "./writer.js";

const MAX_HEADING_CHARS = 300;
/** What generators write into the link that a heading holds to itself. */
const ANCHOR_TEXT =
  /^(?:[#¶§⚓↑↩↵⤴^\s\p{Co}]|\u{1f517}|\ufe0e|\ufe0f)*$|^(?:permalink|permanent link|anchor|(?:copy )?(?:direct )?link to (?:this )?(?:heading|headline|section|definition|header)|copy (?:heading )?link|direct link to .*|permalink (?:to|for) .*|section titled .*)$/iu;

/** Text of a link that only marks a place: a sign, or words that name the link itself. */
export function isAnchorText(label: string): boolean {
  return ANCHOR_TEXT.test(label);
}

/** True for an anchor that is all the text its heading has, as where the whole title links to itself. */
export function isHeadingText(writer: MarkdownWriter, node: Node): boolean {
  if (writer.heading === undefined) return false;
  const { tree, gone } = writer.request;
  const label = textOf(tree, gone, node, MAX_HEADING_CHARS);
  if (isAnchorText(label)) return false;
  return isAnchorText(textOf(tree, gone, writer.heading, MAX_HEADING_CHARS).replace(label, "").trim());
}

/** A link to a place on this page, or one that a heading holds for itself. */
export function isAnchor(node: Node, href: string): boolean {
  return href.includes("#") || attribute(node, "name") !== undefined || (node.parent?.tag.headingLevel ?? 0) > 0;
}
