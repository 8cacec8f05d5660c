import { attribute, type Node, type Tree } from "../tree.js";
import { summary } from "./block-elements.js";
import { codeFrame, codeHeader, codeRoot } from "./code-frame.js";
import { framesCode } from "./code-litter.js";
import { labelledPanel, tabStrip } from "./code-tabs.js";
import { TAB_WRITERS } from "./controls.js";
import { ELEMENTS } from "./elements.js";
import { formula, texOf } from "./math.js";
import { admonitionKind, type Role } from "./roles.js";
import { textOf } from "./text-of.js";
import type { ElementWriter, MarkdownWriter } from "./writer.js";

const MAX_ADMONITION_TITLE_CHARS = 80;

function renderedMath(isDisplay: boolean): ElementWriter {
  return {
    enter(writer, node) {
      const isBlock = isDisplay || (node.parent?.className.includes("katex-display") ?? false);
      writer.formula(formula(texOf(writer.request.tree, node), isBlock), isBlock);
      return true;
    },
  };
}

/** Wikipedia shows an image whose alternative text is the source. */
const wikiMath: ElementWriter = {
  enter(writer, node) {
    const { tree } = writer.request;
    for (let at = node.index + 1; at < node.end; at++) {
      const inner = tree.nodes[at];
      if (inner?.tag.name !== "img") continue;
      const isBlock = inner.className.includes("display");
      writer.formula(formula(attribute(inner, "alt") ?? "", isBlock), isBlock);
      break;
    }
    return true;
  },
};

/** The source of rendered MathJax 2 follows in a script. */
const mathjax: ElementWriter = {
  enter(writer, node) {
    return writer.request.tree.texScripts.size > 0 || node.className === "MathJax_Preview";
  },
};

/** A quote that begins with the admonition's name; one with code or tables inside stays unquoted, to be copied. */
const admonition: ElementWriter = {
  enter(writer, node) {
    writer.endBlock();
    const { tree } = writer.request;
    if (!isAdmonition(writer, node)) return false;
    if (isQuotable(tree, node)) writer.output.openQuote();
    if (!showsTitle(writer, node)) writer.block(`**${admonitionKind(node.className)}**`);
    return false;
  },
  leave(writer, node) {
    writer.endBlock();
    if (isAdmonition(writer, node) && isQuotable(writer.request.tree, node)) writer.output.close();
  },
};

function isAdmonition(writer: MarkdownWriter, node: Node): boolean {
  if (writer.isInCell || isWithin(node)) return false;
  return admonitionKind(node.className) !== "" || showsTitle(writer, node);
}

/** Parts of an admonition carry its class names too: only the outermost is one. */
function isWithin(node: Node): boolean {
  return /admonition|alert|callout|custom-block/i.test(node.parent?.className ?? "");
}

function isQuotable(tree: Tree, root: Node): boolean {
  for (let at = root.index + 1; at < root.end; at++) {
    const name = tree.nodes[at]?.tag.name;
    if (name === "pre" || name === "table") return false;
  }
  return true;
}

/** True when the admonition shows a title itself. */
function showsTitle(writer: MarkdownWriter, root: Node): boolean {
  const { tree, gone } = writer.request;
  for (let at = root.index + 1; at < Math.min(root.end, root.index + 12); at++) {
    const node = tree.nodes[at];
    if (node === undefined || node.text !== "" || gone[at] === 1) continue;
    const isTitle = node.tag.headingLevel > 0 || /title|heading|label/i.test(node.className);
    if (isTitle && textOf(tree, gone, node, MAX_ADMONITION_TITLE_CHARS) !== "") return true;
  }
  return false;
}

const litter: ElementWriter = {
  enter: (writer, node) => (node.tag.headingLevel === 0 || writer.isInCell) && !framesCode(writer.request.tree, node),
};

/** Writes what its classes promise; an element that does not hold it is written as the tab or the element it is. */
function orElement({ enter }: ElementWriter): ElementWriter {
  const otherwise = (writer: MarkdownWriter, node: Node): ElementWriter | undefined =>
    (writer.shared.hasTabPanels ? TAB_WRITERS.get(writer.attribute(node, "role")) : undefined) ??
    ELEMENTS.get(node.tag.name);
  return {
    enter: (writer, node) => enter(writer, node) || (otherwise(writer, node)?.enter(writer, node) ?? false),
    leave(writer, node) {
      const leave = otherwise(writer, node)?.leave;
      if (leave !== undefined) leave(writer, node);
      else if (node.tag.isBlock) writer.endBlock();
    },
  };
}

/** The language's name that a code frame shows in its corner. */
const codeLabel: ElementWriter = {
  enter: (_writer, node) => /language-|highlight|code/i.test(node.parent?.className ?? ""),
};

/** Writers that an element's classes choose before its name does. */
export const ROLE_WRITERS: ReadonlyMap<Role, ElementWriter> = new Map<Role, ElementWriter>([
  ["katex_display", renderedMath(true)],
  ["katex", renderedMath(false)],
  ["wiki_math", wikiMath],
  ["rendered_math", mathjax],
  ["admonition", admonition],
  ["admonition_title", summary],
  ["litter", litter],
  ["code_label", orElement(codeLabel)],
  ["code_root", orElement(codeRoot)],
  ["code_frame", orElement(codeFrame)],
  ["code_header", orElement(codeHeader)],
  ["tab_strip", orElement(tabStrip)],
  ["tab_panel", labelledPanel],
]);
