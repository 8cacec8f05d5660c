import type { PageKind } from "../page-kind.js";
import type { Node, Tree } from "../tree.js";
import { type BlockText, measureText } from "./block-text.js";
import { type Blocks, splitBlocks } from "./blocks.js";
import type { NameCues, WordCues } from "./cues.js";
import { type KindWords, kindWordsOf } from "./kind-words.js";
import { measurePlaces, type Places } from "./places.js";
import { MAX_SHORT_WORDS, measureRepetition, type Repetition } from "./repetition.js";

/** What a page says of itself besides its text. */
export interface PageFacts {
  readonly title: string;
  readonly description: string;
  /** As its marks and address tell. */
  readonly kind: PageKind;
  readonly url: string | undefined;
  /** Types that its JSON-LD and Open Graph claim. */
  readonly types: readonly string[];
}

/** Everything that is measured of a page once, for all columns of all blocks. */
export interface PageBlocks {
  readonly tree: Tree;
  readonly gone: Uint8Array;
  readonly blocks: Blocks;
  readonly text: BlockText;
  readonly places: Places;
  readonly repetition: Repetition;
  readonly facts: PageFacts;
  readonly words: WordCues;
  /** Sums of the blocks before each, one longer than the blocks. */
  readonly sums: Sums;
  /** 1 for blocks of sentences. */
  readonly isProse: Uint8Array;
  /** The innermost element that holds most of the sentences. */
  readonly root: Node;
  readonly firstHeading: number;
  /** The block that repeats most of the page's title, -1 when none does. */
  readonly titleBlock: number;
  readonly firstProse: number;
  readonly lastProse: number;
  /** How far the words of each short block lean, the mean of those that do. */
  readonly wordMeans: Float32Array;
  /** How far the page's words lean towards each kind. */
  readonly kindLeanings: Float32Array;
}

interface Sums {
  readonly chars: Float64Array;
  readonly linkChars: Float64Array;
  readonly proseChars: Float64Array;
}

const MIN_PROSE_CHARS = 80;
const MAX_PROSE_LINKS = 0.4;
const ROOT_SHARE = 0.6;

/** A title that is repeated by less than this is not repeated. */
const MIN_TITLE_SHARE = 0.34;

export interface LearnedWords {
  readonly names: NameCues;
  readonly words: WordCues;
  readonly kindWords: KindWords;
}

export function measurePage(tree: Tree, gone: Uint8Array, facts: PageFacts, learned: LearnedWords): PageBlocks {
  const blocks = splitBlocks(tree, gone);
  const text = measureText(tree, gone, blocks);
  const isProse = new Uint8Array(blocks.count);
  const proseChars = new Int32Array(blocks.count);
  let firstHeading = -1;
  for (let block = 0; block < blocks.count; block++) {
    const chars = text.chars[block] ?? 0;
    const linkChars = text.linkChars[block] ?? 0;
    const hasStops = (text.stops[block] ?? 0) + (text.commas[block] ?? 0) > 0;
    if (chars >= MIN_PROSE_CHARS && linkChars < chars * MAX_PROSE_LINKS && hasStops) {
      isProse[block] = 1;
      proseChars[block] = chars - linkChars;
    }
    if (firstHeading < 0 && tree.nodes[blocks.owners[block] ?? 0]?.tag.headingLevel === 1) firstHeading = block;
  }
  const repetition = measureRepetition(text, facts);
  const sums = { chars: running(text.chars), linkChars: running(text.linkChars), proseChars: running(proseChars) };
  return {
    tree,
    gone,
    blocks,
    text,
    places: measurePlaces(tree, gone, blocks, learned.names),
    repetition,
    facts,
    words: learned.words,
    sums,
    isProse,
    root: densest(tree, gone, blocks, sums.proseChars),
    firstHeading,
    titleBlock: repetition.title.reduce(
      (best, share, block) => (share > Math.max(MIN_TITLE_SHARE, repetition.title[best] ?? 0) ? block : best),
      -1,
    ),
    firstProse: isProse.indexOf(1),
    lastProse: isProse.lastIndexOf(1),
    wordMeans: meansOf(text, learned.words),
    kindLeanings: learned.kindWords.of(kindWordsOf(text, facts.url)),
  };
}

function meansOf(text: BlockText, cues: WordCues): Float32Array {
  const means = new Float32Array(text.chars.length);
  for (let block = 0; block < means.length; block++) {
    const start = text.wordStarts[block] ?? 0;
    const end = text.wordStarts[block + 1] ?? 0;
    if (end - start > MAX_SHORT_WORDS) continue;
    let sum = 0;
    let leaning = 0;
    for (let word = start; word < end; word++) {
      const cue = cues.of(text.wordHashes[word] ?? 0);
      sum += cue;
      if (cue !== 0) leaning += 1;
    }
    means[block] = sum / Math.max(1, leaning);
  }
  return means;
}

/** Sums of everything before each place. */
export function running(values: ArrayLike<number>): Float64Array {
  const sums = new Float64Array(values.length + 1);
  for (let at = 0; at < values.length; at++) sums[at + 1] = (sums[at] ?? 0) + (values[at] ?? 0);
  return sums;
}

/** What lies between two places of running sums. */
export function between(sums: Float64Array, start: number, end: number): number {
  return (sums[end] ?? 0) - (sums[start] ?? 0);
}

function densest(tree: Tree, gone: Uint8Array, { before, count }: Blocks, proseChars: Float64Array): Node {
  const needed = (proseChars[count] ?? 0) * ROOT_SHARE;
  let root = tree.root;
  for (let at = 1; at < tree.nodes.length; ) {
    const node = tree.nodes[at];
    if (node === undefined) break;
    const held = gone[at] === 1 ? 0 : between(proseChars, before[at] ?? 0, before[node.end] ?? 0);
    if (node.text === "" && needed > 0 && held >= needed) {
      if (node.tag.isBlock) root = node;
      at += 1;
    } else at = node.end;
  }
  return root;
}
