import { escapeLineStart } from "./escape.js";

interface Mark {
  /** "" when it was closed with the block it began in, or repeats an outer mark. */
  opener: string;
  readonly closer: string;
}

const LINE_BREAK = "  \n";
const ENDS_PHRASE = /[.,:;!?…·|/–—-]$/;

/** Collects one block's inline content: spaces between words, marks round the words they belong to. */
export class InlineBuffer {
  /** A mark that says nothing here, such as bold in a heading. */
  muted = "";
  private parts: string[] = [];
  private hasSpace = false;
  private isDivided = false;
  private isLineStart = true;
  private readonly marks: Mark[] = [];
  /** How many of the marks, from the outside, stand in `parts`. */
  private written = 0;
  private linkDepth = 0;

  get isEmpty(): boolean {
    return this.parts.length === 0;
  }

  /** True right behind a line break. */
  get endsLine(): boolean {
    return this.last() === LINE_BREAK;
  }

  get isInLink(): boolean {
    return this.linkDepth > 0;
  }

  /** Text whose white space is collapsed and whose special characters are escaped. */
  text(text: string): void {
    const trimmed = text.trim();
    if (text.charCodeAt(0) === 0x20) this.hasSpace = true;
    if (trimmed === "") return;
    this.write(this.isLineStart && this.written === 0 ? escapeLineStart(trimmed) : trimmed);
    if (text.charCodeAt(text.length - 1) === 0x20) this.hasSpace = true;
  }

  /** Markdown that stands for itself: a code span, an image, a formula. */
  raw(markdown: string): void {
    if (markdown === "") return;
    // "`a``b`" is one span: those that touch are kept apart.
    if (markdown.startsWith("`") && this.last().endsWith("`")) this.hasSpace = true;
    this.write(markdown);
  }

  space(): void {
    this.hasSpace = true;
  }

  /** A new line where no line can end, as between the blocks of a link. */
  divide(): void {
    this.isDivided = this.parts.length > 0;
  }

  lineBreak(): void {
    if (this.parts.length === 0 || this.endsLine) return;
    this.parts.push(LINE_BREAK);
    this.hasSpace = false;
    this.isLineStart = true;
  }

  open(opener: string, closer: string = opener): void {
    const isMuted = opener === this.muted || (opener !== "" && this.marks.some((mark) => mark.opener === opener));
    // Links that touch each other are separate words on the page.
    if (opener === "[" && this.last().startsWith("](")) this.hasSpace = true;
    if (opener === "[") this.linkDepth += 1;
    this.marks.push({ opener: isMuted ? "" : opener, closer });
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
  flush(): string {
    for (let at = this.written - 1; at >= 0; at--) {
      const mark = this.marks[at];
      if (mark === undefined) continue;
      this.end(mark);
      if (mark.opener === "[") mark.opener = "";
    }
    this.written = 0;
    this.hasSpace = false;
    this.isDivided = false;
    this.isLineStart = true;
    if (this.parts.length === 0) return "";
    const block = this.parts.join("").trim();
    this.parts = [];
    return block;
  }

  private last(): string {
    return this.parts[this.parts.length - 1] ?? "";
  }

  private end(mark: Mark): void {
    if (mark.opener === "") return;
    const { endsLine } = this;
    if (endsLine) this.parts.pop();
    this.parts.push(mark.closer);
    if (endsLine) this.parts.push(LINE_BREAK);
  }

  private write(markdown: string): void {
    if (this.isDivided) this.parts.push(ENDS_PHRASE.test(this.last()) ? " " : " · ");
    else if (this.hasSpace && !this.isLineStart) this.parts.push(" ");
    for (; this.written < this.marks.length; this.written++) {
      const mark = this.marks[this.written];
      if (mark?.opener === this.muted) mark.opener = "";
      if (mark !== undefined && mark.opener !== "") this.begin(mark.opener);
    }
    this.parts.push(markdown);
    this.hasSpace = false;
    this.isDivided = false;
    this.isLineStart = false;
  }

  private begin(opener: string): void {
    const last = this.last();
    // `**a****b**` reads as neither: bold that ends and begins at once goes on.
    if (opener !== "[" && last === opener) this.parts.pop();
    else if (opener === "[" && last.endsWith("!")) {
      this.parts.pop();
      this.parts.push(`${last.slice(0, -1)}\\!`, opener);
    } else this.parts.push(opener);
  }
}
