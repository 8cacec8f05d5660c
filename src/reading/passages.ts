import type { OutlineEntry } from "../types.js";
import { fenceAt, type Range } from "./fences.js";
import { graphemeEnd, graphemeStart } from "./grapheme.js";
import { fits, furthestEnd, furthestStart, type Limits, shareOf, without } from "./limits.js";
import type { PageText } from "./slice.js";

/** A passage shorter than this takes its neighbours along. */
const MIN_PASSAGE_CHARS = 300;
/** A block with less than this of the room says too little: a heading whose paragraph is long. */
const MIN_ROOM_SHARE = 0.5;
/** Lines around a match in text without paragraphs. */
const CONTEXT_LINES = 3;
/** Of the surroundings in a window, what stands before the match. */
const BEFORE_SHARE = 1 / 3;

/**
 * The surroundings of a match: its paragraph or code block, whole where that fits into `limits`, with its neighbours
 * when it is short; in plain text the lines around it; else as much around it as fits. It holds the whole match even
 * where that does not fit, in Markdown stays between the headings around it and never splits a surrogate pair.
 */
export function passageAround(page: PageText, fences: readonly Range[], match: Range, limits: Limits): Range {
  const { text } = page;
  if (!fits(text.slice(match.start, match.end), limits)) return match;
  const scope = scopeOf(page, match);
  const around = page.format === "markdown" ? blockAround : linesAround;
  return around(text, match, scope, limits, fences) ?? windowAround(text, match, scope, limits);
}

/** From the heading above the match to the next one, or to the one after that where nothing else stands between. */
function scopeOf({ text, outline, format }: PageText, match: Range): Range {
  // Sections of plain text are lines of data, which their neighbours explain.
  if (format === "text") return { start: 0, end: text.length };
  const start = sectionAt(outline, match.start)?.start ?? 0;
  const next = outline.find(
    (entry) => entry.start >= match.end && text.slice(start, entry.start).trim().includes("\n"),
  );
  return { start, end: next?.start ?? text.length };
}

/** The last section that begins at or before `position`: the innermost one that holds it. */
export function sectionAt(outline: readonly OutlineEntry[], position: number): OutlineEntry | undefined {
  return outline.findLast((entry) => entry.start <= position && position < entry.end);
}

/** Undefined when the block does not fit, or says too little without a neighbour that does not fit. */
function blockAround(
  text: string,
  match: Range,
  scope: Range,
  limits: Limits,
  fences: readonly Range[],
): Range | undefined {
  const room = Math.min(limits.maxChars, limits.maxBytes);
  const reach = room + 1;
  let { start, end } = blockOf(text, fences, match, scope, reach);
  const holds = (from: number, to: number): boolean => to - from <= room && fits(text.slice(from, to), limits);
  if (!holds(start, end)) return undefined;
  // Forwards first: what follows a heading or a lead-in explains it.
  for (let grown = true; grown && end - start < MIN_PASSAGE_CHARS; ) {
    grown = false;
    if (end < scope.end) {
      const next = blockOf(text, fences, { start: end, end: end + 1 }, scope, reach);
      if (next.end > end && holds(start, next.end)) {
        end = next.end;
        grown = true;
      }
    }
    if (start > scope.start && end - start < MIN_PASSAGE_CHARS) {
      const previous = blockOf(text, fences, { start: start - 1, end: start }, scope, reach);
      if (previous.start < start && holds(previous.start, end)) {
        start = previous.start;
        grown = true;
      }
    }
  }
  return end - start < Math.min(MIN_PASSAGE_CHARS, room * MIN_ROOM_SHARE) ? undefined : { start, end };
}

/**
 * From the blank line before to the blank line after, both edges outside code blocks. Blank lines further than `reach`
 * are not looked for, or every match in an endless paragraph would cost the whole of it.
 */
function blockOf(text: string, fences: readonly Range[], { start, end }: Range, scope: Range, reach: number): Range {
  const furthest = Math.min(scope.end, end + reach);
  const fence = fenceAt(fences, start) ?? fenceAt(fences, start + 1);
  if (fence !== undefined) return { start: fence.start, end: skipNewlines(text, Math.max(fence.end, end), furthest) };
  const nearest = Math.max(scope.start, start - reach);
  const before = text.slice(nearest, start);
  const blank = before.trimEnd() === "" ? -1 : before.lastIndexOf("\n\n");
  const after = text.slice(end, furthest).indexOf("\n\n");
  return {
    start: blank === -1 ? nearest : nearest + blank + 2,
    end: after === -1 ? furthest : skipNewlines(text, end + after, furthest),
  };
}

function skipNewlines(text: string, from: number, limit: number): number {
  let index = from;
  while (index < limit && text[index] === "\n") index++;
  return index;
}

function linesAround(text: string, match: Range, scope: Range, limits: Limits): Range | undefined {
  const { maxChars } = limits;
  const reach = Math.floor((maxChars - (match.end - match.start)) / 2);
  const before = text.slice(Math.max(scope.start, match.start - reach), match.start).split("\n");
  const after = text.slice(match.end, Math.min(scope.end, match.end + reach)).split("\n");
  // The line of the match itself must be whole, or a window around it shows more.
  const isFirst = match.start - reach <= scope.start;
  const isLast = match.end + reach >= scope.end;
  if ((before.length === 1 && !isFirst) || (after.length === 1 && !isLast)) return undefined;
  const linesBefore = (isFirst ? before : before.slice(1)).slice(-CONTEXT_LINES - 1);
  const linesAfter = (isLast ? after : after.slice(0, -1)).slice(0, CONTEXT_LINES + 1);
  const start = match.start - linesBefore.join("\n").length;
  const end = match.end + linesAfter.join("\n").length;
  return fits(text.slice(start, end), limits) ? { start, end } : undefined;
}

/** Part of a long paragraph, code block or line; what one side does not need the other gets. */
function windowAround(text: string, match: Range, scope: Range, limits: Limits): Range {
  const around = without(limits, text.slice(match.start, match.end));
  const behind = furthestEnd(text, match.end, scope.end, shareOf(around, 1 - BEFORE_SHARE));
  const before = without(limits, text.slice(match.start, behind));
  const start = graphemeEnd(text, furthestStart(text, match.start, scope.start, before));
  const end = graphemeStart(text, furthestEnd(text, start, scope.end, limits));
  return {
    start: Math.min(match.start, afterBreak(text, start, scope.start, match.start)),
    end: Math.max(match.end, beforeBreak(text, match.end, end, scope.end)),
  };
}

function afterBreak(text: string, start: number, first: number, limit: number): number {
  if (start <= first) return start;
  const breakAt = /\s/.exec(text.slice(start, limit))?.index;
  return breakAt === undefined || breakAt > (limit - start) / 2 ? start : start + breakAt + 1;
}

function beforeBreak(text: string, limit: number, end: number, last: number): number {
  if (end >= last) return end;
  const part = text.slice(limit, end);
  const breakAt = Math.max(part.lastIndexOf(" "), part.lastIndexOf("\n"));
  return breakAt < part.length / 2 ? end : limit + breakAt + 1;
}
