import type { ByteReader } from "./byte-reader.js";

/**
 * Gradient-boosted trees, packed: inner nodes of all trees in one array, each with a column, a threshold and two
 * children; a child below 0 is the leaf `~child`.
 */
export interface Forest {
  readonly base: number;
  /** First node of each tree, or `~leaf` for a tree of one leaf. */
  readonly roots: Int16Array;
  readonly columns: Uint8Array;
  readonly thresholds: Float32Array;
  readonly lefts: Int16Array;
  readonly rights: Int16Array;
  readonly leaves: Float32Array;
}

/** The share that the trees expect for the row that begins at `offset`, 0..1. */
export function predict(forest: Forest, rows: Float32Array, offset: number): number {
  const { roots, columns, thresholds, lefts, rights, leaves } = forest;
  let score = forest.base;
  for (let tree = 0; tree < roots.length; tree++) {
    let node = roots[tree] ?? -1;
    while (node >= 0) {
      const value = rows[offset + (columns[node] ?? 0)] ?? 0;
      node = (value < (thresholds[node] ?? 0) ? lefts[node] : rights[node]) ?? -1;
    }
    score += leaves[~node] ?? 0;
  }
  return 1 / (1 + Math.exp(-score));
}

/** A forest as `bench/reader/train/pack.mjs` writes it. */
export function unpackForest(reader: ByteReader): Forest {
  const [base = 0] = reader.float32s(1);
  const [trees = 0, nodes = 0, leaves = 0] = reader.int16s(3);
  return {
    base,
    roots: reader.int16s(trees),
    thresholds: reader.float32s(nodes),
    lefts: reader.int16s(nodes),
    rights: reader.int16s(nodes),
    columns: reader.bytes(nodes),
    leaves: reader.float32s(leaves),
  };
}
