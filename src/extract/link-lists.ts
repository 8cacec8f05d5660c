import type { TextStats } from "./text-stats.js";
import type { Node, Tree } from "./tree.js";

/** Lists of links that stand in running text: related pages, tags, places to share. */
const MIN_LINKS = 3;
const MIN_LINK_SHARE = 0.8;
const MAX_LIST_SHARE = 0.25;
const LIST_CONTAINER = /^(?:ul|ol|div|section|table|dl)$/;

/** Marks link lists in pages of prose; those that a sentence introduces ("See also:") stay. */
export function markLinkLists(tree: Tree, gone: Uint8Array, root: Node, stats: TextStats): void {
  const total = stats.chars[root.index] ?? 0;
  for (let at = root.index + 1; at < root.end; ) {
    const node = tree.nodes[at];
    if (node === undefined) break;
    if (gone[at] === 1) {
      at = node.end;
      continue;
    }
    if (LIST_CONTAINER.test(node.tag.name) && isLinkList(tree, node, stats, total)) {
      gone.fill(1, at, node.end);
      at = node.end;
    } else at += 1;
  }
}

function isLinkList(tree: Tree, node: Node, stats: TextStats, total: number): boolean {
  const chars = stats.chars[node.index] ?? 0;
  if (chars === 0 || chars > total * MAX_LIST_SHARE || (stats.proseChars[node.index] ?? 0) > 0) return false;
  if ((stats.linkChars[node.index] ?? 0) < chars * MIN_LINK_SHARE) return false;
  let links = 0;
  for (let at = node.index + 1; at < node.end && links < MIN_LINKS; at++) {
    const { name } = tree.nodes[at]?.tag ?? node.tag;
    if (name === "a") links += 1;
    else if (name === "pre" || name === "code") return false;
  }
  return links >= MIN_LINKS && !isIntroduced(tree, node);
}

function isIntroduced(tree: Tree, node: Node): boolean {
  for (let at = node.index - 1; at > 0 && at > node.index - 20; at--) {
    const text = tree.nodes[at]?.text.trim() ?? "";
    if (text !== "") return text.endsWith(":");
  }
  return false;
}
