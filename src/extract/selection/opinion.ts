import { BLOCK_COLUMNS } from "./columns.js";
import { predict } from "./forest.js";
import type { Model } from "./model.js";
import type { PageBlocks } from "./page-blocks.js";
import { PAGE_COLUMNS, pageRow } from "./page-columns.js";
import { OPINION_COLUMNS, opinionsOf } from "./second-opinion.js";

/** How sure the learned reader is that blocks are content. */
export interface Opinion {
  /** By block, 0..1: the share of its words that belongs to the content. */
  readonly shares: Float32Array;
  /** Probabilities of `LEARNED_KINDS`. */
  readonly kinds: Float32Array;
}

export const BLOCK_WIDTH: number = BLOCK_COLUMNS.reduce((sum, { names }) => sum + names.length, 0);
export const ROW_WIDTH: number = BLOCK_WIDTH + PAGE_COLUMNS.length;

/** Block columns of all blocks, `stride` values each; the rest of each row is left empty. */
export function blockRows(page: PageBlocks, stride: number): Float32Array {
  const { count } = page.blocks;
  const rows = new Float32Array(count * stride);
  for (let block = 0; block < count; block++) {
    let at = block * stride;
    for (const { names, fill } of BLOCK_COLUMNS) {
      fill(page, block, rows, at);
      at += names.length;
    }
  }
  return rows;
}

/** The page's kind first, then each block, then each block again with what was said of those round it. */
export function judge(page: PageBlocks, model: Model): Opinion {
  const { count } = page.blocks;
  const stride = ROW_WIDTH + model.kinds.length + OPINION_COLUMNS.length;
  const rows = blockRows(page, stride);
  const about = pageRow(page, rows, stride);
  const kinds = kindProbabilities(model, about);
  for (let block = 0; block < count; block++) {
    rows.set(about, block * stride + BLOCK_WIDTH);
    rows.set(kinds, block * stride + ROW_WIDTH);
  }
  const first = new Float32Array(count);
  for (let block = 0; block < count; block++) first[block] = predict(model.first, rows, block * stride);
  const fill = opinionsOf(page, first);
  const shares = new Float32Array(count);
  for (let block = 0; block < count; block++) {
    fill(block, rows, block * stride + ROW_WIDTH + model.kinds.length);
    shares[block] = predict(model.second, rows, block * stride);
  }
  return { shares, kinds };
}

export function kindProbabilities(model: Pick<Model, "kinds">, about: Float32Array): Float32Array {
  const scores = Float32Array.from(model.kinds, (forest) => predict(forest, about, 0));
  const sum = scores.reduce((total, score) => total + score, 0);
  return scores.map((score) => score / Math.max(sum, 1e-6));
}
