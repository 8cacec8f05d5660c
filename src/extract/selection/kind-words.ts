import type { BlockText } from "./block-text.js";
import { CUE_STEPS, type HashTable } from "./cues.js";
import { eachWord, hashOf } from "./hash.js";
import { MAX_SHORT_WORDS } from "./repetition.js";

/** Words of the address are other words than those of the text. */
const ADDRESS_START = hashOf("//");

/** Every word that tells a page's kind, once: those of its short blocks, and of its address. */
export function kindWordsOf(text: BlockText, url: string | undefined): ReadonlySet<number> {
  const words = new Set<number>();
  for (let block = 0; block < text.chars.length; block++) {
    const start = text.wordStarts[block] ?? 0;
    const end = text.wordStarts[block + 1] ?? 0;
    if (end - start > MAX_SHORT_WORDS) continue;
    for (let word = start; word < end; word++) words.add(text.wordHashes[word] ?? 0);
  }
  eachWord(url ?? "", (hash) => words.add(hash), ADDRESS_START);
  return words;
}

/** Learned leanings of words towards each kind of page (naive Bayes, by presence). */
export class KindWords {
  private readonly places: HashTable;
  private readonly leanings: Int8Array;
  private readonly kinds: number;

  /** `leanings` holds `kinds` values for each word, in the order of the words in `places`. */
  constructor(places: HashTable, leanings: Int8Array, kinds: number) {
    this.places = places;
    this.leanings = leanings;
    this.kinds = kinds;
  }

  /** The mean leaning of the words towards each kind. */
  of(words: ReadonlySet<number>): Float32Array {
    const sums = new Float32Array(this.kinds);
    let known = 0;
    for (const word of words) {
      const place = this.places.find(word);
      if (place < 0) continue;
      known += 1;
      for (let kind = 0; kind < this.kinds; kind++)
        sums[kind] = (sums[kind] ?? 0) + (this.leanings[place * this.kinds + kind] ?? 0) / CUE_STEPS;
    }
    return sums.map((sum) => sum / Math.sqrt(Math.max(1, known)));
  }
}
