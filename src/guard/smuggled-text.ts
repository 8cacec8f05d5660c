/** Runs of at least this many invisible characters are no accident of editing. */
const MIN_RUN = 4;
const MAX_RUN = 4_096;
const MAX_TEXTS = 64;

const TAG_RUN = new RegExp(
  `(?<![\\u{1F3F4}\\u{E0020}-\\u{E007E}])[\\u{E0020}-\\u{E007E}]{${MIN_RUN},${MAX_RUN}}`,
  "gu",
);
const SELECTOR_RUN = new RegExp(`[\\uFE00-\\uFE0F\\u{E0100}-\\u{E01EF}]{${MIN_RUN},${MAX_RUN}}`, "gu");

/**
 * The readable text that was spelled in invisible characters: Unicode tags (one for each ASCII character) and
 * variation selectors (one for each byte). Give it the text as it came, before `sanitise`. At most 64 pieces.
 */
export function smuggledTexts(text: string): readonly string[] {
  const pieces: string[] = [];
  for (const [pattern, decode] of [
    [TAG_RUN, decodeTags],
    [SELECTOR_RUN, decodeSelectors],
  ] as const) {
    for (const [run] of text.matchAll(pattern)) {
      const decoded = decode(run);
      if (/\p{L}{3}/u.test(decoded)) pieces.push(decoded);
      if (pieces.length === MAX_TEXTS) return pieces;
    }
  }
  return pieces;
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
