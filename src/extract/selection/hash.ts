/** FNV-1a over UTF-16 code units, 32 bits, a character at a time: words are compared by it and never cut out. */
export const HASH_START = 0x811c9dc5;

export const hashNext = (hash: number, code: number): number => Math.imul(hash ^ code, 0x01000193);

export function hashOf(text: string): number {
  let hash = HASH_START;
  for (let at = 0; at < text.length; at++) hash = hashNext(hash, text.charCodeAt(at));
  return hash;
}

/** 0 between words; else the code unit, ASCII letters in lower case. */
export function wordCode(code: number): number {
  if (code < 0x80) {
    if (code >= 0x61 && code <= 0x7a) return code;
    if (code >= 0x41 && code <= 0x5a) return code + 32;
    return code >= 0x30 && code <= 0x39 ? code : 0;
  }
  // Latin-1 signs, general punctuation, CJK punctuation, full-width signs.
  if (code < 0xc0 || (code >= 0x2000 && code < 0x2070) || (code >= 0x3000 && code < 0x3040)) return 0;
  return code >= 0xff00 && code < 0xff10 ? 0 : code;
}

/** Calls `visit` with the hash and the length of each word in a text. */
export function eachWord(text: string, visit: (hash: number, chars: number) => void, start: number = HASH_START): void {
  let hash = start;
  let chars = 0;
  for (let at = 0; at <= text.length; at++) {
    const letter = at < text.length ? wordCode(text.charCodeAt(at)) : 0;
    if (letter !== 0) {
      hash = hashNext(hash, letter);
      chars += 1;
    } else if (chars > 0) {
      visit(hash, chars);
      hash = start;
      chars = 0;
    }
  }
}
