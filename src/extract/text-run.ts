import type { Source } from "./source.js";

const NOT_BLANK = /[^\t\n\f\r ]/;

/** The text between two tags: a place in the document or, once it is not one piece of it as written, a string. */
export class TextRun {
  start = 0;
  end = 0;
  private readonly source: Source;
  private joined: string | undefined;
  private hasReference = false;

  constructor(source: Source) {
    this.source = source;
  }

  get isEmpty(): boolean {
    return this.start === this.end;
  }

  /** Must be called in document order. With `isRaw`, `&` is a character like any other. */
  add(start: number, end: number, isRaw: boolean): void {
    const hasReference = !isRaw && this.source.hasReference(start, end);
    if (this.isEmpty) this.start = start;
    else if (this.joined !== undefined || this.end !== start) {
      // A comment lay between: what stands on both sides of it is no reference.
      this.joined =
        (this.text ?? this.source.html.slice(this.start, this.end)) + this.written(start, end, hasReference);
    }
    this.end = end;
    this.hasReference ||= hasReference;
  }

  /** Undefined when it stands like this in the document. */
  get text(): string | undefined {
    return this.joined ?? (this.hasReference ? this.written(this.start, this.end, true) : undefined);
  }

  isBlank(text: string | undefined): boolean {
    if (text !== undefined) return !NOT_BLANK.test(text);
    const { html } = this.source;
    for (let at = this.start; at < this.end; at++) {
      const code = html.charCodeAt(at);
      if (code !== 0x20 && code !== 0x0a && code !== 0x09 && code !== 0x0d && code !== 0x0c) return false;
    }
    return true;
  }

  clear(): void {
    this.start = this.end;
    this.joined = undefined;
    this.hasReference = false;
  }

  private written(start: number, end: number, hasReference: boolean): string {
    return hasReference ? this.source.decodedText(start, end) : this.source.html.slice(start, end);
  }
}
