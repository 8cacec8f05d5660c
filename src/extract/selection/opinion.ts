import { BLOCK_COLUMNS } from "./columns.js";
import { predict } from "./forest.js";
import type { Model } from "./model.js";
import type { PageBlocks } from "./page-blocks.js";
import { PAGE_COLUMNS, pageRow } from "./page-columns.js";
import { type Representatives, representativesOf } from "./representatives.js";
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

/** Block columns of the blocks that are judged, `stride` values each; the rest of each row is left empty. */
export function blockRows(page: PageBlocks, stride: number, judged: Int32Array): Float32Array {
  const rows = new Float32Array(judged.length * stride);
  for (let place = 0; place < judged.length; place++) {
    let at = place * stride;
    for (const { names, fill } of BLOCK_COLUMNS) {
      fill(page, judged[place] ?? 0, rows, at);
      at += names.length;
    }
  }
  return rows;
}

/** The page's kind first, then each block, then each block again with what was said of those round it. */
export function judge(page: PageBlocks, model: Model): Opinion {
  const judged = representativesOf(page);
  const count = judged.blocks.length;
  const stride = ROW_WIDTH + model.kinds.length + OPINION_COLUMNS.length;
  const rows = blockRows(page, stride, judged.blocks);
  const about = pageRow(page, rows, stride, judged);
  const kinds = kindProbabilities(model, about);
  const verdicts = new Float32Array(count);
  for (let place = 0; place < count; place++) {
    rows.set(about, place * stride + BLOCK_WIDTH);
    rows.set(kinds, place * stride + ROW_WIDTH);
    verdicts[place] = predict(model.first, rows, place * stride);
  }
  const fill = opinionsOf(page, spread(judged, verdicts));
  for (let place = 0; place < count; place++) {
    fill(judged.blocks[place] ?? 0, rows, place * stride + ROW_WIDTH + model.kinds.length);
    verdicts[place] = predict(model.second, rows, place * stride);
  }
  return { shares: spread(judged, verdicts), kinds };
}

const spread = ({ places }: Representatives, verdicts: Float32Array): Float32Array =>
  Float32Array.from(places, (place) => verdicts[place] ?? 0);

function kindProbabilities({ kinds }: Model, about: Float32Array): Float32Array {
  const scores = Float32Array.from(kinds, (forest) => predict(forest, about, 0));
  const sum = scores.reduce((total, score) => total + score, 0);
  return scores.map((score) => score / Math.max(sum, 1e-6));
}
