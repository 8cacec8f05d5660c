import type { Node, Tree } from "../tree.js";
import { admonition, isAdmonition } from "./admonition.js";
import { summary } from "./block-elements.js";
import { codeFrame, codeHeader, codeRoot } from "./code-frame.js";
import { framesCode } from "./code-litter.js";
import { ELEMENTS } from "./elements.js";
import { isHeadingText } from "./heading-anchor.js";
import { katex, mathjax, texImage, texSource, wikiMath } from "./math-writers.js";
import type { Role } from "./roles.js";
import type { ElementWriter, MarkdownWriter } from "./writer.js";

const MAX_LITTER_NODES = 50;

const litter: ElementWriter = {
  enter(writer, node) {
    const { tree } = writer.request;
    return !holdsHeading(tree, node) && !framesCode(tree, node) && !isHeadingText(writer, node);
  },
};

/** An anchor that goes round the heading is no litter beside it. */
function holdsHeading(tree: Tree, root: Node): boolean {
  const last = Math.min(root.end, root.index + MAX_LITTER_NODES);
  for (let at = root.index; at < last; at++) if ((tree.nodes[at]?.tag.headingLevel ?? 0) > 0) return true;
  return false;
}

/** The language's name that a code frame shows in its corner. */
const codeLabel: ElementWriter = {
  enter: (_writer, node) => /language-|highlight|code/i.test(node.parent?.className ?? ""),
};

/** False where the classes promise what the element is not. */
export function hasRole(writer: MarkdownWriter, node: Node, role: Role): boolean {
  return role !== "admonition" || isAdmonition(writer, node);
}

/** What the role's writer leaves to others is written as its element is. */
function orElement(role: ElementWriter): ElementWriter {
  return {
    enter(writer, node) {
      if (role.enter(writer, node)) return true;
      const element = ELEMENTS.get(node.tag.name);
      if (element !== undefined) return element.enter(writer, node);
      if (node.tag.isBlock) writer.endBlock();
      return false;
    },
    leave(writer, node) {
      const leave = ELEMENTS.get(node.tag.name)?.leave;
      if (leave !== undefined) leave(writer, node);
      else if (node.tag.isBlock) writer.endBlock();
    },
  };
}

/** Writers that an element's classes choose before its name does. */
export const ROLE_WRITERS: ReadonlyMap<Role, ElementWriter> = new Map<Role, ElementWriter>([
  ["katex_display", katex(true)],
  ["katex", katex(false)],
  ["wiki_math", wikiMath],
  ["rendered_math", orElement(mathjax)],
  ["tex_source", orElement(texSource)],
  ["tex_image", orElement(texImage)],
  ["admonition", admonition],
  ["admonition_title", summary],
  ["litter", orElement(litter)],
  ["code_label", orElement(codeLabel)],
  ["code_root", orElement(codeRoot)],
  ["code_frame", orElement(codeFrame)],
  ["code_header", orElement(codeHeader)],
]);
