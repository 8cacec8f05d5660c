// Learned words and trees as bytes, the way src/extract/selection reads them: counts, then arrays of numbers.

/** @param {{ cues: { names: Map, words: Map, kindWords: Map }, kinds: object[], first: object, second: object }} model */
export function packModel({ cues, kinds, first, second }) {
  return Buffer.concat([
    packWords(cues.names),
    packWords(cues.words),
    packWords(cues.kindWords),
    ...[...kinds, first, second].map(packForest),
  ]);
}

/** Hashes in rising order, then the leaning of each, or one a kind. */
function packWords(leanings) {
  const entries = [...leanings].map(([hash, leaning]) => [hash | 0, leaning]).sort(([a], [b]) => a - b);
  return Buffer.concat([
    bytesOf(Int32Array.of(entries.length)),
    bytesOf(Int32Array.from(entries, ([hash]) => hash)),
    bytesOf(Int8Array.from(entries.flatMap(([, leaning]) => leaning))),
  ]);
}

export function packForest({ base, trees }) {
  const nodes = [];
  const leaves = [];
  const roots = trees.map((tree) => {
    const place = (node) => {
      if (tree.feature[node] < 0) return ~(leaves.push(tree.value[node]) - 1);
      const own = nodes.push(undefined) - 1;
      const left = place(tree.left[node]);
      const right = place(tree.right[node]);
      nodes[own] = { column: tree.feature[node], threshold: tree.threshold[node], left, right };
      return own;
    };
    return place(0);
  });
  return Buffer.concat([
    bytesOf(Float32Array.of(base)),
    bytesOf(Int16Array.of(trees.length, nodes.length, leaves.length)),
    bytesOf(Int16Array.from(roots)),
    bytesOf(Float32Array.from(nodes, ({ threshold }) => threshold)),
    bytesOf(Int16Array.from(nodes, ({ left }) => left)),
    bytesOf(Int16Array.from(nodes, ({ right }) => right)),
    bytesOf(Uint8Array.from(nodes, ({ column }) => column)),
    bytesOf(Float32Array.from(leaves)),
  ]);
}

const bytesOf = (array) => Buffer.from(array.buffer);
