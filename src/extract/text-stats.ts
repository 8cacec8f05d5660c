import { TEXT } from "./tags.js";
import type { Tree } from "./tree.js";

/** Sums over each node's visible subtree, by node index. */
export interface TextStats {
  /** Characters of text, white space at the ends left out. */
  readonly chars: Int32Array;
  /** Of those, in links. */
  readonly linkChars: Int32Array;
  /** Of those, in sentences: long runs of text with few links, code and tables. */
  readonly proseChars: Int32Array;
}

const MIN_PROSE_CHARS = 60;
const MAX_PROSE_LINK_SHARE = 0.5;

/** One pass forward for the text, one backward for the sums: parents stand before their children. */
export function countText(tree: Tree, gone: Uint8Array): TextStats {
  const { nodes } = tree;
  const chars = new Int32Array(nodes.length);
  const linkChars = new Int32Array(nodes.length);
  const proseChars = new Int32Array(nodes.length);
  /** The block each node stands in, whatever inline elements lie between, and the text it holds itself. */
  const blocks = new Int32Array(nodes.length);
  const own = new Int32Array(nodes.length);
  const ownLinks = new Int32Array(nodes.length);
  let linkEnd = -1;
  for (let at = 1; at < nodes.length; ) {
    const node = nodes[at];
    if (node === undefined) break;
    if (gone[at] === 1) {
      at = node.end;
      continue;
    }
    const outer = blocks[node.parent?.index ?? 0] ?? 0;
    blocks[at] = node.tag.isBlock ? at : outer;
    if (node.tag.name === "a") linkEnd = Math.max(linkEnd, node.end);
    if (node.tag === TEXT) {
      const length = node.inkChars;
      chars[at] = length;
      own[outer] = (own[outer] ?? 0) + length;
      if (at < linkEnd) {
        linkChars[at] = length;
        ownLinks[outer] = (ownLinks[outer] ?? 0) + length;
      }
    }
    at += 1;
  }
  for (let at = nodes.length - 1; at > 0; at--) {
    const parent = nodes[at]?.parent?.index ?? 0;
    const text = own[at] ?? 0;
    if (text >= MIN_PROSE_CHARS && (ownLinks[at] ?? 0) < text * MAX_PROSE_LINK_SHARE) {
      proseChars[at] = (proseChars[at] ?? 0) + text;
    }
    chars[parent] = (chars[parent] ?? 0) + (chars[at] ?? 0);
    linkChars[parent] = (linkChars[parent] ?? 0) + (linkChars[at] ?? 0);
    proseChars[parent] = (proseChars[parent] ?? 0) + (proseChars[at] ?? 0);
  }
  return { chars, linkChars, proseChars };
}
