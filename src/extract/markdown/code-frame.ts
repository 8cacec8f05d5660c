import type { Node, Tree } from "../tree.js";
import { isCodeBlock, isCodeTable } from "./code.js";
import { pre } from "./code-elements.js";
import { isLitter } from "./code-litter.js";
import { titleText } from "./code-title.js";
import { isLanguageTitle } from "./language-names.js";
import type { ElementWriter, MarkdownWriter } from "./writer.js";

const FRAME_TAGS: ReadonlySet<string> = new Set(["div", "figure", "dl", "section"]);
const MAX_FRAME_STEPS = 60;
const MAX_TITLE_CHARS = 120;
const NOT_IN_FRAME = /^(?:h[1-6]|img|table|ul|ol|dl|blockquote)$/;

/** A block of code and the title over it. */
interface Frame {
  readonly block: Node;
  readonly title: string;
}

/** Forums and highlighters put a title, a language and buttons round one block: the title stays. */
export const codeFrame: ElementWriter = {
  enter(writer, node) {
    const frame = FRAME_TAGS.has(node.tag.name) ? frameOf(writer, node) : undefined;
    if (frame === undefined) return false;
    writer.endBlock();
    if (!isLanguageTitle(frame.title)) {
      writer.text(frame.title);
      writer.endBlock();
    }
    return pre.enter(writer, frame.block);
  },
};

/** The bar over a block, beside it. */
export const codeHeader: ElementWriter = {
  enter({ request }, node) {
    const { index: from, end: to } = node;
    const title = titleText(request.tree, request.gone, { from, to }, MAX_TITLE_CHARS);
    return title !== undefined && isLanguageTitle(title);
  },
};

/** Code whose lines are elements of their own, without a `pre`: editors, Doxygen, old highlighters. */
export const codeRoot: ElementWriter = {
  enter(writer, node) {
    if (node.tag.name !== "div") return false;
    // Slides have fragments too.
    const isSlide = /(?:^|\s)fragment(?:\s|$)/.test(node.className) && !hasLines(writer, node);
    return !isSlide && pre.enter(writer, node);
  },
};

function hasLines({ request }: MarkdownWriter, root: Node): boolean {
  const { nodes } = request.tree;
  const first = nodes[root.index + 1];
  return (first?.tag.name === "#text" ? nodes[first.index + 1] : first)?.className === "line";
}

/** One block, and beside it no more than a title before it; undefined for anything else. */
function frameOf({ request }: MarkdownWriter, root: Node): Frame | undefined {
  const { tree, gone } = request;
  const block = onlyBlock(tree, gone, root);
  if (block === undefined) return undefined;
  const title = titleText(tree, gone, { from: root.index + 1, to: block.index }, MAX_TITLE_CHARS);
  const behind = titleText(tree, gone, { from: block.end, to: root.end }, MAX_TITLE_CHARS);
  return title === undefined || behind !== "" ? undefined : { block, title };
}

function onlyBlock(tree: Tree, gone: Uint8Array, root: Node): Node | undefined {
  let block: Node | undefined;
  let at = root.index + 1;
  for (let steps = 0; at < root.end; steps++) {
    const node = tree.nodes[at];
    if (node === undefined || steps > MAX_FRAME_STEPS) return undefined;
    if (gone[at] === 1 || isLitter(tree, node)) at = node.end;
    else if (isBlockOfCode(tree, node)) {
      if (block !== undefined) return undefined;
      block = node;
      at = node.end;
    } else if (NOT_IN_FRAME.test(node.tag.name)) return undefined;
    else at += 1;
  }
  return block;
}

function isBlockOfCode(tree: Tree, node: Node): boolean {
  const { name } = node.tag;
  return (
    name === "pre" || (name === "code" && isCodeBlock(tree, node)) || (name === "table" && isCodeTable(tree, node))
  );
}
