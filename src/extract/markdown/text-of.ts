import type { Node, Tree } from "../tree.js";

/** White space in the source before the text of one node. */
const MAX_SPACE_CHARS = 4_000;
const NEEDS_COLLAPSE = /[^\S ]| {2}/;

/** The visible text of a subtree on one line, at most `maxChars` of it. */
export function textOf(tree: Tree, gone: Uint8Array, root: Node, maxChars = 1_000): string {
  const only = tree.nodes[root.index + 1];
  // Most elements that are asked hold one run of text.
  if (only !== undefined && root.end === root.index + 2 && only.text !== "" && gone[only.index] !== 1) {
    return oneLine(only.text.slice(0, maxChars + MAX_SPACE_CHARS));
  }
  let text = root.text;
  for (let at = root.index + 1; at < root.end && text.length < maxChars; ) {
    const node = tree.nodes[at];
    if (node === undefined) break;
    if (gone[at] === 1) {
      at = node.end;
      continue;
    }
    if (node.text !== "") text += node.text.slice(0, maxChars + MAX_SPACE_CHARS);
    else if (node.tag.isBlock || node.tag.name === "br") text += " ";
    at += 1;
  }
  return oneLine(text);
}

function oneLine(text: string): string {
  return (NEEDS_COLLAPSE.test(text) ? text.replace(/\s+/g, " ") : text).trim();
}
