import { type Autolink, autolinkAt, breakingPointOf } from "./autolink.js";
import { type CharacterClass, characterClass, flanking } from "./flanking.js";
import { lineStartEscape } from "./line-start.js";
import type { Piece } from "./pieces.js";

/**
 * What syntax there can be. The lines of a `block` begin blocks, `#` at the end closes a `heading`, nothing is beside a
 * `cell`. A `part` of a cell stands with others that are not known yet and may end what it begins; so does a `term`, with
 * its definition, but for its lines.
 */
export type Place = "block" | "heading" | "cell" | "part" | "term";

const SPECIAL = /[\\[\]<&]|\*+|_+|~+|`+|https?:\/\/|www\./gi;
const ASCII_PUNCTUATION = /[!-/:-@[-`{-~]/;
/** A tag, a comment or an address in angle brackets, as far as its first characters tell (CommonMark 0.31, 6.5, 6.6). */
const TAG_START = /^<(?:[!?]|\/?[a-z][a-z\d-]*(?:[\s/>]|$)|[a-z][a-z\d+.-]{1,31}:|[\w.!#$%&'*+/=?^`{|}~-]+@)/i;
const MAX_TAG_START_CHARS = 80;
const NOT_IN_NAMES = /^<[!?]|["']/;
const REFERENCE = /^&(?:#\d{1,7}|#x[\da-f]{1,6}|[a-z][a-z\d]{1,30});/i;
const MAX_REFERENCE_CHARS = 34;
const FOOTNOTE = /^\[\^[^\s\]]/;
const TASK = /^\[[ x]\]\s/i;

interface Special {
  readonly at: number;
  readonly length: number;
  /** A delimiter of emphasis, harmless while it has none to pair with. */
  readonly delimiter?: string;
}

/** An autolink as it stands in the text. */
interface Address extends Autolink {
  /** Where backslashes make it text: at its start, and where another would begin in it then. */
  readonly breakingPoints: Special[];
  /** It must be text: other syntax, or a backslash for another reason, would become a part of it. */
  readonly isBroken: boolean;
}

const byPlace = (a: Special, b: Special): number => a.at - b.at;

/** The characters of one block's inline content, and which of them must be escaped. */
export class BlockText {
  private readonly source: string;
  private readonly hasLines: boolean;
  private readonly isPart: boolean;
  private readonly isInTable: boolean;
  private readonly specials: Special[] = [];
  private readonly addresses: Address[] = [];
  /** Delimiters that have one to pair with, and those that may open before what follows. */
  private paired = "";
  private opened = "";
  private readonly firstTick: number;
  private readonly lastTick: number;
  private readonly lastTagEnd: number;
  private tagEnd = -1;
  private hasBracket = false;

  constructor(pieces: readonly Piece[], place: Place) {
    this.source = pieces.map(({ text }) => text).join("");
    this.hasLines = place === "block" || place === "term";
    this.isPart = place === "part" || place === "term";
    this.isInTable = place === "part" || place === "cell";
    this.firstTick = this.source.indexOf("`");
    this.lastTick = this.source.lastIndexOf("`");
    this.lastTagEnd = this.isPart ? this.source.length : this.source.lastIndexOf(">");
    if (this.isPart) this.paired = "*_~";
    else for (const { mark } of pieces) if (mark !== undefined) this.pair(mark.delimiter.charAt(0));
  }

  escape(at: number, length = 1): void {
    this.specials.push({ at, length });
  }

  /** `[image: x](` would be a link, `[^1]:` at a line's start a note. */
  readAfterSyntax(start: number, before: Piece): void {
    if (!before.text.endsWith("]")) return;
    const next = this.source.charAt(start);
    if (next === "(" || (next === ":" && this.isLineStart(start - before.text.length))) this.escape(start);
  }

  read(text: string, start: number, isInLink: boolean): void {
    const end = start + text.length;
    for (const { 0: found, index } of text.matchAll(SPECIAL)) {
      const at = start + index;
      const first = found.charAt(0);
      if (first === "*" || first === "_" || first === "~") this.readDelimiters(at, found.length, first);
      else if (first === "h" || first === "H" || first === "w" || first === "W") {
        if (!isInLink) this.readAutolink(at, found, end);
      } else if (first === "[") this.readOpeningBracket(at, isInLink);
      else if (first === "]") this.readClosingBracket(at, isInLink);
      else if (this.isSyntax(first, at, found.length)) this.escape(at, found.length);
    }
  }

  /** The start of the line that begins with `text` at `start`. */
  readLineStart(text: string, start: number): void {
    const newline = this.source.indexOf("\n", start);
    const line = this.source.slice(start, newline < 0 ? this.source.length : newline);
    const at = lineStartEscape(line, start === 0);
    if (at < 0) return;
    // What is left of a run could open or close again.
    const run = /^(?:\*+|_+|~+|`+)/.exec(text.slice(at))?.[0];
    this.escape(start + at, run?.length);
  }

  /** A heading's closing sequence is no text (CommonMark 0.31, 4.2). */
  readHeadingEnd(): void {
    const start = this.source.lastIndexOf(" ") + 1;
    if (/^#+$/.test(this.source.slice(start))) this.escape(start);
  }

  escaped(): string {
    const { source } = this;
    const needed = this.specials
      .filter(({ delimiter }) => delimiter === undefined || this.paired.includes(delimiter))
      .sort(byPlace);
    let written = "";
    let from = 0;
    let last = -1;
    for (const { at, length } of this.addresses.length === 0 ? needed : this.besideAutolinks(needed)) {
      for (let place = Math.max(at, last + 1); place < at + length; place++) {
        written += `${source.slice(from, place)}\\`;
        from = place;
        last = place;
      }
    }
    return written + source.slice(from);
  }

  private readDelimiters(at: number, length: number, delimiter: string): void {
    const { mayOpen, mayClose } = flanking(this.neighbour(at - 1), this.neighbour(at + length), delimiter);
    if (!mayOpen && !mayClose) return;
    if (mayClose && this.opened.includes(delimiter)) this.pair(delimiter);
    if (mayOpen && !this.opened.includes(delimiter)) this.opened += delimiter;
    this.specials.push({ at, length, delimiter });
  }

  private pair(delimiter: string): void {
    if (!this.paired.includes(delimiter)) this.paired += delimiter;
  }

  private isLineStart(at: number): boolean {
    return this.hasLines && (at === 0 || this.source[at - 1] === "\n");
  }

  /** A part may have anything but a letter beside it. */
  private neighbour(at: number): CharacterClass {
    const isOutside = at < 0 || at >= this.source.length;
    return isOutside && this.isPart ? "punctuation" : characterClass(this.source, at);
  }

  private readAutolink(at: number, opener: string, textEnd: number): void {
    const breakingPoint = { at: breakingPointOf(at, opener), length: 1 };
    const last = this.addresses[this.addresses.length - 1];
    if (last !== undefined && at < last.wordEnd) {
      last.breakingPoints.push(breakingPoint);
      return;
    }
    const found = autolinkAt(this.source, at, opener);
    // A table's escape of a pipe would be a part of it, too.
    const hasPipe = this.isInTable && this.source.slice(at, found.wordEnd).includes("|");
    this.addresses.push({
      ...found,
      isDoubtful: found.isDoubtful || this.hasBracket || this.isPart,
      breakingPoints: [breakingPoint],
      isBroken: hasPipe || found.end > textEnd,
    });
  }

  private readOpeningBracket(at: number, isInLink: boolean): void {
    const isTask = at === 0 && this.hasLines && TASK.test(this.source);
    if (isInLink || isTask || FOOTNOTE.test(this.source.slice(at, at + 3))) this.escape(at);
    else this.hasBracket = true;
  }

  private readClosingBracket(at: number, isInLink: boolean): void {
    const next = this.source.charAt(at + 1);
    const isLink = next === "(" && (this.hasBracket || this.isPart);
    const isDefinition = next === ":" && this.hasBracket && this.hasLines && this.source.startsWith("[");
    if (isInLink || isLink || isDefinition) this.escape(at);
  }

  private isSyntax(character: string, at: number, length: number): boolean {
    const next = this.source.charAt(at + length);
    if (character === "<") return this.isTagStart(at) && (this.isLineStart(at) || this.mayEndTag(at));
    if (character === "&") return REFERENCE.test(this.source.slice(at, at + MAX_REFERENCE_CHARS));
    if (character === "`") return this.isPart || this.firstTick < at || this.lastTick >= at + length;
    return next === "" ? this.isPart : ASCII_PUNCTUATION.test(next);
  }

  private isTagStart(at: number): boolean {
    return TAG_START.test(this.source.slice(at, at + MAX_TAG_START_CHARS));
  }

  /** A tag that another begins in is none, but for quoted values. */
  private mayEndTag(at: number): boolean {
    if (this.lastTagEnd < at) return false;
    const next = this.source.indexOf("<", at + 1);
    if (next < 0 || this.isPart) return true;
    if (this.tagEnd < at) this.tagEnd = this.source.indexOf(">", at);
    return this.tagEnd < next || NOT_IN_NAMES.test(this.source.slice(at, next));
  }

  /** What stands in a link keeps its form; a link that cannot end where it should, or is none for some, is made text. */
  private besideAutolinks(needed: readonly Special[]): readonly Special[] {
    const kept: Special[] = [];
    let next = 0;
    for (const { start, end, wordEnd, isDoubtful, isBroken, breakingPoints } of this.addresses) {
      for (; (needed[next]?.at ?? start) < start; next++) kept.push(...needed.slice(next, next + 1));
      const first = next;
      while ((needed[next]?.at ?? wordEnd + 1) <= wordEnd) next += 1;
      const within = needed.slice(first, next);
      const isText = isBroken || within.some(({ at }) => isDoubtful || at >= end);
      if (isText) for (const special of breakingPoints.concat(within)) kept.push(special);
    }
    return kept.concat(needed.slice(next)).sort(byPlace);
  }
}
