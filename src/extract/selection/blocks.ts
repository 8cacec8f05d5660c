import type { Node, Tree } from "../tree.js";

/**
 * The page's visible text in runs that are laid out as one: paragraphs, items, headings, table rows, code. A selection
 * keeps or drops them whole. Struct of arrays, by block in document order.
 */
export interface Blocks {
  readonly count: number;
  /** Index of the first node with text, and after the last. */
  readonly starts: Int32Array;
  readonly ends: Int32Array;
  /** Index of the element that lays the text out. */
  readonly owners: Int32Array;
  /** By node: how many blocks begin before it. A subtree's blocks are `before[index] .. before[end]`. */
  readonly before: Int32Array;
}

const CELL: ReadonlySet<string> = new Set(["td", "th"]);

/** Splits what is not `gone` into blocks. */
export function splitBlocks(tree: Tree, gone: Uint8Array): Blocks {
  const { nodes } = tree;
  const before = new Int32Array(nodes.length + 1);
  /** The element that lays each element's text out. */
  const owners = new Int32Array(nodes.length);
  const starts: number[] = [];
  const ends: number[] = [];
  const owned: number[] = [];
  let openOwner = -1;
  let wholeEnd = -1;
  for (let at = 1; at < nodes.length; ) {
    const node = nodes[at];
    if (node === undefined) break;
    before[at] = starts.length;
    if (gone[at] === 1 || node.tag.name === "head") {
      before.fill(starts.length, at, node.end);
      at = node.end;
      continue;
    }
    const outer = owners[node.parent?.index ?? 0] ?? 0;
    if (node.text !== "") {
      if (/\S/.test(node.text)) {
        if (outer !== openOwner) {
          openOwner = outer;
          starts.push(at);
          ends.push(at + 1);
          owned.push(outer);
        } else ends[ends.length - 1] = at + 1;
      }
    } else if (node.tag.isBlock && at >= wholeEnd && !(CELL.has(node.tag.name) && isSimpleCell(tree, node))) {
      owners[at] = at;
      openOwner = -1;
      if (node.tag.name === "pre") wholeEnd = node.end;
    } else owners[at] = outer;
    at += 1;
  }
  before[nodes.length] = starts.length;
  return {
    count: starts.length,
    starts: Int32Array.from(starts),
    ends: Int32Array.from(ends),
    owners: Int32Array.from(owned),
    before,
  };
}

/** A value in a row of values, not a column of the page. */
function isSimpleCell(tree: Tree, cell: Node): boolean {
  for (let at = cell.index + 1; at < cell.end; at++) if (tree.nodes[at]?.tag.isBlock === true) return false;
  return true;
}
