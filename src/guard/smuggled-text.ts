/** Runs of at least this many invisible characters are no accident of editing. */
const MIN_RUN = 4;
const MAX_RUN = 4_096;
const MAX_TEXTS = 64;

const TAG_RUN = new RegExp(
  `(?<![\\u{1F3F4}\\u{E0020}-\\u{E007E}])[\\u{E0020}-\\u{E007E}]{${MIN_RUN},${MAX_RUN}}`,
  "gu",
);
const SELECTOR_RUN = new RegExp(`[\\uFE00-\\uFE0F\\u{E0100}-\\u{E01EF}]{${MIN_RUN},${MAX_RUN}}`, "gu");
const HAN_SELECTOR = /(?<=\p{sc=Han})[\u{E0100}-\u{E01EF}]/gu;
const BRAILLE_RUN = new RegExp(`[\\u2800-\\u28FF]{${MIN_RUN},${MAX_RUN}}`, "gu");

/**
 * The readable text that was spelled in invisible characters: Unicode tags (one for each ASCII character),
 * variation selectors and patterns of Braille (one for each byte). Selectors that stand singly behind ideographs are
 * read in one, for that is how they pass as variants. Give it the text as it came, before `sanitise`. At most 64 pieces.
 */
export function smuggledTexts(text: string): readonly string[] {
  const behindHan = Array.from(text.matchAll(HAN_SELECTOR), ([selector]) => selector)
    .slice(0, MAX_RUN)
    .join("");
  const pieces = readable(decodeSelectors(behindHan)) ? [decodeSelectors(behindHan)] : [];
  for (const [pattern, decode] of [
    [TAG_RUN, decodeTags],
    [SELECTOR_RUN, decodeSelectors],
    [BRAILLE_RUN, decodeBraille],
  ] as const) {
    for (const [run] of text.matchAll(pattern)) {
      const decoded = decode(run);
      if (readable(decoded)) pieces.push(decoded);
      if (pieces.length === MAX_TEXTS) return pieces;
    }
  }
  return pieces;
}

const readable = (decoded: string): boolean => /\p{L}{3}/u.test(decoded);

function decodeBraille(run: string): string {
  return new TextDecoder().decode(Uint8Array.from(run, (pattern) => pattern.charCodeAt(0) - 0x2800));
}

function decodeTags(run: string): string {
  return Array.from(run, (tag) => String.fromCharCode((tag.codePointAt(0) ?? 0) - 0xe0000)).join("");
}

function decodeSelectors(run: string): string {
  const bytes = Array.from(run, (selector) => {
    const codePoint = selector.codePointAt(0) ?? 0;
    return codePoint >= 0xe0100 ? codePoint - 0xe0100 + 16 : codePoint - 0xfe00;
  });
  return new TextDecoder().decode(Uint8Array.from(bytes));
}
