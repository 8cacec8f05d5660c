import { LEVELS } from "./columns.js";
import { between, type PageBlocks, running } from "./page-blocks.js";

/** How far the first opinion on neighbours is looked at. */
const NEAR = [-4, -3, -2, -1, 1, 2, 3, 4];
const WINDOW = 10;
const ABSENT = -0.1;

/** Columns of what the first opinion said of a block and of those round it. */
export const OPINION_COLUMNS: readonly string[] = [
  "opinion",
  ...NEAR.map((offset) => `opinion@${offset}`),
  ...Array.from({ length: LEVELS + 1 }, (_, level) => `opinion:${level + 1}`),
  "opinionWindow",
  "opinionBefore",
  "opinionMean",
  "opinionSum",
];

/** Writes a block's columns into `row`, from `at` on. */
export type FillOpinions = (block: number, row: Float32Array, at: number) => void;

export function opinionsOf({ tree, blocks, text }: PageBlocks, opinions: Float32Array): FillOpinions {
  const { count, before, owners } = blocks;
  const chars = running(text.chars);
  const kept = running(opinions.map((opinion, block) => opinion * (text.chars[block] ?? 0)));
  const share = (start: number, end: number): number =>
    between(kept, start, end) / Math.max(1, between(chars, start, end));
  return (block, row, at) => {
    let place = at;
    row[place++] = opinions[block] ?? 0;
    for (const offset of NEAR) row[place++] = opinions[block + offset] ?? ABSENT;
    const levelsEnd = place + LEVELS + 1;
    let held = -1;
    let level = 0;
    for (let element = tree.nodes[owners[block] ?? 0]; element !== undefined; element = element.parent) {
      if (place === levelsEnd) break;
      const start = before[element.index] ?? 0;
      const end = before[element.end] ?? 0;
      if (end - start === held) continue;
      held = end - start;
      if (level > 0) row[place++] = share(start, end);
      level += 1;
    }
    while (place < levelsEnd) row[place++] = share(0, count);
    row[place++] = share(Math.max(0, block - WINDOW), Math.min(count, block + WINDOW + 1));
    row[place++] = (kept[block] ?? 0) / Math.max(1, kept[count] ?? 0);
    row[place++] = share(0, count);
    row[place++] = kept[count] ?? 0;
  };
}
