import type { Node } from "./tree.js";

/**
 * Puts the nodes in document order where content stood in a table but outside its cells: it comes before the table
 * (HTML 13.2.6.1, "foster parent"). `fostered` gives the table for each; their parent is the table's.
 */
export function inDocumentOrder(nodes: readonly Node[], fostered: ReadonlyMap<Node, Node>): Node[] {
  const inside = new Map<Node, Node[]>();
  const before = new Map<Node, Node[]>();
  for (const node of nodes) {
    const table = fostered.get(node);
    if (table !== undefined) add(before, table, node);
    else if (node.parent !== undefined) add(inside, node.parent, node);
  }
  const ordered: Node[] = [];
  const waiting = nodes.slice(0, 1);
  for (let node = waiting.pop(); node !== undefined; node = waiting.pop()) {
    const first = before.get(node);
    if (first !== undefined) {
      before.delete(node);
      waiting.push(node);
      for (const other of first.reverse()) waiting.push(other);
      continue;
    }
    node.index = ordered.push(node) - 1;
    node.end = ordered.length;
    for (const child of inside.get(node)?.reverse() ?? []) waiting.push(child);
  }
  for (let at = ordered.length - 1; at > 0; at--) {
    const node = ordered[at];
    if (node?.parent !== undefined) node.parent.end = Math.max(node.parent.end, node.end);
  }
  return ordered;
}

function add(lists: Map<Node, Node[]>, key: Node, node: Node): void {
  const list = lists.get(key);
  if (list === undefined) lists.set(key, [node]);
  else list.push(node);
}
