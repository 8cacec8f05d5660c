import { HASH_START, hashNext } from "./hash.js";

/** Learned leanings of words in class names and ids: below 0 towards what is round the content, above 0 towards it. */
export interface NameCues {
  /** The strongest leaning among the words of a class attribute or an id. */
  of(names: string): number;
}

/** Learned leanings of words in short texts, by the word's hash. */
export interface WordCues {
  of(hash: number): number;
}

/** Leanings are kept in steps of a sixteenth. */
export const CUE_STEPS = 16;

/** Places of sorted hashes: looking a word up cuts no string and unpacking builds no table. */
export class HashTable {
  private readonly hashes: Int32Array;

  constructor(hashes: Int32Array) {
    this.hashes = hashes;
  }

  /** The hash's place, -1 for an unknown one. */
  find(hash: number): number {
    const { hashes } = this;
    let low = 0;
    let high = hashes.length - 1;
    while (low <= high) {
      const middle = (low + high) >> 1;
      const found = hashes[middle] ?? 0;
      if (found === hash) return middle;
      if (found < hash) low = middle + 1;
      else high = middle - 1;
    }
    return -1;
  }
}

/** Leanings in whole steps, by hash. */
export class CueTable implements WordCues {
  private readonly table: HashTable;
  private readonly values: Int8Array;

  constructor(hashes: Int32Array, values: Int8Array) {
    this.table = new HashTable(hashes);
    this.values = values;
  }

  of(hash: number): number {
    return (this.values[this.table.find(hash)] ?? 0) / CUE_STEPS;
  }
}

const MIN_NAME_CHARS = 2;

/** Calls `visit` with the hash of each word in a class attribute or an id: `postBody_3x post-body` has post and body. */
export function eachNameWord(names: string, visit: (hash: number, start: number, end: number) => void): void {
  let hash = HASH_START;
  let start = 0;
  let wasUpper = false;
  const end = (at: number): void => {
    if (at - start >= MIN_NAME_CHARS) visit(hash, start, at);
    hash = HASH_START;
    start = at;
  };
  for (let at = 0; at < names.length; at++) {
    const code = names.charCodeAt(at);
    const isUpper = code >= 0x41 && code <= 0x5a;
    const isLetter = isUpper || (code >= 0x61 && code <= 0x7a);
    if (!isLetter) {
      end(at);
      start = at + 1;
    } else {
      if (isUpper && !wasUpper && at > start) end(at);
      hash = hashNext(hash, isUpper ? code + 32 : code);
    }
    wasUpper = isUpper;
  }
  end(names.length);
}

export function nameCues(table: WordCues): NameCues {
  return {
    of(names) {
      let lowest = 0;
      let highest = 0;
      eachNameWord(names, (hash) => {
        const cue = table.of(hash);
        if (cue < lowest) lowest = cue;
        else if (cue > highest) highest = cue;
      });
      return -lowest > highest ? lowest : highest;
    },
  };
}
