import { withoutControls } from "./control-sequences.js";
import { type InvisibleKind, invisibleKind } from "./invisible.js";
import { joiningLength } from "./joining-context.js";

export interface Sanitised {
  readonly text: string;
  /** How many characters (for `ansi_escape`: sequences) were removed, by kind. Empty when nothing was. */
  readonly removed: Record<string, number>;
}

// Few ranges on purpose: V8 tests these at memory speed, and Latin, Greek, Cyrillic, Hebrew, CJK, Hangul and emoji pass.
// Of the surrogates only mathematical letters, emoji and plane 2 are let past: other blocks hold format controls.
const UNCOMMON =
  /[^\t\n -~\xA0-\xAC\xAE-\u034E\u0370-\u05FF\u2010-\u2027\u3000-\u3163\u3165-\uD7FF\uD835\uD83C-\uD83E\uD840-\uD87E\uDC00-\uDFFF]/;
const CONTROL = /[\0-\x08\x0B-\x1F\x7F-\x9F]/;
const BRAILLE_BLANK = "\u2800";
const BRAILLE = /[\u2801-\u28FF]/;

const isWellFormed = (text: string): boolean => (text as string & { isWellFormed(): boolean }).isWellFormed();

/**
 * Removes every character that a person cannot see: Unicode tags, variation selectors, zero-width characters,
 * direction controls, soft hyphens, C0 and C1 controls except line feed and tab, terminal escape sequences,
 * fillers, invisible operators, non-characters; a lone surrogate becomes U+FFFD, a carriage return a line feed.
 *
 * What correct writing needs stays: joiners in Arabic, Persian and Indic scripts, emoji sequences, the flags of
 * England, Scotland and Wales, ideographic and Mongolian variants, direction marks beside right-to-left text, format
 * controls beside hieroglyphs, and the blank of Braille on a line that holds a visible pattern of Braille.
 * Linear in the text's length; text with nothing to remove comes back as the same string. Idempotent.
 */
export function sanitise(text: string): Sanitised {
  const removed: Record<string, number> = {};
  if (!UNCOMMON.test(text) && isWellFormed(text)) return { text, removed };

  const count = (kind: InvisibleKind, times = 1): void => {
    removed[kind] = (removed[kind] ?? 0) + times;
  };
  // First what does not depend on its surroundings, so that the rest is judged by text that stays.
  const plain = CONTROL.test(text) || !isWellFormed(text) ? withoutControls(text, count) : text;
  const braille = plain.includes(BRAILLE_BLANK) ? withoutStrayBlanks(plain, count) : plain;
  return { text: withoutInvisible(braille, count), removed };
}

type Count = (kind: InvisibleKind, times?: number) => void;

function withoutInvisible(text: string, count: Count): string {
  const output = createStringBuilder();
  let keptFrom = 0;
  let index = 0;
  while (index < text.length) {
    const unit = text.charCodeAt(index);
    if (isPlain(unit)) {
      index += 1;
      continue;
    }
    const codePoint = text.codePointAt(index) ?? unit;
    const kind = invisibleKind(codePoint);
    const width = codePoint > 0xffff ? 2 : 1;
    const kept = kind === undefined ? width : neededLength(text, index, codePoint, keptFrom);
    if (kind === undefined || kept > 0) {
      index += kept;
      continue;
    }
    output.add(text.slice(keptFrom, index));
    count(kind);
    index += width;
    keptFrom = index;
  }
  if (keptFrom === 0) return text;
  output.add(text.slice(keptFrom));
  return output.build();
}

/** Blanks of Braille line pictures up; on a line without a visible pattern they are spaces that nobody sees. */
function withoutStrayBlanks(text: string, count: Count): string {
  const lines = text.split("\n").map((line) => {
    if (!line.includes(BRAILLE_BLANK) || BRAILLE.test(line)) return line;
    const kept = line.replaceAll(BRAILLE_BLANK, "");
    count("invisible", line.length - kept.length);
    return kept;
  });
  return lines.join("\n");
}

/** How many units of an invisible character must stay: none beside one that was removed, so that no run vouches for itself. */
function neededLength(text: string, index: number, codePoint: number, keptFrom: number): number {
  if (index === keptFrom && index > 0) return 0;
  return joiningLength(text, index, String.fromCodePoint(codePoint), keptFrom);
}

/** Code units that are neither invisible themselves nor half of an invisible character. */
function isPlain(unit: number): boolean {
  if (unit < 0x7f) return unit >= 0x20 || unit === 0x0a || unit === 0x09;
  if (unit < 0x034f) return unit >= 0xa0 && unit !== 0xad;
  return (unit > 0x206f && unit < 0xd800 && unit !== 0x3164) || (unit > 0x180f && unit < 0x200b);
}

interface StringBuilder {
  add(piece: string): void;
  build(): string;
}

/** Joins early, because millions of one-character pieces would weigh many times the text itself. */
function createStringBuilder(): StringBuilder {
  const joined: string[] = [];
  let pieces: string[] = [];
  return {
    add(piece) {
      if (piece === "") return;
      pieces.push(piece);
      if (pieces.length < 8192) return;
      joined.push(pieces.join(""));
      pieces = [];
    },
    build: () => joined.join("") + pieces.join(""),
  };
}
