import { attribute, type Node } from "../tree.js";
import { writeGist } from "./code-elements.js";
import { delimitedTex, formula, mathIn, texOf } from "./math.js";
import { textOf } from "./text-of.js";
import type { ElementWriter } from "./writer.js";

const MAX_SOURCE_CHARS = 2_000;

export const math: ElementWriter = {
  enter(writer, node) {
    const isDisplay = isBlock(node);
    writer.formula(formula(texOf(writer.request.tree, node), isDisplay), isDisplay);
    return true;
  },
};

const isBlock = (node: Node): boolean =>
  attribute(node, "display") === "block" || attribute(node, "mode") === "display";

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

export function katex(isDisplay: boolean): ElementWriter {
  return {
    enter(writer, node) {
      const isAlone = isDisplay || (node.parent?.className.includes("katex-display") ?? false);
      writer.formula(formula(texOf(writer.request.tree, node), isAlone), isAlone);
      return true;
    },
  };
}

/** Wikipedia shows MathML, an image whose alternative text is the source, or both. */
export const wikiMath: ElementWriter = {
  enter(writer, node) {
    const { tree } = writer.request;
    const shown = mathIn(tree, node);
    let isDisplay = node.className.includes("block") || (shown !== undefined && isBlock(shown));
    let tex = shown === undefined ? "" : texOf(tree, shown);
    for (let at = node.index + 1; at < node.end; at++) {
      const inner = tree.nodes[at];
      if (inner?.tag.name !== "img") continue;
      isDisplay ||= inner.className.includes("display");
      tex = attribute(inner, "alt") || tex;
    }
    writer.formula(formula(tex, isDisplay), isDisplay);
    return true;
  },
};

/** The source of what MathJax 2 rendered follows in a script; MathJax 3 and 4 put MathML for screen readers inside. */
export const mathjax: ElementWriter = {
  enter(writer, node) {
    const { tree } = writer.request;
    if (tree.texScripts.size > 0 || node.className === "MathJax_Preview") return true;
    const shown = mathIn(tree, node);
    if (shown === undefined && !hasSource(writer.request.tree.nodes, node)) return false;
    const isDisplay = attribute(node, "display") === "true" || (shown !== undefined && isBlock(shown));
    writer.formula(formula(texOf(tree, node), isDisplay), isDisplay);
    return true;
  },
};

function hasSource(nodes: readonly Node[], root: Node): boolean {
  for (let at = root.index; at < root.end; at++) {
    const node = nodes[at];
    if (node !== undefined && attribute(node, "data-latex") !== undefined) return true;
  }
  return false;
}

/** The source itself between delimiters, before a script renders it: Sphinx, Pandoc, Arithmatex, GitHub, Stack Exchange. */
export const texSource: ElementWriter = {
  enter(writer, node) {
    if (node.tag.name === "img") return texImage.enter(writer, node);
    const { tree, gone } = writer.request;
    const source = delimitedTex(textOf(tree, gone, node, MAX_SOURCE_CHARS));
    if (source === undefined) return false;
    writer.formula(formula(source.tex, source.isDisplay), source.isDisplay);
    return true;
  },
};

/** Formulas drawn on the server: the image's alternative text is the source. */
export const texImage: ElementWriter = {
  enter(writer, node) {
    if (node.tag.name !== "img") return false;
    const tex = writer.attribute(node, "alt").replace(/^\$+|\$+$/g, "");
    writer.inline.raw(formula(tex, false));
    return tex !== "";
  },
};
