import { TEXT } from "./tags.js";
import type { Tree } from "./tree.js";

/** Characters of visible text, white space at the ends of each run left out. */
export interface TextStats {
  /** Of each text node, 0 for elements. */
  readonly chars: Int32Array;
  readonly total: number;
}

export function countText(tree: Tree, gone: Uint8Array): TextStats {
  const { nodes } = tree;
  const chars = new Int32Array(nodes.length);
  let total = 0;
  for (let at = 1; at < nodes.length; ) {
    const node = nodes[at];
    if (node === undefined) break;
    if (gone[at] === 1) {
      at = node.end;
      continue;
    }
    if (node.tag === TEXT) {
      chars[at] = node.inkChars;
      total += chars[at] ?? 0;
    }
    at += 1;
  }
  return { chars, total };
}
