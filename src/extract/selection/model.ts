import { ByteReader } from "./byte-reader.js";
import { CueTable, HashTable, type NameCues, nameCues, type WordCues } from "./cues.js";
import { type Forest, unpackForest } from "./forest.js";
import { KindWords } from "./kind-words.js";
import { LEARNED_KINDS } from "./page-columns.js";
import { WEIGHTS } from "./weights.js";

/** What was learned from pages whose content is known; `bench/reader/train` makes it. */
export interface Model {
  readonly names: NameCues;
  readonly words: WordCues;
  readonly kindWords: KindWords;
  /** One forest a kind of page, in the order of `LEARNED_KINDS`. */
  readonly kinds: readonly Forest[];
  readonly first: Forest;
  readonly second: Forest;
}

/** The weights that come with the package. Unpacking is a copy: nothing keeps them between calls. */
export function loadModel(): Model {
  return unpackModel(Buffer.from(WEIGHTS, "base64"));
}

export function unpackModel(bytes: Uint8Array): Model {
  const reader = new ByteReader(bytes);
  return {
    names: nameCues(unpackCues(reader)),
    words: unpackCues(reader),
    kindWords: unpackKindWords(reader),
    kinds: LEARNED_KINDS.map(() => unpackForest(reader)),
    first: unpackForest(reader),
    second: unpackForest(reader),
  };
}

function unpackCues(reader: ByteReader): CueTable {
  const [count = 0] = reader.int32s(1);
  const hashes = reader.int32s(count);
  return new CueTable(hashes, new Int8Array(reader.bytes(count)));
}

function unpackKindWords(reader: ByteReader): KindWords {
  const [count = 0] = reader.int32s(1);
  const hashes = reader.int32s(count);
  const leanings = new Int8Array(reader.bytes(count * LEARNED_KINDS.length));
  return new KindWords(new HashTable(hashes), leanings, LEARNED_KINDS.length);
}
