import type { Place } from "./block-text.js";
import { codeSpan } from "./code.js";
import { settleMarks } from "./emphasis.js";
import { escapePieces, hasLines, isSuspect } from "./escape.js";
import { escapeLineStarts } from "./line-start.js";
import { CELL_BREAK, joinText, LINE_BREAK, type Mark, mergePieces, type Piece, SPACE } from "./pieces.js";

interface OpenMark {
  /** "" when it was closed with the block it began in, or repeats an outer mark. */
  opener: string;
  readonly closer: string;
  /** Of emphasis that stands in the pieces. */
  mark: Mark | undefined;
}

const ENDS_PHRASE = /[.,:;!?…·|/–—-]$/;
const DIVIDER: Piece = { kind: "text", text: " · " };
const ADDRESS = /:\/\/|www\./i;
/** What plain text in a heading or a cell is not free of. */
const ONE_LINE_SYNTAX = /[\n|]|#$/;
const EMPHASIS = new Set(["*", "**", "~~"]);

/** Collects one block's inline content: spaces between words, marks round the words they belong to. */
export class InlineBuffer {
  /** A mark that says nothing here, such as bold in a heading. */
  muted = "";
  private pieces: Piece[] = [];
  private hasSpace = false;
  private isDivided = false;
  /** No piece needs escapes, whatever stands beside it, but at the start of a line. */
  private isPlain = true;
  private hasMarks = false;
  private readonly marks: OpenMark[] = [];
  /** How many of the marks, from the outside, stand in `pieces`. */
  private written = 0;
  private linkDepth = 0;

  get isEmpty(): boolean {
    return this.pieces.length === 0;
  }

  /** True right behind a line break. */
  get endsLine(): boolean {
    return this.last?.kind === "break";
  }

  /** True right behind a code span. */
  get endsCode(): boolean {
    return !this.hasSpace && this.last?.code !== undefined;
  }

  get isInLink(): boolean {
    return this.linkDepth > 0;
  }

  /** Text whose white space is collapsed. */
  text(text: string): void {
    const trimmed = text.trim();
    if (trimmed === "") {
      if (text !== "") this.hasSpace = true;
      return;
    }
    if (trimmed.length === text.length) {
      this.writeText(text);
      return;
    }
    const hasLeading = text.trimStart().length < text.length;
    if (hasLeading) this.hasSpace = true;
    this.writeText(trimmed);
    if (!hasLeading || text.trimEnd().length < text.length) this.hasSpace = true;
  }

  code(text: string): void {
    this.write({ kind: "syntax", text: codeSpan(text), code: text });
  }

  /** Markdown that stands for itself: an image, a formula. */
  raw(markdown: string): void {
    if (markdown === "") return;
    this.write({ kind: "syntax", text: markdown });
    if (markdown.endsWith("]")) this.isPlain = false;
  }

  space(): void {
    this.hasSpace = true;
  }

  /** A new line where no line can end, as between the blocks of a link. */
  divide(): void {
    this.isDivided = this.pieces.length > 0;
  }

  lineBreak(): void {
    if (this.pieces.length === 0 || this.endsLine) return;
    this.pieces.push(LINE_BREAK);
    this.hasSpace = false;
  }

  open(opener: string, closer: string = opener): void {
    const isMuted = opener === this.muted || (opener !== "" && this.marks.some((mark) => mark.opener === opener));
    if (opener === "[") {
      // Links that touch each other are separate words on the page.
      if (this.last?.kind === "linkEnd") this.hasSpace = true;
      this.linkDepth += 1;
    }
    this.marks.push({ opener: isMuted ? "" : opener, closer, mark: undefined });
  }

  close(): void {
    const mark = this.marks.pop();
    if (mark === undefined) return;
    if (mark.closer.startsWith("](")) this.linkDepth -= 1;
    if (this.written <= this.marks.length) return;
    this.written = this.marks.length;
    this.end(mark);
  }

  /** The finished block, "" when there is none. Marks that are still open go on in the next block, links do not. */
  flush(place: Place): string {
    for (let at = this.written - 1; at >= 0; at--) {
      const mark = this.marks[at];
      if (mark === undefined) continue;
      this.end(mark);
      if (mark.opener === "[") mark.opener = "";
    }
    this.written = 0;
    this.hasSpace = false;
    this.isDivided = false;
    if (this.pieces.length === 0) return "";
    const block = this.markdown(place);
    this.pieces = [];
    this.isPlain = true;
    this.hasMarks = false;
    return block;
  }

  private markdown(place: Place): string {
    if (this.endsLine) this.pieces.pop();
    if (this.isPlain && !this.hasMarks) {
      const joined = joinText(this.pieces);
      if (hasLines(place)) return escapeLineStarts(joined);
      if (!ONE_LINE_SYNTAX.test(joined)) return joined;
    }
    const merged = mergePieces(hasLines(place) ? this.pieces : this.pieces.map(onOneLine(place)));
    return escapePieces(this.hasMarks ? mergePieces(settleMarks(merged)) : merged, place);
  }

  private get last(): Piece | undefined {
    return this.pieces[this.pieces.length - 1];
  }

  private end({ opener, closer, mark }: OpenMark): void {
    if (opener === "") return;
    const { endsLine } = this;
    if (endsLine) this.pieces.pop();
    this.pieces.push(
      mark === undefined
        ? { kind: opener === "[" ? "linkEnd" : "syntax", text: closer }
        : { kind: "markEnd", text: closer, mark },
    );
    if (endsLine) this.pieces.push(LINE_BREAK);
  }

  private writeText(text: string): void {
    if (this.isPlain && isSuspect(text)) this.isPlain = false;
    this.write({ kind: "text", text });
  }

  private write(piece: Piece): void {
    if (this.isDivided) this.pieces.push(ENDS_PHRASE.test(this.last?.text ?? "") ? SPACE : DIVIDER);
    else if (this.hasSpace && this.pieces.length > 0 && !this.endsLine) this.pieces.push(SPACE);
    this.hasSpace = false;
    this.isDivided = false;
    for (; this.written < this.marks.length; this.written++) {
      const mark = this.marks[this.written];
      if (mark?.opener === this.muted) mark.opener = "";
      if (mark !== undefined && mark.opener !== "") this.begin(mark);
    }
    this.push(piece);
  }

  private begin(open: OpenMark): void {
    const { opener } = open;
    if (!EMPHASIS.has(opener)) {
      this.push({ kind: opener === "[" ? "link" : "syntax", text: opener });
      return;
    }
    this.hasMarks = true;
    const { last } = this;
    if (last?.kind === "markEnd" && last.text === opener) {
      // `**a****b**` reads as neither: bold that ends and begins at once goes on.
      this.pieces.pop();
      open.mark = last.mark;
      return;
    }
    open.mark = { delimiter: opener };
    this.push({ kind: "mark", text: opener, mark: open.mark });
  }

  private push(piece: Piece): void {
    if (touches(this.pieces, piece)) this.isPlain = false;
    this.pieces.push(piece);
  }
}

/** A table's row and a heading are one line each. */
function onOneLine(place: Place): (piece: Piece) => Piece {
  return (piece) => (piece.kind !== "break" ? piece : place === "heading" ? SPACE : CELL_BREAK);
}

/** `!` makes a link an image, an address without markup takes what follows it, two code spans would be one. */
function touches(pieces: readonly Piece[], { kind, code }: Piece): boolean {
  const last = pieces[pieces.length - 1];
  if (last?.kind !== "text") return code !== undefined && last?.code !== undefined;
  if (kind === "text" || last === SPACE) return false;
  // The address may begin in a text before.
  return pieces[pieces.length - 2]?.kind === "text" || last.text.endsWith("!") || ADDRESS.test(last.text);
}
