import type { Node, Tree } from "../tree.js";
import { textOf } from "./text-of.js";
import type { ElementWriter, MarkdownWriter } from "./writer.js";

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

const POWER = /^[+\u2212-]?\d+$|^[a-z]$/i;
const MAX_SCRIPT_NODES = 6;
const INDEX = /^[a-z]$/;
const EXPRESSION = /^[\p{L}\d]+(?: ?[+\u2212*/-] ?[\p{L}\d]+)+$/u;

/** Powers change the meaning when they fall flat (10^6); ordinals, marks and references do not. */
export const superscript: ElementWriter = {
  enter(writer, node) {
    const { tree, gone } = writer.request;
    const text = textOf(tree, gone, node, 40);
    const reference = onlyReference(writer, node, text);
    if (reference !== undefined) {
      writer.inline.raw(reference);
      return true;
    }
    return writeScript(writer, node, "^", POWER);
  },
};

/** Indices that would read as letters of the word (x_i); digits need no mark (H2O). */
export const subscript: ElementWriter = {
  enter(writer, node) {
    return writeScript(writer, node, "_", INDEX);
  },
};

function holdsLink(tree: Tree, root: Node): boolean {
  for (let at = root.index + 1; at < root.end; at++) if (tree.nodes[at]?.tag.name === "a") return true;
  return false;
}

function writeScript(writer: MarkdownWriter, node: Node, mark: string, bare: RegExp): boolean {
  const { tree, gone } = writer.request;
  if (writer.inline.isEmpty || node.end - node.index > MAX_SCRIPT_NODES || holdsLink(tree, node)) return false;
  const text = textOf(tree, gone, node, 40);
  if (bare.test(text)) writer.inline.raw(mark + text);
  else if (EXPRESSION.test(text)) writer.inline.raw(`${mark}(${text})`);
  else return false;
  return true;
}

/** AsciiDoctor sets its references in brackets. */
function onlyReference(writer: MarkdownWriter, node: Node, text: string): string | undefined {
  const { nodes } = writer.request.tree;
  if (!/^\[.*\]$/.test(text)) return undefined;
  for (let at = node.index + 1; at < node.end; at++) {
    const link = nodes[at];
    if (link?.tag.name !== "a") continue;
    const reference = writer.parts.footnotes.reference(link);
    return reference?.includes(text.slice(1, -1).trim()) === true ? reference : undefined;
  }
  return undefined;
}

export const rubyText: ElementWriter = {
  enter({ inline }) {
    inline.raw("(");
    return false;
  },
  leave({ inline }) {
    inline.raw(")");
  },
};
