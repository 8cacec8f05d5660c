import { characterClass, flanking } from "./flanking.js";
import type { Mark, Piece } from "./pieces.js";

/** `edge`: punctuation at an end keeps it from opening or closing; `nesting`: it would pair with another mark. */
type Fault = "opening edge" | "closing edge" | "nesting";

/** Marks whose faults move others into new ones are left out together. */
const MAX_ROUNDS = 6;

/**
 * Emphasis that CommonMark reads back as it was meant: a mark gives up the punctuation at its ends where that lets it
 * open and close (`**Note**:text`), else it is left out.
 */
export function settleMarks(pieces: readonly Piece[]): readonly Piece[] {
  let settled = pieces;
  for (let round = 0; round < MAX_ROUNDS; round++) {
    const faults = findFaults(settled);
    if (faults.size === 0) return settled;
    settled =
      round === 0 ? shrink(settled, faults) : settled.filter(({ mark }) => mark === undefined || !faults.has(mark));
  }
  return findFaults(settled).size === 0 ? settled : settled.filter(({ mark }) => mark === undefined);
}

interface OpenMark {
  readonly mark: Mark;
  /** Length of the run it was opened in. */
  readonly runLength: number;
}

function findFaults(pieces: readonly Piece[]): ReadonlyMap<Mark, Fault> {
  const faults = new Map<Mark, Fault>();
  const open: OpenMark[] = [];
  for (let at = 0; at < pieces.length; ) {
    if (pieces[at]?.mark === undefined) {
      at += 1;
      continue;
    }
    const run = runAt(pieces, at);
    const before = pieces[at - 1]?.text ?? "";
    const { opens, closes, mayClose } = flanking(
      characterClass(before, before.length - 1),
      characterClass(pieces[run.end]?.text ?? "", 0),
      run.character,
    );
    for (const mark of run.closed) {
      if (run.character === "*") open.pop();
      if (!closes) faults.set(mark, "closing edge");
    }
    const isMistaken = mayClose && wouldClose(run, open);
    for (const mark of run.opened) {
      if (!opens) faults.set(mark, "opening edge");
      else if (isMistaken) faults.set(mark, "nesting");
      if (run.character === "*") open.push({ mark, runLength: run.length });
    }
    at = run.end;
  }
  return faults;
}

interface Run {
  readonly character: string;
  readonly length: number;
  readonly closed: readonly Mark[];
  readonly opened: readonly Mark[];
  readonly end: number;
}

/** Marks that end and begin between two characters and look like one run of delimiters. */
function runAt(pieces: readonly Piece[], start: number): Run {
  const character = pieces[start]?.text.charAt(0) ?? "";
  const closed: Mark[] = [];
  const opened: Mark[] = [];
  let length = 0;
  let end = start;
  for (let piece = pieces[end]; piece?.mark !== undefined && piece.text.startsWith(character); piece = pieces[++end]) {
    (piece.kind === "mark" ? opened : closed).push(piece.mark);
    length += piece.text.length;
  }
  return { character, length, closed, opened, end };
}

/**
 * True when a run that can both open and close would close what is still open, or would not open any more after it has
 * closed. The lengths of two runs that pair must not sum up to a multiple of 3 (CommonMark 0.31, 6.2, rules 9 and 10):
 * that keeps `*` inside `**` and `**` inside `*`.
 */
function wouldClose({ character, length, closed, opened }: Run, open: readonly OpenMark[]): boolean {
  if (opened.length === 0) return false;
  if (character === "~") return closed.length > 0;
  const outer = open[open.length - 1];
  if (closed.length === 0) return outer !== undefined && outer.runLength + length !== 3;
  return outer !== undefined || length !== 3;
}

function shrink(pieces: readonly Piece[], faults: ReadonlyMap<Mark, Fault>): Piece[] {
  const shrunk: Piece[] = [];
  for (let at = 0; at < pieces.length; ) {
    const piece = pieces[at];
    if (piece === undefined) break;
    if (piece.mark === undefined) {
      shrunk.push(piece);
      at += 1;
      continue;
    }
    let end = at + 1;
    while (pieces[end]?.kind === piece.kind) end += 1;
    const run = pieces.slice(at, end).filter(({ mark }) => mark === undefined || faults.get(mark) !== "nesting");
    const hasFault = run.some(({ mark }) => mark !== undefined && faults.get(mark) === edgeOf(piece));
    const inner = piece.kind === "mark" ? pieces[end] : shrunk[shrunk.length - 1];
    at = end;
    if (!hasFault || inner?.kind !== "text") shrunk.push(...run);
    else if (piece.kind === "mark") {
      const length = leadingLength(inner.text);
      pushText(shrunk, inner.text.slice(0, length));
      shrunk.push(...run);
      pushText(shrunk, inner.text.slice(length));
      at += 1;
    } else {
      shrunk.pop();
      const length = trailingStart(inner.text);
      pushText(shrunk, inner.text.slice(0, length));
      shrunk.push(...run);
      pushText(shrunk, inner.text.slice(length));
    }
  }
  return shrunk;
}

const edgeOf = ({ kind }: Piece): Fault => (kind === "mark" ? "opening edge" : "closing edge");

function pushText(pieces: Piece[], text: string): void {
  if (text !== "") pieces.push({ kind: "text", text });
}

/** How much of a text's start is no letter; 0 when nothing else is there. */
function leadingLength(text: string): number {
  let at = 0;
  while (at < text.length && characterClass(text, at) !== "letter") at += 1;
  return at === text.length ? 0 : at;
}

/** Where the last letter ends; the text's length when it has none. */
function trailingStart(text: string): number {
  let at = text.length;
  while (at > 0 && characterClass(text, at - 1) !== "letter") at -= 1;
  return at === 0 ? text.length : at;
}
