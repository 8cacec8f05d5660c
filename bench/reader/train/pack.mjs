// Learned words and trees as bytes, the way src/extract/selection reads them.

const LEAF_STEPS = 32_000;

/** @param {{ cues: { names: Map, words: Map }, kinds: object[], first: object, second: object }} model */
export function packModel({ cues, kinds, first, second }) {
  return Buffer.concat([
    packCues(cues.names),
    packCues(cues.words),
    packKindWords(cues.kindWords),
    ...[...kinds, first, second].map(packForest),
  ]);
}

function packCues(leanings) {
  const entries = [...leanings].slice(0, 65_535);
  const bytes = Buffer.alloc(2 + entries.length * 5);
  bytes.writeUInt16LE(entries.length, 0);
  for (const [place, [hash, value]] of entries.entries()) {
    bytes.writeInt32LE(hash | 0, 2 + place * 4);
    bytes.writeInt8(value, 2 + entries.length * 4 + place);
  }
  return bytes;
}

function packKindWords(leanings) {
  const hashes = Buffer.alloc(2 + leanings.size * 4);
  hashes.writeUInt16LE(leanings.size, 0);
  for (const [place, hash] of [...leanings.keys()].entries()) hashes.writeInt32LE(hash | 0, 2 + place * 4);
  return Buffer.concat([hashes, Buffer.from(Int8Array.from([...leanings.values()].flat()).buffer)]);
}

export function packForest({ base, trees }) {
  const cuts = [...new Set(trees.flatMap((tree) => tree.threshold.filter((_, node) => tree.feature[node] >= 0)))].sort(
    (a, b) => a - b,
  );
  const cutIndex = new Map(cuts.map((cut, index) => [cut, index]));
  const nodes = [];
  const leaves = [];
  const roots = trees.map((tree) => {
    const place = (node) => {
      if (tree.feature[node] < 0) {
        leaves.push(tree.value[node]);
        return ~(leaves.length - 1);
      }
      const own = nodes.push(undefined) - 1;
      const left = place(tree.left[node]);
      const right = place(tree.right[node]);
      nodes[own] = { column: tree.feature[node], cut: cutIndex.get(tree.threshold[node]), left, right };
      return own;
    };
    return place(0);
  });
  const largest = leaves.reduce((max, value) => Math.max(max, Math.abs(value)), 1e-9);
  const step = largest / LEAF_STEPS;
  const head = Buffer.alloc(16);
  head.writeFloatLE(base, 0);
  head.writeFloatLE(step, 4);
  for (const [place, size] of [trees.length, nodes.length, leaves.length, cuts.length].entries())
    head.writeUInt16LE(size, 8 + place * 2);
  return Buffer.concat([
    head,
    Buffer.from(Float32Array.from(cuts).buffer),
    int16(roots),
    int16(nodes.map(({ cut }) => cut)),
    int16(nodes.map(({ left }) => left)),
    int16(nodes.map(({ right }) => right)),
    Buffer.from(nodes.map(({ column }) => column)),
    int16(leaves.map((value) => Math.round(value / step))),
  ]);
}

const int16 = (values) => Buffer.from(Int16Array.from(values).buffer);
