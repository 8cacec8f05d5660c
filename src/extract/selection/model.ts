import { CueTable, HashTable, type NameCues, nameCues, type WordCues } from "./cues.js";
import { ByteReader, type Forest, unpackForest } from "./forest.js";
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

/** The weights that come with the package. Unpacking takes a fraction of a millisecond and nothing keeps them. */
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
  const count = reader.u16();
  const hashes = reader.i32s(count);
  return new CueTable(hashes, new Int8Array(reader.bytesOf(count)));
}

function unpackKindWords(reader: ByteReader): KindWords {
  const count = reader.u16();
  const hashes = reader.i32s(count);
  const leanings = new Int8Array(reader.bytesOf(count * LEARNED_KINDS.length));
  return new KindWords(new HashTable(hashes), leanings, LEARNED_KINDS.length);
}
