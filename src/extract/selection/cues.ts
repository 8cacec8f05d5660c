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

/** Open addressing over hashes, so that looking a word up cuts no string. */
export class CueTable implements WordCues {
  private readonly mask: number;
  private readonly hashes: Int32Array;
  private readonly values: Int8Array;
  private readonly used: Uint8Array;

  constructor(hashes: Int32Array, values: Int8Array) {
    let size = 16;
    while (size < hashes.length * 2) size *= 2;
    this.mask = size - 1;
    this.hashes = new Int32Array(size);
    this.values = new Int8Array(size);
    this.used = new Uint8Array(size);
    for (let at = 0; at < hashes.length; at++) {
      const slot = this.slot(hashes[at] ?? 0);
      this.hashes[slot] = hashes[at] ?? 0;
      this.values[slot] = values[at] ?? 0;
      this.used[slot] = 1;
    }
  }

  of(hash: number): number {
    return (this.values[this.slot(hash)] ?? 0) / CUE_STEPS;
  }

  private slot(hash: number): number {
    let slot = hash & this.mask;
    while (this.used[slot] === 1 && this.hashes[slot] !== hash) slot = (slot + 1) & this.mask;
    return slot;
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
