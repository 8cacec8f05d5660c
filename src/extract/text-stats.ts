import { TEXT } from "./tags.js";
import type { Node, Tree } from "./tree.js";

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

/** One pass: what an element holds is added to the element around it when it ends. */
export function countText(tree: Tree, gone: Uint8Array): TextStats {
  const { nodes } = tree;
  const stats = new OpenSums(nodes.length);
  let linkEnd = -1;
  for (let at = 1; at < nodes.length; ) {
    const node = nodes[at];
    if (node === undefined) break;
    stats.endBefore(at);
    if (gone[at] === 1) {
      at = node.end;
      continue;
    }
    if (node.tag === TEXT) stats.addText(at, node.inkChars, at < linkEnd);
    else {
      if (node.tag.name === "a") linkEnd = Math.max(linkEnd, node.end);
      if (node.end > at + 1) stats.open(node);
    }
    at += 1;
  }
  stats.endBefore(nodes.length);
  return stats;
}

class OpenSums implements TextStats {
  readonly chars: Int32Array;
  readonly linkChars: Int32Array;
  readonly proseChars: Int32Array;
  /** The elements that are open, outermost first. */
  private readonly elements: Node[] = [];
  /** For each, the place in these lists of the block it stands in or is, and the text that block holds itself. */
  private readonly blocks: number[] = [];
  private readonly own: number[] = [];
  private readonly ownLinks: number[] = [];

  constructor(size: number) {
    this.chars = new Int32Array(size);
    this.linkChars = new Int32Array(size);
    this.proseChars = new Int32Array(size);
  }

  open(node: Node): void {
    const place = this.elements.push(node) - 1;
    this.blocks.push(node.tag.isBlock ? place : (this.blocks[place - 1] ?? -1));
    this.own.push(0);
    this.ownLinks.push(0);
  }

  addText(at: number, length: number, isLink: boolean): void {
    const block = this.blocks[this.blocks.length - 1] ?? -1;
    this.chars[at] = length;
    if (isLink) this.linkChars[at] = length;
    this.addUp(at, this.elements[this.elements.length - 1]?.index ?? 0);
    if (block < 0) return;
    this.own[block] = (this.own[block] ?? 0) + length;
    if (isLink) this.ownLinks[block] = (this.ownLinks[block] ?? 0) + length;
  }

  endBefore(at: number): void {
    for (let top = this.elements[this.elements.length - 1]; top !== undefined && top.end <= at; ) {
      const own = this.own.pop() ?? 0;
      const ownLinks = this.ownLinks.pop() ?? 0;
      if (own >= MIN_PROSE_CHARS && ownLinks < own * MAX_PROSE_LINK_SHARE) {
        this.proseChars[top.index] = (this.proseChars[top.index] ?? 0) + own;
      }
      this.elements.pop();
      this.blocks.pop();
      this.addUp(top.index, this.elements[this.elements.length - 1]?.index ?? 0);
      top = this.elements[this.elements.length - 1];
    }
  }

  private addUp(from: number, to: number): void {
    this.chars[to] = (this.chars[to] ?? 0) + (this.chars[from] ?? 0);
    this.linkChars[to] = (this.linkChars[to] ?? 0) + (this.linkChars[from] ?? 0);
    this.proseChars[to] = (this.proseChars[to] ?? 0) + (this.proseChars[from] ?? 0);
  }
}
