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

/** Places of hashes, by open addressing, so that looking a word up cuts no string. */
export class HashTable {
  private readonly mask: number;
  private readonly hashes: Int32Array;
  /** 0 for an empty slot, else the place and one. */
  private readonly places: Int32Array;

  constructor(hashes: Int32Array) {
    let size = 16;
    while (size < hashes.length * 2) size *= 2;
    this.mask = size - 1;
    this.hashes = new Int32Array(size);
    this.places = new Int32Array(size);
    for (let place = 0; place < hashes.length; place++) {
      const slot = this.slot(hashes[place] ?? 0);
      this.hashes[slot] = hashes[place] ?? 0;
      this.places[slot] = place + 1;
    }
  }

  /** The hash's place among those it was made of, -1 for another. */
  find(hash: number): number {
    return (this.places[this.slot(hash)] ?? 0) - 1;
  }

  private slot(hash: number): number {
    let slot = hash & this.mask;
    while (this.places[slot] !== 0 && this.hashes[slot] !== hash) slot = (slot + 1) & this.mask;
    return slot;
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
