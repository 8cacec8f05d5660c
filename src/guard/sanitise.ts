import { type InvisibleKind, invisibleKind } from "./invisible.js";
import { joiningLength } from "./joining-context.js";

export interface Sanitised {
  readonly text: string;
  /** How many characters (for `ansi_escape`: sequences) were removed, by kind. Empty when nothing was. */
  readonly removed: Record<string, number>;
}

// Few ranges on purpose: V8 tests these at memory speed, and Latin, Greek, Cyrillic, Hebrew, CJK, Hangul and emoji pass.
const UNCOMMON = /[^\t\n -~\xA0-\xAC\xAE-\u034E\u0370-\u05FF\u2010-\u2027\u3000-\u3163\u3165-\uDB3F\uDB44-\uDFFF]/;

const isWellFormed = (text: string): boolean => (text as string & { isWellFormed(): boolean }).isWellFormed();

const CARRIAGE_RETURN = 0x0d;

/** ECMA-48 control sequences, control strings (OSC, DCS, SOS, PM, APC) and short escapes, 7- and 8-bit. */
const escapeSequence = (): RegExp =>
  /(?:\x1B\[|\x9B)[0-?]*[ -/]*[@-~]|(?:\x1B[\]PX^_]|[\x9D\x90\x98\x9E\x9F])[^\x07\x1B\x9C\n]*(?:\x07|\x1B\\|\x9C)|\x1B[ -/]*[0-~]/y;

/**
 * Removes every character that a person cannot see: Unicode tags, variation selectors, zero-width characters,
 * direction controls, soft hyphens, C0 and C1 controls except line feed and tab, terminal escape sequences,
 * fillers, invisible operators; a lone surrogate becomes U+FFFD, a carriage return a line feed.
 *
 * What correct writing needs stays: joiners in Arabic, Persian and Indic scripts, emoji sequences, the flags of
 * England, Scotland and Wales, ideographic and Mongolian variants, direction marks beside right-to-left text.
 * Linear in the text's length; text with nothing to remove comes back as the same string. Idempotent.
 */
export function sanitise(text: string): Sanitised {
  const removed: Record<string, number> = {};
  if (!UNCOMMON.test(text) && isWellFormed(text)) return { text, removed };

  const sequence = escapeSequence();
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
    const kept = kind === undefined ? width : neededLength(text, index, codePoint, kind, keptFrom);
    if (kind === undefined || kept > 0) {
      index += kept;
      continue;
    }
    output.add(text.slice(keptFrom, index));
    if (unit === CARRIAGE_RETURN) {
      if (text[index + 1] !== "\n") output.add("\n");
      index += 1;
    } else if (kind === "control") {
      sequence.lastIndex = index;
      const length = sequence.exec(text)?.[0].length;
      count(removed, length === undefined ? kind : "ansi_escape");
      index += length ?? width;
    } else {
      if (kind === "lone_surrogate") output.add("\uFFFD");
      count(removed, kind);
      index += width;
    }
    keptFrom = index;
  }
  if (keptFrom === 0) return { text, removed };
  output.add(text.slice(keptFrom));
  return { text: output.build(), removed };
}

function count(removed: Record<string, number>, kind: InvisibleKind): void {
  removed[kind] = (removed[kind] ?? 0) + 1;
}

/** How many units of an invisible character must stay: none beside one that was removed, so that no run vouches for itself. */
function neededLength(text: string, index: number, codePoint: number, kind: InvisibleKind, keptFrom: number): number {
  if (kind === "control" || kind === "lone_surrogate" || (index === keptFrom && index > 0)) return 0;
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
