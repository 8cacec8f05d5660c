import { attribute, type Node } from "../tree.js";
import { writeGist } from "./code-elements.js";
import { formula, texOf } from "./math.js";
import { textOf } from "./text-of.js";
import type { ElementWriter, MarkdownWriter } from "./writer.js";

const ANCHOR_TEXT =
  /^(?:[#¶§⚓↑^\s]|\u{1f517}|\ufe0e|\ufe0f)*$|^(?:permalink|anchor|link to this (?:heading|section)|direct link to .*)$/iu;
const BACK_TEXT = /^(?:[↩↵⤴^]|\ufe0e|\ufe0f)+$/u;
const FOOTNOTE_HREF = /#[\w-]*(?:fn|footnote|cite_note|endnote)[\w:.-]*$/i;
const MAX_FOOTNOTE_LABEL_CHARS = 12;
const MAX_ANCHOR_NODES = 8;

export function mark(opener: string, closer: string = opener): ElementWriter {
  return {
    enter({ inline }) {
      inline.open(opener, closer);
      return false;
    },
    leave({ inline }) {
      inline.close();
    },
  };
}

export const link: ElementWriter = {
  enter(writer, node) {
    const { tree, gone, links } = writer.request;
    const href = writer.attribute(node, "href");
    const label = node.end - node.index > MAX_ANCHOR_NODES ? undefined : textOf(tree, gone, node, 80);
    if (label !== undefined) {
      if (isFootnoteReference(node, href) && writeReference(writer, href, label)) return true;
      if (
        (isAnchor(node, href) && ANCHOR_TEXT.test(label) && !holdsImage(writer, node)) ||
        isBackReference(node, label)
      ) {
        return true;
      }
    }
    const address = links.resolve(href);
    if (address === undefined) writer.inline.open("");
    else writer.inline.open("[", `](${address})`);
    return false;
  },
  leave({ inline }) {
    inline.close();
  },
};

function isFootnoteReference(node: Node, href: string): boolean {
  if (!href.includes("#")) return false;
  if (/footnote-ref|footref/.test(node.className) || attribute(node, "role") === "doc-noteref") return true;
  return node.parent?.tag.name === "sup" && FOOTNOTE_HREF.test(href);
}

function writeReference(writer: MarkdownWriter, href: string, label: string): boolean {
  const name = label.replace(/[[\]^\s]/g, "");
  if (name === "" || name.length > MAX_FOOTNOTE_LABEL_CHARS) return false;
  writer.shared.footnotes.set(href.slice(href.indexOf("#") + 1), name);
  writer.inline.raw(`[^${name}]`);
  return true;
}

function isBackReference(node: Node, label: string): boolean {
  const isMarked = attribute(node, "role") === "doc-backlink" || attribute(node, "data-footnote-backref") !== undefined;
  return isMarked || BACK_TEXT.test(label);
}

/** A link to a place on this page, or one that a heading holds for itself. */
function isAnchor(node: Node, href: string): boolean {
  return href.includes("#") || attribute(node, "name") !== undefined || (node.parent?.tag.headingLevel ?? 0) > 0;
}

function holdsImage(writer: MarkdownWriter, node: Node): boolean {
  for (let at = node.index + 1; at < node.end; at++) if (writer.request.tree.nodes[at]?.tag.name === "img") return true;
  return false;
}

const POWER = /^[+\u2212-]?\d+$|^[a-z]$/i;

/** Powers change the meaning when they fall flat (10^6); ordinals, marks and references do not. */
export const superscript: ElementWriter = {
  enter(writer, node) {
    const { tree, gone } = writer.request;
    const text = textOf(tree, gone, node, 40);
    const isPlain = node.end === node.index + 2;
    if (!isPlain || writer.inline.isEmpty || !POWER.test(text)) return false;
    writer.inline.raw(`^${text}`);
    return true;
  },
};

export const rubyText: ElementWriter = {
  enter({ inline }) {
    inline.raw("(");
    return false;
  },
  leave({ inline }) {
    inline.raw(")");
  },
};

export const math: ElementWriter = {
  enter(writer, node) {
    const isDisplay = writer.attribute(node, "display") === "block";
    writer.formula(formula(texOf(writer.request.tree, node), isDisplay), isDisplay);
    return true;
  },
};

/** MathJax 2 keeps the source of a formula in a script. */
export const script: ElementWriter = {
  enter(writer, node) {
    const type = writer.attribute(node, "type").toLowerCase();
    if (!type.startsWith("math/tex")) {
      writeGist(writer, node);
      return true;
    }
    const { html, texScripts } = writer.request.tree;
    const body = texScripts.get(node.index);
    const isDisplay = type.includes("mode=display");
    writer.formula(body === undefined ? "" : formula(html.slice(body.start, body.end), isDisplay), isDisplay);
    return true;
  },
};
