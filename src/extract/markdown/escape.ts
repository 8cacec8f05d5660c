import { BlockText, type Place } from "./block-text.js";
import type { Piece } from "./pieces.js";

const SPACE_RUN = /[ \t\n\r\f\u00a0]+/g;
const NEEDS_COLLAPSE = /[\t\n\r\f\u00a0]| {2}/;
const SUSPECT = /[\\*_`[\]<&~]/;
const LONG_DATA_URI = /data:[\w/+.;=-]{3,80}base64,[A-Za-z0-9+/=\s]{100,}/g;

/** White space as HTML renders it: every run is one space. */
export function collapseSpace(text: string): string {
  return NEEDS_COLLAPSE.test(text) ? text.replace(SPACE_RUN, " ") : text;
}

/** False for text that is no syntax wherever it stands, but at the start of a line. */
export function isSuspect(text: string): boolean {
  return SUSPECT.test(text);
}

/** The whole text of a table cell, or one that will stand in brackets. */
export function escapeText(text: string, isInBrackets: boolean): string {
  if (!isSuspect(text) && !text.includes("|")) return text;
  if (!isInBrackets) return escapePieces([{ kind: "text", text }], "cell");
  return escapePieces([OPENING_BRACKET, { kind: "text", text }, CLOSING_BRACKET], "part").slice(1, -1);
}

const OPENING_BRACKET: Piece = { kind: "link", text: "[" };
const CLOSING_BRACKET: Piece = { kind: "linkEnd", text: "]" };

/** Backslashes before what Markdown (CommonMark 0.31, GFM) would read as syntax, and nowhere else. */
export function escapePieces(pieces: readonly Piece[], place: Place): string {
  const block = new BlockText(pieces, place);
  let start = 0;
  let linkDepth = 0;
  let before: Piece | undefined;
  for (const piece of pieces) {
    const { kind, text } = piece;
    if (kind === "text") {
      if (before?.kind === "syntax") block.readAfterSyntax(start, before);
      block.read(text, start, linkDepth > 0);
      if (hasLines(place) && (start === 0 || before?.kind === "break")) block.readLineStart(text, start);
    } else if (kind === "link") {
      if (before?.kind === "text" && before.text.endsWith("!")) block.escape(start - 1);
      linkDepth += 1;
    } else if (kind === "linkEnd") linkDepth -= 1;
    start += text.length;
    before = piece;
  }
  if (place === "heading") block.readHeadingEnd();
  return block.escaped();
}

/** True where a line's start can begin a block. */
export function hasLines(place: Place): boolean {
  return place === "block" || place === "term";
}

/** Inlined files in text are named, not repeated. */
export function shortenDataUris(text: string): string {
  return text.includes("base64,")
    ? text.replace(LONG_DATA_URI, (uri) => `${uri.slice(0, uri.indexOf(",") + 1)}…`)
    : text;
}
