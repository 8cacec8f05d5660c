import type { OutlineEntry } from "../types.js";
import { findSection } from "./find-section.js";
import { viewMatches } from "./find-view.js";
import { codePointStart, graphemeEnd } from "./grapheme.js";
import { furthestStart, type Limits, shareOf, without } from "./limits.js";
import { renderOutline } from "./render-outline.js";
import { type PageText, sliceFrom } from "./slice.js";

export interface ViewRequest {
  /** Number or heading text from the outline. */
  readonly section?: string | undefined;
  readonly find?: string | undefined;
  /** UTF-16 units to skip; with `section` or `find`, where to go on in them. */
  readonly offset?: number | undefined;
  /** UTF-16 units of `text` and `outline` together. */
  readonly maxChars: number;
  /** UTF-8 bytes of `text` and `outline` together. */
  readonly maxBytes?: number | undefined;
}

/** A stretch of the page, unaltered. */
export interface ViewPiece {
  readonly text: string;
  /** UTF-16 offsets in the whole text. */
  readonly start: number;
  readonly end: number;
  /** Where the stretch is from, such as `2.1 Options, characters 120-480`: holds the page's own heading. */
  readonly label?: string;
}

/** What is shown of a page. `text`, `pieces` and `outline` are the page's words, `notices` are ours. */
export interface View {
  /** The pieces joined, labels and gap marks between them. */
  readonly text: string;
  readonly pieces: readonly ViewPiece[];
  /** Set when `text` is one stretch. */
  readonly range?: { readonly start: number; readonly end: number };
  readonly totalChars: number;
  /** Absent when all that was asked for is shown; else repeat the request with this offset. */
  readonly next?: { readonly offset: number };
  /**
   * What was left out and why, in sentences without a word of the page: they may stand outside the envelope. How to go
   * on is `next`, which every door spells in its own way.
   */
  readonly notices: readonly string[];
  /** Matches of `find` from `offset` on. */
  readonly found?: number;
  /** Sections to choose from, when the page is cut or a section was not found; belongs inside the envelope. */
  readonly outline?: string;
}

const MAX_OUTLINE_ENTRIES = 40;
/** When a section was not found the outline is the answer. */
const MAX_LISTED_SECTIONS = 200;
const MAX_OUTLINE_CHARS = 1_500;
const MAX_NAMED_SECTIONS = 10;
const OUTLINE_SHARE = 0.15;
const HEAD_SHARE = 0.7;
/** Two ends of so little would say less than one beginning. */
const MIN_HEAD_AND_TAIL_CHARS = 400;

/**
 * Shows the part of a page that was asked for, within `maxChars` and `maxBytes`, and says what it left out: a section,
 * the surroundings of a text, the slice from an offset, or the beginning (of text without an outline, both ends).
 * Slices are never altered: those from offset 0 on, joined, are the whole text.
 */
export function viewPage(page: PageText, request: ViewRequest): View {
  const limits = limitsOf(request);
  const offset = readOffset(page, request.offset);
  if (offset.position === undefined) return emptyView(page, offset.notices);
  const { position, notices } = offset;

  let scope: { readonly start: number; readonly end: number } = { start: 0, end: page.text.length };
  let section: OutlineEntry | undefined;
  if (isPresent(request.section)) {
    const match = findSection(page.outline, request.section);
    if (!match.found) return sectionNotFound(page, match.nearest, limits);
    section = match.entry;
    scope = match.entry;
    notices.push(...describeOthers(match.entry, match.others));
  }
  const inScope = position !== 0 && position >= scope.start && position < scope.end;
  if (position !== 0 && !inScope) {
    notices.push("The offset is outside the section; the text is shown from the offset.");
    section = undefined;
    scope = { start: position, end: page.text.length };
  }
  const start = inScope ? position : scope.start;
  if (isPresent(request.find)) {
    const view = viewMatches(page, request.find, { start, end: scope.end }, limits, notices);
    return view.found === 0 ? withOutline(view, menuOf(page, limits)) : view;
  }
  if (isPresent(request.section) || request.offset !== undefined) {
    const view = sliceView(page, start, scope.end, limits, notices);
    return section === undefined ? view : withNotices(view, describeCut(section, view));
  }
  return openingView(page, limits, notices);
}

/** The first look at a page: whole if it fits, else its beginning under an outline, or both ends of text without one. */
function openingView(page: PageText, limits: Limits, notices: string[]): View {
  const { text, outline } = page;
  const whole = sliceFrom(page, 0, text.length, limits);
  if (whole.end === text.length) return sliceView(page, 0, text.length, limits, notices);
  const menu = menuOf(page, limits);
  const rest = without(limits, menu);
  const roomy = Math.min(rest.maxChars, rest.maxBytes) >= MIN_HEAD_AND_TAIL_CHARS;
  const bothEnds = roomy && (outline.length === 0 || page.format === "text");
  const view = bothEnds ? headAndTail(page, rest, notices) : sliceView(page, 0, text.length, rest, notices);
  return withOutline(view, menu);
}

function menuOf({ outline }: PageText, { maxChars, maxBytes }: Limits): string {
  const menuChars = Math.min(MAX_OUTLINE_CHARS, maxChars * OUTLINE_SHARE, (maxBytes * OUTLINE_SHARE) / 3);
  return outline.length < 2 ? "" : renderOutline(outline, MAX_OUTLINE_ENTRIES, menuChars);
}

function withOutline(view: View, outline: string): View {
  return outline === "" ? view : { ...view, outline };
}

function sliceView(page: PageText, start: number, limit: number, limits: Limits, notices: string[]): View {
  const slice = sliceFrom(page, start, limit, limits);
  const text = page.text.slice(slice.start, slice.end);
  if (slice.insideFence) notices.push("The cut is inside a code block.");
  return {
    text,
    pieces: text === "" ? [] : [{ text, start: slice.start, end: slice.end }],
    range: { start: slice.start, end: slice.end },
    totalChars: page.text.length,
    ...(slice.end < limit ? { next: { offset: slice.end } } : {}),
    notices,
  };
}

/** As a shell tool shows long output: what began it and how it ended. */
function headAndTail(page: PageText, limits: Limits, notices: string[]): View {
  const { text } = page;
  const rest = without(limits, gapMark(text.length, text.length));
  const head = sliceFrom(page, 0, text.length, shareOf(rest, HEAD_SHARE));
  const tailStart = tailFrom(page, head.end, without(rest, text.slice(0, head.end)));
  const pieces: readonly ViewPiece[] = [
    { text: text.slice(0, head.end), start: 0, end: head.end },
    { text: text.slice(tailStart), start: tailStart, end: text.length },
  ];
  notices.push(`The middle is left out (characters ${head.end}-${tailStart}).`);
  return {
    text: pieces.map((piece) => piece.text).join(gapMark(head.end, tailStart)),
    pieces,
    totalChars: text.length,
    next: { offset: head.end },
    notices,
  };
}

/** Where the longest tail within `limits` begins, at a line when one begins early enough. */
function tailFrom({ text }: PageText, from: number, limits: Limits): number {
  const start = furthestStart(text, text.length, from, limits);
  const half = start + Math.floor((text.length - start) / 2);
  const newline = text.slice(start, half).indexOf("\n");
  return newline === -1 ? graphemeEnd(text, start) : start + newline + 1;
}

function gapMark(start: number, end: number): string {
  return `\n[… characters ${start}-${end} not shown …]\n`;
}

function sectionNotFound(page: PageText, nearest: readonly OutlineEntry[], limits: Limits): View {
  const notice =
    page.outline.length === 0
      ? "This page has no sections; it can be read by offset or searched."
      : nearest.length === 0
        ? "No such section; choose one from the outline by its number."
        : `No such section; the nearest are ${numbersOf(nearest)}. Choose one from the outline by its number.`;
  const menuChars = Math.min(limits.maxChars, limits.maxBytes / 3);
  // The nearest may be too deep for the outline to show.
  const near = renderOutline(nearest, nearest.length, menuChars / 4);
  const all = renderOutline(page.outline, MAX_LISTED_SECTIONS, menuChars - near.length - 2);
  return withOutline(emptyView(page, [notice]), [near, all].filter((part) => part !== "").join("\n\n"));
}

/** Sections inside the shown one are shown. */
function describeOthers(shown: OutlineEntry, others: readonly OutlineEntry[]): string[] {
  const outside = others.filter((other) => other.start < shown.start || other.end > shown.end);
  if (outside.length === 0) return [];
  const matching = outside.length === 1 ? "another section matches" : "other sections match";
  return [`Section ${shown.number} is shown; ${matching} too: ${numbersOf(outside)}.`];
}

function describeCut({ number, start, end }: OutlineEntry, { range, next }: View): string[] {
  if (range === undefined || next === undefined) return [];
  const part =
    range.start === start
      ? `it is shown up to its character ${range.end - start}`
      : `its characters ${range.start - start}-${range.end - start} are shown`;
  return [`Section ${number} has ${end - start} characters; ${part}.`];
}

function numbersOf(entries: readonly OutlineEntry[]): string {
  const numbers = entries.slice(0, MAX_NAMED_SECTIONS).map((entry) => entry.number);
  const more = entries.length - numbers.length;
  return `${numbers.join(", ")}${more > 0 ? ` and ${more} more` : ""}`;
}

function withNotices(view: View, notices: readonly string[]): View {
  return { ...view, notices: [...view.notices, ...notices] };
}

function emptyView(page: PageText, notices: readonly string[]): View {
  return { text: "", pieces: [], totalChars: page.text.length, notices };
}

function readOffset(
  { text }: PageText,
  offset: number | undefined,
): { readonly position: number | undefined; readonly notices: string[] } {
  if (offset === undefined) return { position: 0, notices: [] };
  if (Number.isNaN(offset) || offset < 0) {
    return { position: 0, notices: ["The offset must be 0 or more; the text is shown from its beginning."] };
  }
  if (offset >= text.length && offset > 0) {
    return {
      position: undefined,
      notices: [`The offset is past the end: the whole text has ${text.length} characters.`],
    };
  }
  return { position: codePointStart(text, Math.floor(offset)), notices: [] };
}

function limitsOf({ maxChars, maxBytes }: ViewRequest): Limits {
  return {
    maxChars: positive(maxChars),
    maxBytes: maxBytes === undefined ? Number.POSITIVE_INFINITY : positive(maxBytes),
  };
}

function positive(limit: number): number {
  return Number.isNaN(limit) ? 1 : Math.max(1, Math.floor(limit));
}

function isPresent(value: string | undefined): value is string {
  return value !== undefined && value.trim() !== "";
}
