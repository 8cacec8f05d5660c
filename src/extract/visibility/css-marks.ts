/** What may open or close a block, or hide a brace: a string, an escape, an unquoted address. */
const MARKS = ["{", "}", '"', "'", "\\", "url("] as const;
const URL_CHARS = 3;

/** Leaps over what a style sheet says between its marks (CSS Syntax 3, 4.3). */
export class CssMarks {
  private readonly css: string;
  /** The next place of each mark. */
  private readonly places: number[] = MARKS.map(() => -1);
  private hasParenthesis = true;

  constructor(css: string) {
    this.css = css;
  }

  /** The first mark from there on, of an address its parenthesis; the length of the sheet when there is none. */
  next(from: number): number {
    let first = this.css.length;
    for (let mark = 0; mark < MARKS.length; mark++) {
      let place = this.places[mark] ?? 0;
      if (place < from) {
        place = this.find(MARKS[mark] ?? "", from);
        this.places[mark] = place;
      }
      if (place < first) first = place;
    }
    return first;
  }

  /** The last character of what begins there: of a string, an escape or an address. */
  skip(at: number): number {
    const code = this.css.charCodeAt(at);
    if (code === 0x5c) return at + 1;
    if (code !== 0x28) return stringEnd(this.css, at);
    const end = this.hasParenthesis ? this.css.indexOf(")", at) : -1;
    this.hasParenthesis = end >= 0;
    return end < 0 ? at : end;
  }

  private find(mark: string, from: number): number {
    const isAddress = mark.length > 1;
    const found = this.css.indexOf(mark, isAddress ? Math.max(0, from - URL_CHARS) : from);
    if (found < 0) return this.css.length;
    return isAddress ? found + URL_CHARS : found;
  }
}

/** A string ends at its quote or, unclosed, at the line's end (CSS Syntax 3, "bad string"). */
function stringEnd(css: string, start: number): number {
  const quote = css.charCodeAt(start);
  for (let at = start + 1; at < css.length; at++) {
    const code = css.charCodeAt(at);
    if (code === 0x5c) at += 1;
    else if (code === quote || code === 0x0a) return at;
  }
  return css.length;
}
