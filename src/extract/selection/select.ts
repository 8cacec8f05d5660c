import type { PageKind } from "../page-kind.js";
import type { Tree } from "../tree.js";
import type { Blocks } from "./blocks.js";
import { chooseBlocks } from "./choose.js";
import type { Model } from "./model.js";
import { judge } from "./opinion.js";
import { measurePage, type PageFacts } from "./page-blocks.js";
import { LEARNED_KINDS } from "./page-columns.js";

/** What a page's content is. */
export interface Selection {
  /** 1 for nodes that are hidden or round the content. */
  readonly gone: Uint8Array;
  readonly kind: PageKind;
}

/** The page's content: measured block by block, judged by what was learned, chosen so that F1 is expected highest. */
export function selectContent(tree: Tree, hidden: Uint8Array, facts: PageFacts, model: Model): Selection {
  const page = measurePage(tree, hidden, facts, model);
  const { shares, kinds } = judge(page, model);
  const kept = chooseBlocks(page, shares);
  return { gone: markDropped(tree, hidden, page.blocks, kept), kind: likeliest(kinds, facts.kind) };
}

/** Below this the page's own marks know its kind as well. */
const MIN_KIND_PROBABILITY = 0.35;

function likeliest(kinds: Float32Array, byMarks: PageKind): PageKind {
  let best = 0;
  for (let kind = 1; kind < kinds.length; kind++) if ((kinds[kind] ?? 0) > (kinds[best] ?? 0)) best = kind;
  return (kinds[best] ?? 0) < MIN_KIND_PROBABILITY ? byMarks : (LEARNED_KINDS[best] ?? byMarks);
}

/** A copy of `hidden` with dropped blocks marked too, and the elements that hold nothing else. */
function markDropped(tree: Tree, hidden: Uint8Array, blocks: Blocks, kept: Uint8Array): Uint8Array {
  const gone = hidden.slice();
  const { before, ends } = blocks;
  const keptBefore = new Int32Array(kept.length + 1);
  for (let block = 0; block < kept.length; block++)
    keptBefore[block + 1] = (keptBefore[block] ?? 0) + (kept[block] ?? 0);
  for (let at = 1; at < tree.nodes.length; ) {
    const node = tree.nodes[at];
    if (node === undefined) break;
    if (gone[at] === 1) {
      at = node.end;
      continue;
    }
    const first = before[at] ?? 0;
    const last = before[node.end] ?? 0;
    if (last > first ? keptBefore[last] === keptBefore[first] : !isBesideKept(first - 1, at, node.text === "")) {
      gone.fill(1, at, node.end);
      at = node.end;
    } else at += 1;
  }
  return gone;

  /** Text belongs to its block; an image or a rule stays beside a block that does. */
  function isBesideKept(block: number, at: number, isElement: boolean): boolean {
    if (block >= 0 && (ends[block] ?? 0) > at) return kept[block] === 1;
    return !isElement || kept[block] === 1 || kept[block + 1] === 1;
  }
}
