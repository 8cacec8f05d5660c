const SPACE = /\s/;
const PUNCTUATION = /\p{P}/u;
const SYMBOL = /\p{S}/u;

const DELIMITER = /[*_~]/;

/**
 * What a neighbour counts as. `either` must hold as a letter and as punctuation: a symbol outside ASCII is punctuation
 * since CommonMark 0.31 only, and half an emoji is a letter to parsers that read UTF-16 units. Another `delimiter` is
 * punctuation, but micromark lets a run that it follows or precedes close or open all the same.
 */
export type CharacterClass = "space" | "letter" | "punctuation" | "either" | "delimiter";

/** The class of the UTF-16 unit at `at`; the edges of a block are white space. */
export function characterClass(text: string, at: number): CharacterClass {
  const code = at < 0 || at >= text.length ? 0x20 : text.charCodeAt(at);
  if (code < 0x80) {
    if ((code >= 0x61 && code <= 0x7a) || (code >= 0x41 && code <= 0x5a) || (code >= 0x30 && code <= 0x39)) {
      return "letter";
    }
    if (code <= 0x20) return code === 0x20 || (code >= 0x09 && code <= 0x0d) ? "space" : "letter";
    return DELIMITER.test(text.charAt(at)) ? "delimiter" : "punctuation";
  }
  const character = text.charAt(at);
  if (SPACE.test(character)) return "space";
  if (code >= 0xd800 && code <= 0xdfff) return "either";
  return PUNCTUATION.test(character) ? "punctuation" : SYMBOL.test(character) ? "either" : "letter";
}

/** What a run of delimiters does between its neighbours: for certain, and in the eyes of some parser. */
interface Flanking {
  readonly opens: boolean;
  readonly closes: boolean;
  readonly mayOpen: boolean;
  readonly mayClose: boolean;
}

/** CommonMark 0.31, 6.2: left- and right-flanking; `_` is stricter inside words. */
export function flanking(before: CharacterClass, after: CharacterClass, delimiter: string): Flanking {
  const opens = isBeside(after, before);
  const closes = isBeside(before, after);
  const mayOpen = mayBeBeside(after, before);
  const mayClose = mayBeBeside(before, after);
  if (delimiter !== "_") return { opens, closes, mayOpen, mayClose };
  return {
    opens: opens && (!mayClose || before === "punctuation"),
    closes: closes && (!mayOpen || after === "punctuation"),
    mayOpen: mayOpen && (!closes || before !== "letter"),
    mayClose: mayClose && (!opens || after !== "letter"),
  };
}

const isBeside = (inner: CharacterClass, outer: CharacterClass): boolean =>
  inner === "letter" || (inner !== "space" && outer !== "letter" && outer !== "either");

const mayBeBeside = (inner: CharacterClass, outer: CharacterClass): boolean =>
  inner !== "space" && (inner !== "punctuation" || outer !== "letter");
