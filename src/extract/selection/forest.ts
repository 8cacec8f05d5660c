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

/** Reads the numbers of packed weights one after the other, little-endian. */
export class ByteReader {
  private readonly bytes: Uint8Array;
  private readonly view: DataView;
  private at = 0;

  constructor(bytes: Uint8Array) {
    this.bytes = bytes;
    this.view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  }

  u16(): number {
    this.at += 2;
    return this.view.getUint16(this.at - 2, true);
  }

  f32(): number {
    this.at += 4;
    return this.view.getFloat32(this.at - 4, true);
  }

  i16s(count: number): Int16Array {
    const values = new Int16Array(count);
    for (let index = 0; index < count; index++) values[index] = this.view.getInt16(this.at + index * 2, true);
    this.at += count * 2;
    return values;
  }

  i32s(count: number): Int32Array {
    const values = new Int32Array(count);
    for (let index = 0; index < count; index++) values[index] = this.view.getInt32(this.at + index * 4, true);
    this.at += count * 4;
    return values;
  }

  bytesOf(count: number): Uint8Array {
    this.at += count;
    return this.bytes.subarray(this.at - count, this.at);
  }
}

/** A forest as `bench/reader/train/pack.mjs` writes it; thresholds and leaves are steps of a table. */
export function unpackForest(reader: ByteReader): Forest {
  const base = reader.f32();
  const leafStep = reader.f32();
  const treeCount = reader.u16();
  const nodeCount = reader.u16();
  const leafCount = reader.u16();
  const cuts = Float32Array.from({ length: reader.u16() }, () => reader.f32());
  const roots = reader.i16s(treeCount);
  const cutIndexes = reader.i16s(nodeCount);
  const lefts = reader.i16s(nodeCount);
  const rights = reader.i16s(nodeCount);
  return {
    base,
    roots,
    columns: reader.bytesOf(nodeCount),
    thresholds: Float32Array.from(cutIndexes, (index) => cuts[index] ?? 0),
    lefts,
    rights,
    leaves: Float32Array.from(reader.i16s(leafCount), (steps) => steps * leafStep),
  };
}
