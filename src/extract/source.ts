import { decodeHTML, decodeHTMLAttribute } from "entities";

/**
 * Numbers an attribute takes in the list: its name, and where its value starts and ends in the document, the end
 * negative when there are character references in it.
 */
const WORDS = 3;
const FIRST_WORDS = WORDS * 256;
const NONE: readonly string[] = [];

/**
 * A document and the places of its attributes. Most attributes are never asked for: their values are cut out of the
 * document and decoded when they are. Only the parser adds to it.
 */
export class Source {
  readonly html: string;
  /** How much of the list is in use. */
  size = 0;
  private words = new Int32Array(FIRST_WORDS);
  private readonly names: string[] = [];
  private readonly nameIds = new Map<string, number>();
  private nextReference = -1;

  constructor(html: string) {
    this.html = html;
  }

  /** Adds an attribute without a value. */
  addAttribute(nameStart: number, nameEnd: number): void {
    const { size } = this;
    if (size === this.words.length) {
      const words = new Int32Array(size * 2);
      words.set(this.words);
      this.words = words;
    }
    this.words[size] = this.nameId(this.html.slice(nameStart, nameEnd));
    this.words[size + 1] = 0;
    this.words[size + 2] = 0;
    this.size += WORDS;
  }

  /** Gives the last attribute its value. */
  setValue(start: number, end: number): void {
    this.words[this.size - 2] = start;
    this.words[this.size - 1] = this.hasReference(start, end) ? -end : end;
  }

  /** Whether a character reference may stand there; must be asked for in document order. */
  hasReference(start: number, end: number): boolean {
    if (this.nextReference < start) {
      const found = this.html.indexOf("&", start);
      this.nextReference = found < 0 ? this.html.length : found;
    }
    return this.nextReference < end;
  }

  decodedText(start: number, end: number): string {
    return decodeHTML(this.html.slice(start, end));
  }

  attribute(from: number, to: number, name: string): string | undefined {
    const id = this.nameIds.get(name);
    if (id === undefined) return undefined;
    for (let at = from; at < to; at += WORDS) if (this.words[at] === id) return this.value(at);
    return undefined;
  }

  /** Names and values in turn. */
  attributes(from: number, to: number): readonly string[] {
    const list: string[] = [];
    for (let at = from; at < to; at += WORDS) list.push(this.nameAt(at), this.value(at));
    return list;
  }

  /** The same for those with a value of at least so many characters. */
  longAttributes(from: number, to: number, minChars: number): readonly string[] {
    let list: string[] | undefined;
    for (let at = from; at < to; at += WORDS) {
      // A reference is never shorter than what it stands for.
      if (Math.abs(this.words[at + 2] ?? 0) - (this.words[at + 1] ?? 0) < minChars) continue;
      const value = this.value(at);
      if (value.length < minChars) continue;
      list ??= [];
      list.push(this.nameAt(at), value);
    }
    return list ?? NONE;
  }

  attributeNames(from: number, to: number): readonly string[] {
    const list: string[] = [];
    for (let at = from; at < to; at += WORDS) list.push(this.nameAt(at));
    return list;
  }

  private nameAt(at: number): string {
    return this.names[this.words[at] ?? 0] ?? "";
  }

  private value(at: number): string {
    const start = this.words[at + 1] ?? 0;
    const end = this.words[at + 2] ?? 0;
    return end < 0 ? decodeHTMLAttribute(this.html.slice(start, -end)) : this.html.slice(start, end);
  }

  private nameId(written: string): number {
    let id = this.nameIds.get(written);
    if (id === undefined) {
      const name = written.toLowerCase();
      id = this.nameIds.get(name) ?? this.names.push(name) - 1;
      this.nameIds.set(name, id).set(written, id);
    }
    return id;
  }
}
