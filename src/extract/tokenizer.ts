import { Tokenizer, type TokenizerCallbacks } from "htmlparser2";

/** What moves through the document in htmlparser2's tokenizer. */
interface Cursor {
  readonly buffer: string;
  index: number;
}

/**
 * Steps to the next character of this code, or to the end. The tokenizer's own method looks at one character after the
 * other; texts, scripts and attribute values are most of a page. Should it go by another name one day, only time is lost.
 */
function fastForwardTo(this: Cursor, code: number): boolean {
  const found = this.buffer.indexOf(String.fromCharCode(code), this.index + 1);
  this.index = found < 0 ? this.buffer.length - 1 : found;
  return found >= 0;
}

/** A tokenizer that takes one document in one piece and leaves character references as they are. */
export function createTokenizer(callbacks: TokenizerCallbacks): Tokenizer {
  return Object.assign(new Tokenizer({ decodeEntities: false }, callbacks), { fastForwardTo });
}
