/** Where an invisible character is part of correct writing. */
interface JoiningContext {
  readonly characters: RegExp;
  /** Tested on the characters before it that were kept, up to `WINDOW` units. */
  readonly before: RegExp;
  /** Tested on the characters after it, up to `WINDOW` units. */
  readonly after?: RegExp;
}

const WINDOW = 32;

/** Some characters that vouch for none belong to a script, or count as marks, too. */
const NOT_INVISIBLE = "(?![\\p{DI}\\u070F\\u{13430}-\\u{13440}\\u{16FE4}])";
const visible = (scripts: string): string => `(?:${NOT_INVISIBLE}[${scripts}])`;

/** Scripts in which ZWJ and ZWNJ choose letter forms (UAX #31, contexts A1, A2 and B). */
const JOINING = visible(
  [
    "Arabic Syriac Mandaic Nko Mongolian Phags_Pa Manichaean Hanifi_Rohingya Adlam Sogdian Psalter_Pahlavi",
    "Devanagari Bengali Gurmukhi Gujarati Oriya Tamil Telugu Kannada Malayalam Sinhala Grantha Kaithi Sharada Newa",
    "Chakma Brahmi Tirhuta Modi Meetei_Mayek Thai Lao Tibetan Khmer Myanmar Tai_Tham Balinese Javanese Sundanese",
  ]
    .flatMap((line) => line.split(" "))
    .map((script) => `\\p{scx=${script}}`)
    .join(""),
);

/** Scripts written without spaces, where ZWSP is the word boundary. */
const SPACELESS = visible(
  "\\p{scx=Thai}\\p{scx=Lao}\\p{scx=Khmer}\\p{scx=Myanmar}\\p{scx=Tibetan}\\p{scx=Tai_Tham}\\p{scx=Javanese}",
);

const RIGHT_TO_LEFT = visible("\\p{sc=Hebrew}\\p{sc=Arabic}\\p{sc=Syriac}\\p{sc=Thaana}\\p{sc=Nko}\\p{sc=Adlam}");
const MONGOLIAN = visible("\\p{sc=Mongolian}");
const MARK = visible("\\p{M}");
const DIRECTION = "\\u200E\\u200F\\u061C";

const CONTEXTS: readonly JoiningContext[] = [
  // Text or emoji presentation; digits, # and * take it only inside a keycap.
  { characters: /[\uFE0E\uFE0F]/, before: /(?![0-9#*])\p{Emoji}$/u },
  { characters: /\uFE0F/, before: /[0-9#*]$/, after: /^\u20E3/ },
  { characters: /\u200D/, before: /(?:\p{ExtPict}\uFE0F?|\p{EMod})$/u, after: /^\p{ExtPict}/u },
  // Standardised variants of symbols and CJK punctuation, and ideographic variants.
  { characters: /[\uFE00\uFE01]/, before: /[0\u2018-\u201D\u3001\u3002\uFF01\uFF0C\uFF0E\uFF1A\uFF1B\uFF1F]$/ },
  { characters: /\uFE00/, before: /(?:(?![ -~])\p{Sm}|[\p{sc=Myanmar}\p{sc=Phags_Pa}])$/u },
  { characters: /[\uFE00-\uFE02\u{E0100}-\u{E01EF}]/u, before: /\p{sc=Han}$/u },
  { characters: /[\u180B-\u180D\u180F]/, before: new RegExp(`${MONGOLIAN}$`, "u") },
  { characters: /\u180E/, before: new RegExp(`${MONGOLIAN}$`, "u"), after: new RegExp(`^${MONGOLIAN}`, "u") },
  { characters: /[\u200C\u200D]/, before: new RegExp(`${JOINING}$`, "u") },
  { characters: /[\u200C\u200D]/, before: /(?<![\u200C\u200D])$/, after: new RegExp(`^${JOINING}`, "u") },
  {
    characters: /\u200B/,
    before: new RegExp(`${SPACELESS}$`, "u"),
    after: new RegExp(`^${SPACELESS}`, "u"),
  },
  // The grapheme joiner keeps two combining marks in their order.
  { characters: /\u034F/, before: new RegExp(`${MARK}$`, "u"), after: new RegExp(`^${MARK}`, "u") },
  // Hieroglyphs are stacked by format controls between them; the Syriac mark and the Khitan filler need their script.
  { characters: /[\u{13430}-\u{13440}]/u, before: /[\u{13000}-\u{1342F}]$/u },
  { characters: /[\u{13430}-\u{13440}]/u, before: /$/, after: /^[\u{13000}-\u{1342F}]/u },
  { characters: /\u070F/, before: /$/, after: /^[\u0710-\u072F]/ },
  { characters: /\u{16FE4}/u, before: /[\u{18B00}-\u{18CFF}]$/u },
  // Direction marks, one at a time, near text that runs from right to left.
  {
    characters: new RegExp(`[${DIRECTION}]`),
    before: new RegExp(`${RIGHT_TO_LEFT}[^\\n]*(?<![${DIRECTION}])$`, "u"),
  },
  {
    characters: new RegExp(`[${DIRECTION}]`),
    before: new RegExp(`(?<![${DIRECTION}])$`),
    after: new RegExp(`^[^\\n]*${RIGHT_TO_LEFT}`, "u"),
  },
];

const BLACK_FLAG = "\u{1F3F4}";
const toTags = (letters: string): string =>
  `${String.fromCodePoint(...Array.from(letters, (letter) => 0xe0000 + letter.charCodeAt(0)))}\u{E007F}`;
/** The only subdivision flags in general use (UTS #51): England, Scotland, Wales. */
const FLAG_TAGS: readonly string[] = ["gbeng", "gbsct", "gbwls"].map(toTags);

/**
 * How many UTF-16 units at `index` are invisible characters that the writing around them needs; 0 for none.
 * Only what was kept since `keptFrom` counts as context, so a run of invisible characters cannot vouch for itself.
 */
export function joiningLength(text: string, index: number, character: string, keptFrom: number): number {
  const before = text.slice(Math.max(keptFrom, index - WINDOW), index);
  if (before.endsWith(BLACK_FLAG)) {
    const flag = FLAG_TAGS.find((tags) => text.startsWith(tags, index));
    if (flag !== undefined) return flag.length;
  }
  const end = index + character.length;
  const after = text.slice(end, end + WINDOW);
  const needed = CONTEXTS.some(
    (context) =>
      context.characters.test(character) &&
      context.before.test(before) &&
      (context.after === undefined || context.after.test(after)),
  );
  return needed ? character.length : 0;
}
