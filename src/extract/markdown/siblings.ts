import type { Node, Tree } from "../tree.js";

/** Elements deeper than this end the search: a title is flat. */
const MAX_CLIMB = 12;

/** The element or the text before this one in its parent, over white space. */
export function previousSibling(tree: Tree, node: Node): Node | undefined {
  const { parent } = node;
  let before = tree.nodes[node.index - 1];
  for (let steps = 0; before !== undefined && before !== parent && steps < MAX_CLIMB; steps++) {
    if (before.parent !== parent) before = before.parent;
    else if (before.tag.name === "#text" && before.text.trim() === "") before = tree.nodes[before.index - 1];
    else return before;
  }
  return undefined;
}
