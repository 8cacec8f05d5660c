import type { OutlineEntry } from "../types.js";
import { fenceAt, type Range } from "./fences.js";
import { codePointStart, graphemeStart } from "./grapheme.js";
import type { PageText } from "./slice.js";

/** A passage shorter than this takes its neighbours along. */
const MIN_PASSAGE_CHARS = 300;
/** Lines around a match in text without paragraphs. */
const CONTEXT_LINES = 3;

/**
 * The surroundings of a match: its paragraph or code block, whole where that fits into `maxChars`, with its neighbours
 * when it is short; in plain text the lines around it. Never splits a surrogate pair.
 */
export function passageAround(page: PageText, fences: readonly Range[], match: Range, maxChars: number): Range {
  const size = match.end - match.start;
  if (size >= maxChars) return { start: match.start, end: codePointStart(page.text, match.start + maxChars) };
  const block =
    page.format === "markdown" ? blockAround(page, fences, match, maxChars) : linesAround(page.text, match, maxChars);
  return block ?? windowAround(page.text, match, maxChars);
}

/** The last section that begins at or before `position`: the innermost one that holds it. */
export function sectionAt(outline: readonly OutlineEntry[], position: number): OutlineEntry | undefined {
  return outline.findLast((entry) => entry.start <= position && position < entry.end);
}

function blockAround(page: PageText, fences: readonly Range[], match: Range, maxChars: number): Range | undefined {
  const { text } = page;
  const anchor = sectionAt(page.outline, match.start)?.start ?? 0;
  let { start, end } = blockOf(text, fences, match, anchor);
  if (end - start > maxChars) return undefined;
  // Forwards first: what follows a heading or a lead-in explains it.
  for (let grown = true; grown && end - start < MIN_PASSAGE_CHARS; ) {
    grown = false;
    if (end < text.length) {
      const next = blockOf(text, fences, { start: end, end: end + 1 }, anchor);
      if (next.end - start <= maxChars && next.end > end) {
        end = next.end;
        grown = true;
      }
    }
    if (start > anchor && end - start < MIN_PASSAGE_CHARS) {
      const previous = blockOf(text, fences, { start: start - 1, end: start }, anchor);
      if (end - previous.start <= maxChars && previous.start < start) {
        start = previous.start;
        grown = true;
      }
    }
  }
  return { start, end };
}

/** From the blank line before to the blank line after, both edges outside code blocks. */
function blockOf(text: string, fences: readonly Range[], { start, end }: Range, anchor: number): Range {
  const fence = fenceAt(fences, start) ?? fenceAt(fences, start + 1);
  if (fence !== undefined) return { start: fence.start, end: skipNewlines(text, Math.max(fence.end, end)) };
  const before = text.slice(anchor, start).trimEnd() === "" ? -1 : text.slice(anchor, start).lastIndexOf("\n\n");
  const after = text.indexOf("\n\n", end);
  return {
    start: before === -1 ? anchor : anchor + before + 2,
    end: after === -1 ? text.length : skipNewlines(text, after),
  };
}

function skipNewlines(text: string, from: number): number {
  let index = from;
  while (text[index] === "\n") index++;
  return index;
}

function linesAround(text: string, match: Range, maxChars: number): Range | undefined {
  const reach = Math.floor((maxChars - (match.end - match.start)) / 2);
  const before = text.slice(Math.max(0, match.start - reach), match.start).split("\n");
  const after = text.slice(match.end, match.end + reach).split("\n");
  // The line of the match itself must be whole, or a window around it shows more.
  const wholeBefore = before.length > 1 || match.start <= reach;
  const wholeAfter = after.length > 1 || match.end + reach >= text.length;
  if (!wholeBefore || !wholeAfter) return undefined;
  const complete = match.start > reach ? before.slice(1) : before;
  const start = match.start - complete.slice(-CONTEXT_LINES - 1).join("\n").length;
  const shown = match.end + reach < text.length ? after.slice(0, -1) : after;
  return { start, end: match.end + shown.slice(0, CONTEXT_LINES + 1).join("\n").length };
}

/** Part of a long paragraph, code block or line, the match a third of the way in. */
function windowAround(text: string, match: Range, maxChars: number): Range {
  const room = maxChars - (match.end - match.start);
  const start = graphemeStart(text, Math.max(0, match.start - Math.floor(room / 3)));
  const end = graphemeStart(text, Math.min(text.length, start + maxChars));
  return { start: afterBreak(text, start, match.start), end: Math.max(match.end, beforeBreak(text, match.end, end)) };
}

function afterBreak(text: string, start: number, limit: number): number {
  if (start === 0) return 0;
  const breakAt = /[\s]/.exec(text.slice(start, limit))?.index;
  return breakAt === undefined || breakAt > (limit - start) / 2 ? start : start + breakAt + 1;
}

function beforeBreak(text: string, limit: number, end: number): number {
  if (end >= text.length) return text.length;
  const part = text.slice(limit, end);
  const breakAt = Math.max(part.lastIndexOf(" "), part.lastIndexOf("\n"));
  return breakAt < part.length / 2 ? end : limit + breakAt + 1;
}
