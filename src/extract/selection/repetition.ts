import type { BlockText } from "./block-text.js";
import { eachWord, HASH_START, hashNext } from "./hash.js";

/** Texts that a page says more than once, or says of itself. */
export interface Repetition {
  /** How many blocks have the same words, and which of them each is. */
  readonly copies: Int32Array;
  readonly copyIndex: Int32Array;
  /** Share of a longer block's passages that stood in an earlier block, as in quoted posts, 0..1. */
  readonly quoted: Float32Array;
  /** Share of the page's title that a shorter block repeats, 0..1. */
  readonly title: Float32Array;
  /** Share of a shorter block's words that stand in the page's description, 0..1. */
  readonly description: Float32Array;
}

/** Longer blocks are not compared with the title. */
export const MAX_SHORT_WORDS = 60;
const PASSAGE_WORDS = 6;
const MIN_QUOTED_WORDS = 8;
const MIN_TITLE_CHARS = 3;
const MAX_TITLE_SHARE_WORDS = 30;

export function measureRepetition(
  text: BlockText,
  facts: { readonly title: string; readonly description: string },
): Repetition {
  const count = text.chars.length;
  const repetition = {
    copies: new Int32Array(count),
    copyIndex: new Int32Array(count),
    quoted: new Float32Array(count),
    title: new Float32Array(count),
    description: new Float32Array(count),
  };
  const titleWords = wordSet(facts.title);
  const descriptionWords = wordSet(facts.description);
  const same = new Map<number, number[]>();
  const passages = new Set<number>();
  for (let block = 0; block < count; block++) {
    const words = text.wordHashes.subarray(text.wordStarts[block] ?? 0, text.wordStarts[block + 1] ?? 0);
    let whole = HASH_START;
    for (const word of words) whole = hashNext(whole, word);
    const group = same.get(whole);
    if (group === undefined) same.set(whole, [block]);
    else group.push(block);
    repetition.quoted[block] = quotedShare(words, passages);
    if (words.length === 0 || words.length > MAX_SHORT_WORDS) continue;
    const divisor = Math.max(titleWords.size, 1, Math.min(words.length, MAX_TITLE_SHARE_WORDS));
    repetition.title[block] = countIn(words, titleWords) / divisor;
    repetition.description[block] = countIn(words, descriptionWords) / words.length;
  }
  for (const group of same.values()) {
    for (const [place, block] of group.entries()) {
      repetition.copies[block] = group.length;
      repetition.copyIndex[block] = place;
    }
  }
  return repetition;
}

/** Notes a block's passages after looking for them. */
function quotedShare(words: Int32Array, passages: Set<number>): number {
  if (words.length < MIN_QUOTED_WORDS) return 0;
  const own: number[] = [];
  let found = 0;
  for (let at = 0; at + PASSAGE_WORDS <= words.length; at++) {
    let passage = HASH_START;
    for (let word = at; word < at + PASSAGE_WORDS; word++) passage = hashNext(passage, words[word] ?? 0);
    if (passages.has(passage)) found += 1;
    // A later quotation may begin anywhere: one side keeps every place, the other would only be slower with them.
    if (at % 3 === 0) own.push(passage);
  }
  for (const passage of own) passages.add(passage);
  // Every third passage is kept, so a full quotation finds a third of its own.
  return Math.min(1, (found * 3) / (words.length - PASSAGE_WORDS + 1));
}

function countIn(words: Int32Array, wanted: ReadonlySet<number>): number {
  let found = 0;
  for (const word of words) if (wanted.has(word)) found += 1;
  return found;
}

function wordSet(text: string): ReadonlySet<number> {
  const words = new Set<number>();
  eachWord(text, (hash, chars) => {
    if (chars >= MIN_TITLE_CHARS) words.add(hash);
  });
  return words;
}
