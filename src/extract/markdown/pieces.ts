import { codeSpan } from "./code.js";

/** Emphasis: both of its ends hold the same object. */
export interface Mark {
  readonly delimiter: string;
}

/** A piece of one block's inline content. Only `text` is the page's own and may need escapes. */
export interface Piece {
  readonly kind: "text" | "syntax" | "break" | "link" | "linkEnd" | "mark" | "markEnd";
  readonly text: string;
  readonly mark?: Mark;
  /** What a code span holds. */
  readonly code?: string;
}

export const SPACE: Piece = { kind: "text", text: " " };
/** CommonMark 0.31, 6.7. */
export const LINE_BREAK: Piece = { kind: "break", text: "  \n" };

export const CELL_BREAK: Piece = { kind: "break", text: "<br>" };

/** Texts that touch are one; so are code spans, whose backticks would pair otherwise. */
export function mergePieces(pieces: readonly Piece[]): readonly Piece[] {
  const merged: Piece[] = [];
  for (let at = 0; at < pieces.length; ) {
    const piece = pieces[at];
    if (piece === undefined) break;
    const isAlike = kindOf(piece);
    let end = at + 1;
    while (isAlike(pieces[end])) end += 1;
    merged.push(end === at + 1 ? piece : joined(pieces.slice(at, end)));
    at = end;
  }
  return merged;
}

function kindOf({ kind, code }: Piece): (other: Piece | undefined) => boolean {
  if (kind === "text") return (other) => other?.kind === "text";
  return (other) => code !== undefined && other?.code !== undefined;
}

function joined(pieces: readonly Piece[]): Piece {
  if (pieces[0]?.kind === "text") return { kind: "text", text: joinText(pieces) };
  const code = pieces.map((piece) => piece.code ?? "").join("");
  return { kind: "syntax", text: codeSpan(code), code };
}

export function joinText(pieces: readonly Piece[]): string {
  let text = "";
  for (const piece of pieces) text += piece.text;
  return text;
}
