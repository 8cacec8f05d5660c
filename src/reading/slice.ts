import type { OutlineEntry } from "../types.js";
import { fenceAt, fencesBetween, type Range } from "./fences.js";
import { codePointEnd, codePointStart, graphemeStart } from "./grapheme.js";
import { furthestEnd, type Limits } from "./limits.js";

/** A page as text with what is known of its structure. */
export interface PageText {
  readonly text: string;
  /** Sections with offsets into `text`; empty for logs and plain text. */
  readonly outline: readonly OutlineEntry[];
  /** `markdown` keeps code blocks and tables whole where they fit; `text` knows lines only. */
  readonly format: "markdown" | "text";
}

/** A slice whose start is known. */
export interface Slice {
  readonly start: number;
  readonly end: number;
  /** The cut is inside a code block that is longer than a slice. */
  readonly insideFence: boolean;
}

/** A slice gives up at most this share of its budget to end at a block, and a smaller one to end at a word. */
const BLOCK_SHARE = 0.5;
const WORD_SHARE = 0.2;
/** A code block or table that fits into the next slice moves there whole, if this much is left to show before it. */
const WHOLE_BLOCK_SHARE = 0.1;

/**
 * The slice that begins at `start` and ends at or before `limit`: at a block if one ends late enough, else at a line,
 * a word or a character, never inside a surrogate pair. It is never empty before `limit`, so that reading on ends;
 * a limit smaller than one character is exceeded by that character.
 */
export function sliceFrom(page: PageText, start: number, limit: number, limits: Limits): Slice {
  const hard = furthestEnd(page.text, start, limit, limits);
  if (hard >= limit) return { start, end: limit, insideFence: false };
  if (page.format === "text") return { start, end: lineCut(page.text, start, hard), insideFence: false };
  const anchor = page.outline.findLast((entry) => entry.start <= start)?.start ?? 0;
  const fences = fencesBetween(page.text, anchor, hard);
  const fence = fenceAt(fences, hard);
  const budget = hard - start;
  if (fence !== undefined) {
    const share = fence.end - fence.start <= budget ? WHOLE_BLOCK_SHARE : BLOCK_SHARE;
    if (fence.start - start > budget * share) {
      return { start, end: beforeHeading(page, start, fence.start), insideFence: false };
    }
    return { start, end: lineCut(page.text, start, hard), insideFence: true };
  }
  return { start, end: blockCut(page, start, hard, fences), insideFence: false };
}

function blockCut(page: PageText, start: number, hard: number, fences: readonly Range[]): number {
  const { text } = page;
  const budget = hard - start;
  const table = tableAt(text, start, hard, budget);
  if (table !== undefined && table > start + budget * WHOLE_BLOCK_SHARE) return beforeHeading(page, start, table);
  const from = start + Math.floor(budget * BLOCK_SHARE);
  const blank = table === undefined ? text.slice(from, hard).lastIndexOf("\n\n") : -1;
  const cut = blank === -1 ? lineCut(text, start, hard) : from + blank + 2;
  // A cut inside a fence that is closed before the slice's end moves behind it.
  return beforeHeading(page, start, fenceAt(fences, cut)?.end ?? cut);
}

/** Headings do not stay behind alone at the end of a slice. */
function beforeHeading({ text, outline }: PageText, start: number, cut: number): number {
  let end = cut;
  for (let index = outline.findLastIndex((entry) => entry.start < cut); index >= 0; index--) {
    const heading = outline[index];
    if (heading === undefined || heading.start <= start || text.slice(heading.start, end).trim().includes("\n")) break;
    end = heading.start;
  }
  return end;
}

/** Where the table that `hard` would split begins, if all of it fits into `budget`. */
function tableAt(text: string, start: number, hard: number, budget: number): number | undefined {
  let row = lineStart(text, start, hard);
  if (text[row] !== "|") return undefined;
  for (let previous = row; previous > start; ) {
    previous = lineStart(text, start, previous - 1);
    if (text[previous] !== "|") break;
    row = previous;
  }
  for (let end = hard; end - row <= budget; ) {
    const newline = text.indexOf("\n", end);
    if (newline === -1) return row;
    if (text[newline + 1] !== "|") return newline + 1 - row <= budget ? row : undefined;
    end = newline + 1;
  }
  return undefined;
}

/** The start of the line that `index` is on, no earlier than `from`. */
function lineStart(text: string, from: number, index: number): number {
  return from + text.slice(from, index).lastIndexOf("\n") + 1;
}

function lineCut(text: string, start: number, hard: number): number {
  const budget = hard - start;
  const cuts: readonly (readonly [string, number])[] = [
    ["\n", BLOCK_SHARE],
    [" ", WORD_SHARE],
  ];
  for (const [separator, share] of cuts) {
    const from = start + Math.floor(budget * (1 - share));
    const index = text.slice(from, hard).lastIndexOf(separator);
    const cut = from + index + 1;
    if (index !== -1 && cut > start && graphemeStart(text, cut) === cut) return cut;
  }
  const candidates = [graphemeStart(text, hard), codePointStart(text, hard)];
  return candidates.find((cut) => cut > start) ?? codePointEnd(text, start);
}
