import { markChrome } from "./chrome.js";
import { markLinkLists } from "./link-lists.js";
import type { PageKind } from "./page-kind.js";
import { countText, type TextStats } from "./text-stats.js";
import { attribute, type Node, type Tree } from "./tree.js";

/** One way to read a page: where to start, and what to leave out below it. */
export interface Reading {
  readonly root: Node;
  readonly gone: Uint8Array;
}

/** Share of the prose that a smaller element must hold to be the content. */
const PROSE_SHARE: Readonly<Record<PageKind, number>> = {
  article: 0.75,
  documentation: 0.85,
  forum: 0.9,
  product: 0.9,
  collection: 0.97,
  listing: 0.97,
  service: 0.97,
  other: 0.9,
};
const MIN_SEMANTIC_SHARE = 0.4;
/** Pages that are mostly sentences have link lists beside their text, not as it. */
const MIN_PROSE_SHARE = 0.6;
const MAX_GROWTH = 1.6;

/** The page's content: careful first, looser readings after it for pages whose marks mislead. */
export function* readings(tree: Tree, hidden: Uint8Array, visible: TextStats, kind: PageKind): Generator<Reading> {
  const body = tree.nodes.find((node) => node.tag.name === "body") ?? tree.root;
  const careful = markChrome(tree, hidden, visible, { kind, usesNames: true });
  const root = contentRoot(tree, careful, body, kind);
  if (kind === "article" || kind === "other") {
    const stats = countText(tree, careful);
    const isProse = (stats.proseChars[root.index] ?? 0) > (stats.chars[root.index] ?? 0) * MIN_PROSE_SHARE;
    if (isProse) markLinkLists(tree, careful, root, stats);
  }
  yield { root, gone: careful };
  const loose = markChrome(tree, hidden, visible, { kind, usesNames: false });
  yield { root: contentRoot(tree, loose, body, "other"), gone: loose };
  yield { root: body, gone: loose };
  yield { root: body, gone: hidden };
}

function contentRoot(tree: Tree, gone: Uint8Array, body: Node, kind: PageKind): Node {
  const stats = countText(tree, gone);
  const semantic = semanticRoot(tree, gone, stats, body);
  const dense = densest(tree, gone, stats, semantic ?? body, PROSE_SHARE[kind]);
  return holdsTitle(tree, dense) ? dense : grown(stats, dense, semantic ?? body);
}

/** `main`, or the one `article`, when it holds enough of the page. */
function semanticRoot(tree: Tree, gone: Uint8Array, stats: TextStats, body: Node): Node | undefined {
  const total = stats.chars[body.index] ?? 0;
  let best: Node | undefined;
  const chars = (node: Node | undefined): number => (node === undefined ? 0 : (stats.chars[node.index] ?? 0));
  for (const node of tree.nodes) {
    if (gone[node.index] === 1) continue;
    const isMain = node.tag.name === "main" || attribute(node, "role") === "main";
    if (isMain && chars(node) > chars(best)) best = node;
  }
  return chars(best) >= total * MIN_SEMANTIC_SHARE ? best : undefined;
}

/** Goes down while one child holds nearly all the prose. */
function densest(tree: Tree, gone: Uint8Array, stats: TextStats, start: Node, share: number): Node {
  const needed = (stats.proseChars[start.index] ?? 0) * share;
  if (needed === 0) return start;
  let current = start;
  for (let at = current.index + 1; at < current.end; ) {
    const node = tree.nodes[at];
    if (node === undefined) break;
    const isContainer = node.tag.isBlock && node.tag.name !== "p" && node.tag.name !== "tr";
    if (gone[at] !== 1 && isContainer && (stats.proseChars[at] ?? 0) >= needed) {
      current = node;
      at += 1;
    } else at = node.end;
  }
  return current;
}

function holdsTitle(tree: Tree, root: Node): boolean {
  for (let at = root.index + 1; at < root.end; at++) if (tree.nodes[at]?.tag.name === "h1") return true;
  return false;
}

/** Up again to the article or section round it, while that adds a title and not another page. */
function grown(stats: TextStats, start: Node, limit: Node): Node {
  const chars = stats.chars[start.index] ?? 0;
  let best = start;
  for (let node = start.parent; node !== undefined && node.depth >= limit.depth; node = node.parent) {
    if ((stats.chars[node.index] ?? 0) > chars * MAX_GROWTH) break;
    best = node;
  }
  return best;
}
