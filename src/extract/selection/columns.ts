import type { Node } from "../tree.js";
import { between, type PageBlocks } from "./page-blocks.js";
import { NAME_GROUPS, REGIONS } from "./places.js";
import { MAX_SHORT_WORDS } from "./repetition.js";

/** A group of columns: `fill` writes one block's values into `row`, from `at` on, in the order of `names`. */
export interface ColumnGroup {
  readonly names: readonly string[];
  readonly fill: (page: PageBlocks, block: number, row: Float32Array, at: number) => void;
}

/** Columns that one function a value describes. */
function columns(table: Readonly<Record<string, (page: PageBlocks, block: number) => number>>): ColumnGroup {
  const names = Object.keys(table);
  const values = Object.values(table);
  return {
    names,
    fill(page, block, row, at) {
      for (let column = 0; column < values.length; column++) row[at + column] = values[column]?.(page, block) ?? 0;
    },
  };
}

const OWNERS: ReadonlyMap<string, number> = new Map(
  "p li h1 h2 h3 h4 h5 h6 pre blockquote td tr dt dd figcaption div section article label option address summary header footer body nav form"
    .split(" ")
    .map((name, place) => [name, place + 1]),
);
const OWNER_ALIASES: ReadonlyMap<string, string> = new Map([
  ["th", "td"],
  ["legend", "label"],
  ["button", "label"],
  ["caption", "figcaption"],
  ["main", "article"],
  ["center", "div"],
  ["textarea", "option"],
]);

const ownerOf = ({ tree, blocks }: PageBlocks, block: number): Node =>
  tree.nodes[blocks.owners[block] ?? 0] ?? tree.root;

function ownerCode(page: PageBlocks, block: number): number {
  const { name } = ownerOf(page, block).tag;
  return OWNERS.get(OWNER_ALIASES.get(name) ?? name) ?? 0;
}

const linkShare = ({ text }: PageBlocks, block: number): number =>
  (text.linkChars[block] ?? 0) / Math.max(1, text.chars[block] ?? 0);

const TEXT: ColumnGroup = columns({
  chars: ({ text }, block) => text.chars[block] ?? 0,
  words: ({ text }, block) => text.words[block] ?? 0,
  linkShare,
  links: ({ text }, block) => text.links[block] ?? 0,
  stops: ({ text }, block) => (text.stops[block] ?? 0) / Math.max(1, text.words[block] ?? 0),
  commas: ({ text }, block) => text.commas[block] ?? 0,
  digits: ({ text }, block) => (text.digits[block] ?? 0) / Math.max(1, text.chars[block] ?? 0),
  capitals: ({ text }, block) => (text.capitals[block] ?? 0) / Math.max(1, text.words[block] ?? 0),
  symbols: ({ text }, block) => text.symbols[block] ?? 0,
  nonAscii: ({ text }, block) => (text.nonAscii[block] ?? 0) / Math.max(1, text.chars[block] ?? 0),
  prices: ({ text }, block) => text.prices[block] ?? 0,
  years: ({ text }, block) => text.years[block] ?? 0,
  ending: ({ text }, block) => text.endings[block] ?? 0,
  startsLower: ({ text }, block) => text.startsLower[block] ?? 0,
  images: ({ text }, block) => text.images[block] ?? 0,
  inlineElements: ({ text }, block) => text.inlineElements[block] ?? 0,
  copies: ({ repetition }, block) => repetition.copies[block] ?? 0,
  copyIndex: ({ repetition }, block) => repetition.copyIndex[block] ?? 0,
  quoted: ({ repetition }, block) => repetition.quoted[block] ?? 0,
  title: ({ repetition }, block) => repetition.title[block] ?? 0,
  description: ({ repetition }, block) => repetition.description[block] ?? 0,
});

/** What the words of short blocks lean to: mean of those that lean, lowest, highest. */
const WORDS: ColumnGroup = {
  names: ["wordMean", "wordLowest", "wordHighest"],
  fill({ text, words, wordMeans }, block, row, at) {
    const start = text.wordStarts[block] ?? 0;
    const end = text.wordStarts[block + 1] ?? 0;
    let lowest = 0;
    let highest = 0;
    for (let word = start; word < end && end - start <= MAX_SHORT_WORDS; word++) {
      const cue = words.of(text.wordHashes[word] ?? 0);
      if (cue < lowest) lowest = cue;
      else if (cue > highest) highest = cue;
    }
    row[at] = wordMeans[block] ?? 0;
    row[at + 1] = lowest;
    row[at + 2] = highest;
  },
};

const PLACE: ColumnGroup = {
  names: [
    "owner",
    "depth",
    "cue",
    "lowestCue",
    "highestCue",
    "cueSum",
    "nearestCue",
    ...REGIONS.map(({ name }) => `in:${name}`),
    ...NAME_GROUPS.map(({ name }) => `named:${name}`),
  ],
  fill(page, block, row, at) {
    const { blocks, places, tree } = page;
    const owner = blocks.owners[block] ?? 0;
    const inner = tree.nodes[blocks.starts[block] ?? 0]?.parent?.index ?? owner;
    row[at] = ownerCode(page, block);
    row[at + 1] = ownerOf(page, block).depth;
    row[at + 2] = places.cue[owner] ?? 0;
    row[at + 3] = places.lowestCue[owner] ?? 0;
    row[at + 4] = places.highestCue[owner] ?? 0;
    row[at + 5] = places.cueSum[owner] ?? 0;
    row[at + 6] = places.nearestCue[owner] ?? 0;
    const regions = (places.regions[inner] ?? 0) | (places.regions[owner] ?? 0);
    const groups = places.groups[owner] ?? 0;
    for (let bit = 0; bit < REGIONS.length; bit++) row[at + 7 + bit] = (regions >> bit) & 1;
    for (let bit = 0; bit < NAME_GROUPS.length; bit++) row[at + 7 + REGIONS.length + bit] = (groups >> bit) & 1;
  },
};

/** Levels: the elements round a block, outwards, of which each holds more blocks than the one before. */
export const LEVELS = 5;
const LEVEL_COLUMNS = ["chars", "linkShare", "proseShare", "blocks", "ofAllProse", "cue", "position"];
const RECORD_COLUMNS = [
  "levels",
  "alike",
  "alikeChars",
  "alikeLinkShare",
  "alikeLevel",
  "alikeIndex",
  "articles",
  "articleIndex",
];
const MAX_STEPS = 64;

const AROUND: ColumnGroup = {
  names: [
    ...Array.from({ length: LEVELS }, (_, level) => LEVEL_COLUMNS.map((name) => `${name}:${level + 1}`)).flat(),
    ...RECORD_COLUMNS,
  ],
  fill({ tree, blocks, places, sums }, block, row, at) {
    const allProse = Math.max(1, sums.proseChars[blocks.count] ?? 0);
    const records = at + LEVELS * LEVEL_COLUMNS.length;
    let level = -1;
    let held = -1;
    let alike = 0;
    let articles = 0;
    row.fill(0, records, records + RECORD_COLUMNS.length);
    const measure = (place: number, start: number, end: number, cue: number): void => {
      const chars = Math.max(1, between(sums.chars, start, end));
      const prose = between(sums.proseChars, start, end);
      row[place] = chars;
      row[place + 1] = between(sums.linkChars, start, end) / chars;
      row[place + 2] = prose / chars;
      row[place + 3] = end - start;
      row[place + 4] = prose / allProse;
      row[place + 5] = cue;
      row[place + 6] = (block - start) / Math.max(1, end - start);
    };
    let element: Node | undefined = tree.nodes[blocks.owners[block] ?? 0];
    for (let steps = 0; element !== undefined && steps < MAX_STEPS; steps++, element = element.parent) {
      const { index, end } = element;
      const first = blocks.before[index] ?? 0;
      const last = blocks.before[end] ?? 0;
      if (last - first !== held) {
        held = last - first;
        level += 1;
        if (level > 0 && level <= LEVELS)
          measure(at + (level - 1) * LEVEL_COLUMNS.length, first, last, places.cue[index] ?? 0);
      }
      if ((places.alike[index] ?? 0) > alike && last > first) {
        alike = places.alike[index] ?? 0;
        const chars = between(sums.chars, first, last);
        row[records + 1] = alike;
        row[records + 2] = chars;
        row[records + 3] = between(sums.linkChars, first, last) / Math.max(1, chars);
        row[records + 4] = level;
        row[records + 5] = places.alikeIndex[index] ?? 0;
      }
      if (element.tag.name === "article" && (places.alike[index] ?? 0) > articles) {
        articles = places.alike[index] ?? 0;
        row[records + 6] = articles;
        row[records + 7] = places.alikeIndex[index] ?? 0;
      }
    }
    row[records] = level + 1;
    for (let missing = Math.max(level, 0); missing < LEVELS; missing++)
      measure(at + missing * LEVEL_COLUMNS.length, 0, blocks.count, 0);
  },
};

const NO_TITLE = 1e6;

const POSITION: ColumnGroup = columns({
  charsBefore: ({ sums, blocks }, block) => (sums.chars[block] ?? 0) / Math.max(1, sums.chars[blocks.count] ?? 0),
  blocksBefore: ({ blocks }, block) => block / blocks.count,
  fromEnd: ({ blocks }, block) => blocks.count - block,
  fromStart: (_, block) => block,
  sinceHeading: ({ firstHeading, sums }, block) =>
    firstHeading < 0 ? -2 : block < firstHeading ? -1 : between(sums.chars, firstHeading, block),
  sinceTitle: ({ titleBlock }, block) => (titleBlock < 0 ? NO_TITLE : block - titleBlock),
  outsideProse: ({ firstProse, lastProse }, block) =>
    firstProse < 0 ? 0 : block < firstProse ? block - firstProse : Math.max(0, block - lastProse),
  inRoot: ({ root, blocks }, block) => {
    const start = blocks.starts[block] ?? 0;
    return start > root.index && start < root.end ? 1 : 0;
  },
  outsideRoot: ({ root, blocks }, block) => {
    const end = blocks.before[root.end] ?? 0;
    const start = blocks.before[root.index] ?? 0;
    return block >= end ? block - end : Math.min(0, block - start);
  },
});

/** Blocks before and after, and a window of 17. */
const NEAR = [-3, -2, -1, 1, 2, 3];
const NEAREST = 2;
const WINDOW = 8;
const ABSENT = -1;

const NEIGHBOURS: ColumnGroup = {
  names: [
    ...NEAR.flatMap((offset) => [
      `chars@${offset}`,
      `linkShare@${offset}`,
      `owner@${offset}`,
      ...(Math.abs(offset) <= NEAREST ? [`wordMean@${offset}`, `lowestCue@${offset}`, `sameParent@${offset}`] : []),
    ]),
    "windowLinkShare",
    "windowProseShare",
    "windowChars",
  ],
  fill(page, block, row, at) {
    const { blocks, text, places, sums, wordMeans } = page;
    const { parent } = ownerOf(page, block);
    let place = at;
    for (const offset of NEAR) {
      const other = block + offset;
      const isThere = other >= 0 && other < blocks.count;
      row[place++] = isThere ? (text.chars[other] ?? 0) : ABSENT;
      row[place++] = isThere ? linkShare(page, other) : ABSENT;
      row[place++] = isThere ? ownerCode(page, other) : ABSENT;
      if (Math.abs(offset) > NEAREST) continue;
      row[place++] = isThere ? (wordMeans[other] ?? 0) : 0;
      row[place++] = isThere ? (places.lowestCue[blocks.owners[other] ?? 0] ?? 0) : 0;
      row[place++] = isThere && ownerOf(page, other).parent === parent ? 1 : 0;
    }
    const start = Math.max(0, block - WINDOW);
    const end = Math.min(blocks.count, block + WINDOW + 1);
    const chars = Math.max(1, between(sums.chars, start, end));
    row[place++] = between(sums.linkChars, start, end) / chars;
    row[place++] = between(sums.proseChars, start, end) / chars;
    row[place++] = chars;
  },
};

/** All that one block is judged by, besides its page. */
export const BLOCK_COLUMNS: readonly ColumnGroup[] = [TEXT, WORDS, PLACE, AROUND, POSITION, NEIGHBOURS];
