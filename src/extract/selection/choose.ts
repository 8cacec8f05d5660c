import type { PageBlocks } from "./page-blocks.js";
import { regionBits } from "./places.js";

const LIST: ReadonlySet<string> = new Set(["ul", "ol", "dl"]);
const MAX_LIST_STEPS = 6;
const MAX_TABLE_STEPS = 4;
const MIN_TABLE_ROWS = 2;
/** Half a word a block: a block without words still counts in its list. */
const SMALLEST_WEIGHT = 0.5;
/** A table or a heading that is lost costs a reader more than one too many: shares of the page's threshold. */
const TABLE_SHARE = 0.4;
const HEADING_SHARE = 0.2;
/** Shorter pages, fragments above all, have little round their content: the less there is, the less is dropped. */
const SMALL_PAGE_CHARS = 1_500;

/** What a small page itself marks as round its content has to be as likely as on a large one. */
const CHROME = regionBits("nav", "footer", "aside", "dialog");

/** 1 for the blocks to keep, of how likely each is content. */
export function chooseBlocks(page: PageBlocks, shares: Float32Array): Uint8Array {
  const even = evenOutLists(page, shares);
  const chars = page.sums.chars[page.blocks.count] ?? 0;
  const strict = bestThreshold(page, even);
  const threshold = strict * Math.min(1, chars / SMALL_PAGE_CHARS);
  const kept = new Uint8Array(page.blocks.count);
  for (let block = 0; block < kept.length; block++) {
    const isChrome = ((page.places.regions[page.blocks.owners[block] ?? 0] ?? 0) & CHROME) !== 0;
    kept[block] = (even[block] ?? 0) >= (isChrome ? strict : threshold) ? 1 : 0;
  }
  keepTables(page, even, threshold * TABLE_SHARE, kept);
  keepHeadings(page, even, threshold * HEADING_SHARE, kept);
  return kept;
}

/** Lists are kept or dropped whole. */
function evenOutLists(page: PageBlocks, shares: Float32Array): Float32Array {
  const even = shares.slice();
  for (const members of groupsIn(page, LIST, MAX_LIST_STEPS).values()) {
    const mean = meanShare(page, shares, members);
    for (const block of members) even[block] = mean;
  }
  return even;
}

function meanShare({ text }: PageBlocks, shares: Float32Array, members: readonly number[]): number {
  let sum = 0;
  let words = 0;
  for (const block of members) {
    const weight = (text.words[block] ?? 0) + SMALLEST_WEIGHT;
    sum += (shares[block] ?? 0) * weight;
    words += weight;
  }
  return sum / words;
}

/** Blocks by the index of the innermost such element a few levels round them. */
function groupsIn({ tree, blocks }: PageBlocks, names: ReadonlySet<string>, maxSteps: number): Map<number, number[]> {
  const groups = new Map<number, number[]>();
  for (let block = 0; block < blocks.count; block++) {
    let element = tree.nodes[blocks.owners[block] ?? 0];
    for (let steps = 0; element !== undefined && steps < maxSteps && !names.has(element.tag.name); steps++)
      element = element.parent;
    if (element === undefined || !names.has(element.tag.name)) continue;
    const group = groups.get(element.index);
    if (group === undefined) groups.set(element.index, [block]);
    else group.push(block);
  }
  return groups;
}

/** The threshold at which F1 is expected to be highest (Lewis 1995): words kept, and words that should be. */
function bestThreshold({ text, blocks }: PageBlocks, shares: Float32Array): number {
  const order = Array.from({ length: blocks.count }, (_, block) => block);
  order.sort((a, b) => (shares[b] ?? 0) - (shares[a] ?? 0));
  const expected = order.reduce((sum, block) => sum + (shares[block] ?? 0) * (text.words[block] ?? 0), 0);
  let kept = 0;
  let right = 0;
  let best = 0;
  let threshold = 1;
  for (const block of order) {
    const words = text.words[block] ?? 0;
    kept += words;
    right += words * (shares[block] ?? 0);
    const f1 = (2 * right) / (kept + expected);
    if (f1 > best) {
      best = f1;
      threshold = shares[block] ?? 0;
    }
  }
  return threshold;
}

const TABLE: ReadonlySet<string> = new Set(["table"]);

function keepTables(page: PageBlocks, shares: Float32Array, minShare: number, kept: Uint8Array): void {
  const { tree, blocks } = page;
  for (const members of groupsIn(page, TABLE, MAX_TABLE_STEPS).values()) {
    const rows = members.filter((block) => tree.nodes[blocks.owners[block] ?? 0]?.tag.name === "tr");
    if (rows.length < MIN_TABLE_ROWS || meanShare(page, shares, rows) < minShare) continue;
    for (const block of rows) kept[block] = 1;
  }
}

/** A heading stays with what is kept of its section. */
function keepHeadings({ tree, blocks }: PageBlocks, shares: Float32Array, minShare: number, kept: Uint8Array): void {
  const open: { readonly block: number; readonly level: number }[] = [];
  for (let block = 0; block < blocks.count; block++) {
    const level = tree.nodes[blocks.owners[block] ?? 0]?.tag.headingLevel ?? 0;
    if (level > 0) {
      while ((open[open.length - 1]?.level ?? 0) >= level) open.pop();
      open.push({ block, level });
    }
    if (kept[block] !== 1) continue;
    for (const heading of open) if ((shares[heading.block] ?? 0) >= minShare) kept[heading.block] = 1;
    // They are decided: a long section does not ask again.
    for (let at = open.length - 1; at >= 0; at--) if (kept[open[at]?.block ?? 0] === 1) open.splice(at, 1);
  }
}
