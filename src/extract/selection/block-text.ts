import type { Tree } from "../tree.js";
import type { Blocks } from "./blocks.js";
import { HASH_START, hashNext, wordCode } from "./hash.js";

/** How a block's text ends. */
export const ENDING = { none: 0, sentence: 1, colon: 2, question: 3 } as const;

/** Counts of each block's text, by block. White space is collapsed before anything is counted. */
export interface BlockText {
  readonly chars: Int32Array;
  readonly linkChars: Int32Array;
  readonly words: Int32Array;
  readonly links: Int32Array;
  readonly images: Int32Array;
  readonly inlineElements: Int32Array;
  readonly stops: Int32Array;
  readonly commas: Int32Array;
  readonly digits: Int32Array;
  readonly capitals: Int32Array;
  readonly symbols: Int32Array;
  readonly nonAscii: Int32Array;
  readonly prices: Int32Array;
  readonly years: Int32Array;
  readonly endings: Uint8Array;
  readonly startsLower: Uint8Array;
  /** Hashes of all words in order; a block's are `wordStarts[block] .. wordStarts[block + 1]`. */
  readonly wordHashes: Int32Array;
  readonly wordStarts: Int32Array;
}

const SPACE = 0x20;
const SENTENCE_ENDS: ReadonlySet<number> = new Set([..."?!.…。！？"].map((char) => char.charCodeAt(0)));
const STOPS: ReadonlySet<number> = new Set([...".!?;:。；：！？"].map((char) => char.charCodeAt(0)));
const COMMAS: ReadonlySet<number> = new Set([...",、，،"].map((char) => char.charCodeAt(0)));
/** Signs of menus, trails and copyright lines. */
const SYMBOLS: ReadonlySet<number> = new Set([..."|»›©·•→★"].map((char) => char.charCodeAt(0)));
const CURRENCIES: ReadonlySet<number> = new Set([..."$€£¥₹"].map((char) => char.charCodeAt(0)));
const CLOSERS: ReadonlySet<number> = new Set([..."\"'”’)]»"].map((char) => char.charCodeAt(0)));
const SEPARATES: ReadonlySet<string> = new Set(["br", "td", "th", "img", "wbr"]);

const isDigit = (code: number): boolean => code >= 0x30 && code <= 0x39;

/** One pass over the text of all blocks. */
export function measureText(tree: Tree, gone: Uint8Array, blocks: Blocks): BlockText {
  const { nodes } = tree;
  const { count, starts, ends, owners } = blocks;
  const ints = (): Int32Array => new Int32Array(count);
  const text = {
    chars: ints(),
    linkChars: ints(),
    words: ints(),
    links: ints(),
    images: ints(),
    inlineElements: ints(),
    stops: ints(),
    commas: ints(),
    digits: ints(),
    capitals: ints(),
    symbols: ints(),
    nonAscii: ints(),
    prices: ints(),
    years: ints(),
    endings: new Uint8Array(count),
    startsLower: new Uint8Array(count),
    wordStarts: new Int32Array(count + 1),
  };
  const hashes: number[] = [];
  for (let block = 0; block < count; block++) {
    text.wordStarts[block] = hashes.length;
    const owner = owners[block] ?? 0;
    let linkEnd = linkAround(tree, starts[block] ?? 0, owner);
    if (linkEnd > 0) text.links[block] = 1;
    let hash = HASH_START;
    let isInWord = false;
    let digitRun = 0;
    let runStart = 0;
    let chars = 0;
    let linkChars = 0;
    let words = 0;
    let last = SPACE;
    let ending = SPACE;
    const end = ends[block] ?? 0;
    for (let at = starts[block] ?? 0; at < end; ) {
      const node = nodes[at];
      if (node === undefined) break;
      if (gone[at] === 1) {
        at = node.end;
        continue;
      }
      at += 1;
      const { text: run } = node;
      if (run === "") {
        const { name } = node.tag;
        text.inlineElements[block] = (text.inlineElements[block] ?? 0) + 1;
        if (name === "a") {
          linkEnd = Math.max(linkEnd, node.end);
          text.links[block] = (text.links[block] ?? 0) + 1;
        } else if (name === "img") text.images[block] = (text.images[block] ?? 0) + 1;
        if (!SEPARATES.has(name)) continue;
      }
      const before = chars;
      // An element that separates is read as a space.
      const length = Math.max(run.length, 1);
      for (let offset = 0; offset < length; offset++) {
        const code = run === "" ? SPACE : run.charCodeAt(offset);
        const letter = wordCode(code);
        if (letter !== 0) {
          hash = hashNext(hash, letter);
          isInWord = true;
        } else if (isInWord) {
          hashes.push(hash);
          hash = HASH_START;
          isInWord = false;
        }
        if (isDigit(code)) {
          if (digitRun === 0) runStart = code;
          digitRun += 1;
        } else if (digitRun > 0) {
          // 1900 to 2099, as far as one digit tells.
          if (digitRun === 4 && (runStart === 0x31 || runStart === 0x32))
            text.years[block] = (text.years[block] ?? 0) + 1;
          digitRun = 0;
        }
        if (code <= SPACE || code === 0xa0) {
          if (last !== SPACE) chars += 1;
          last = SPACE;
          continue;
        }
        chars += 1;
        if (last === SPACE) {
          words += 1;
          if (code >= 0x41 && code <= 0x5a) text.capitals[block] = (text.capitals[block] ?? 0) + 1;
          if (words === 1 && code >= 0x61 && code <= 0x7a) text.startsLower[block] = 1;
        }
        if (letter === 0) {
          if (STOPS.has(code)) text.stops[block] = (text.stops[block] ?? 0) + 1;
          else if (COMMAS.has(code)) text.commas[block] = (text.commas[block] ?? 0) + 1;
          else if (SYMBOLS.has(code)) text.symbols[block] = (text.symbols[block] ?? 0) + 1;
          if (!CLOSERS.has(code)) ending = code;
        } else {
          ending = code;
          if (isDigit(code)) {
            text.digits[block] = (text.digits[block] ?? 0) + 1;
            if (CURRENCIES.has(last)) text.prices[block] = (text.prices[block] ?? 0) + 1;
          }
        }
        if (code > 0x7f) text.nonAscii[block] = (text.nonAscii[block] ?? 0) + 1;
        last = code;
      }
      if (at <= linkEnd) linkChars += chars - before;
    }
    if (isInWord) hashes.push(hash);
    if (digitRun === 4 && (runStart === 0x31 || runStart === 0x32)) text.years[block] = (text.years[block] ?? 0) + 1;
    if (last === SPACE && chars > 0) chars -= 1;
    text.chars[block] = chars;
    text.linkChars[block] = Math.min(linkChars, chars);
    text.words[block] = words;
    text.endings[block] = endingOf(ending);
  }
  text.wordStarts[count] = hashes.length;
  return { ...text, wordHashes: Int32Array.from(hashes) };
}

function endingOf(code: number): number {
  if (code === 0x3f || code === 0xff1f) return ENDING.question;
  if (code === 0x3a || code === 0xff1a) return ENDING.colon;
  return SENTENCE_ENDS.has(code) ? ENDING.sentence : ENDING.none;
}

/** How far above a block a link round it is looked for: cards are links, pages are not. */
const MAX_LINK_DISTANCE = 64;

/** End of the link that a block's text begins in, 0 when it begins in none. */
function linkAround(tree: Tree, start: number, owner: number): number {
  for (let outer = tree.nodes[start]?.parent; outer !== undefined; outer = outer.parent) {
    if (outer.tag.name === "a") return outer.end;
    if (owner - outer.index > MAX_LINK_DISTANCE) break;
  }
  return 0;
}
