import type { PageBlocks } from "./page-blocks.js";

/** The blocks that are judged, and for every block the place of the one that speaks for it. */
export interface Representatives {
  readonly blocks: Int32Array;
  readonly places: Int32Array;
}

/** Rows of a table and cards of a shelf look alike: of more than this, only about so many are judged. */
const MAX_JUDGED_ALIKE = 96;
/** Pages with less are judged whole. */
const MIN_BLOCKS = 1_500;
/** Where everything looks different, at most about so many blocks are judged. */
const MAX_JUDGED = 6_000;

/** Every block speaks for itself, but for long runs of blocks that look alike. */
export function representativesOf({ tree, blocks }: PageBlocks): Representatives {
  const { count, owners } = blocks;
  if (count < MIN_BLOCKS) return itself(count);
  const members = new Map<string, number>();
  const looks = Array.from({ length: count }, (_, block) => {
    const owner = tree.nodes[owners[block] ?? 0];
    const look = `${owner?.tag.name}.${owner?.className}<${owner?.parent?.tag.name}.${owner?.parent?.className}`;
    members.set(look, (members.get(look) ?? 0) + 1);
    return look;
  });
  const least = Math.ceil(count / MAX_JUDGED);
  const judged: number[] = [];
  const places = new Int32Array(count);
  const seen = new Map<string, { next: number; place: number }>();
  for (const [block, look] of looks.entries()) {
    const group = seen.get(look);
    if (group !== undefined && group.next > 0) {
      group.next -= 1;
      places[block] = group.place;
      continue;
    }
    places[block] = judged.push(block) - 1;
    const step = Math.max(least, Math.ceil((members.get(look) ?? 1) / MAX_JUDGED_ALIKE));
    seen.set(look, { next: step - 1, place: places[block] ?? 0 });
  }
  return { blocks: Int32Array.from(judged), places };
}

export function itself(count: number): Representatives {
  const all = Int32Array.from({ length: count }, (_, block) => block);
  return { blocks: all, places: all };
}
