import { TextDecoder as LegacyTextDecoder } from "@exodus/bytes/encoding.js";
import { LANGUAGE_PROFILES, type LanguageProfile } from "./charset-profiles.js";
import { utf16Pattern } from "./signatures.js";

/** A guess from the bytes alone. */
export interface CharsetGuess {
  /** Lower-case Encoding standard name. */
  readonly charset: string;
  /** 0..1: how much the text looks like a language, less for a handful of characters. */
  readonly confidence: number;
}

/** Enough non-ASCII text to tell languages apart; more only costs time. */
const SAMPLE_BYTES = 2_048;
/** ASCII between samples of other text is shortened to its two ends, which neighbouring letters are judged by. */
const ASCII_EDGE_BYTES = 8;
const MIN_CONFIDENCE = 0.4;
/** Chinese, Japanese and Korean text read as a single-byte charset stays below; their tables take long to load. */
const CLEARLY_NOT_IDEOGRAPHS = 0.85;
/** Below this share of its most frequent characters, text is not in the language. */
const MIN_IDEOGRAPH_SHARE = 0.08;
/** In running text the frequent characters of a profile make up at least this share. */
const FULL_IDEOGRAPH_SHARE = 0.3;

const PUNCTUATION = new Set("\u00a0’‘“”„–—…«»·°©®™€£§•№、。「」，．：；（）・！？“”《》");

/**
 * Guesses the charset of bytes that are not UTF-8: UTF-16 by its zero bytes, ISO-2022-JP by its escapes, others by
 * decoding a sample with each legacy charset and asking how far the result looks like a language written in it.
 * `undefined` when nothing does.
 */
export function detectCharset(bytes: Uint8Array): CharsetGuess | undefined {
  const utf16 = utf16Pattern(bytes);
  if (utf16 !== undefined) return { charset: utf16, confidence: 0.95 };
  const sample = sampleOf(bytes);
  if (sample.length === 0) return hasIso2022Escape(bytes) ? { charset: "iso-2022-jp", confidence: 0.95 } : undefined;
  const decoded = new Map<string, string>();
  let best: CharsetGuess | undefined;
  for (const profile of LANGUAGE_PROFILES) {
    if (profile.script === "ideographs" && (best?.confidence ?? 0) >= CLEARLY_NOT_IDEOGRAPHS) break;
    for (const charset of profile.charsets) {
      const text = decoded.get(charset) ?? new LegacyTextDecoder(charset).decode(sample, { stream: true });
      decoded.set(charset, text);
      const confidence = profile.script === "ideographs" ? scoreIdeographs(text, profile) : scoreLetters(text, profile);
      if (confidence >= MIN_CONFIDENCE && confidence > (best?.confidence ?? 0)) best = { charset, confidence };
    }
  }
  return best;
}

/** The first non-ASCII text, long runs of ASCII shortened: no multi-byte character is longer than an edge. */
function sampleOf(bytes: Uint8Array): Uint8Array {
  const sample = new Uint8Array(SAMPLE_BYTES);
  let length = 0;
  let lastHigh = Number.NEGATIVE_INFINITY;
  for (let index = 0; index < bytes.length && length < SAMPLE_BYTES; index++) {
    const byte = bytes[index] ?? 0;
    if (byte >= 0x80) {
      const edge = Math.max(lastHigh + ASCII_EDGE_BYTES + 1, index - ASCII_EDGE_BYTES, 0);
      const before = bytes.subarray(edge, Math.max(edge, index)).subarray(0, SAMPLE_BYTES - length - 1);
      sample.set(before, length);
      length += before.length;
      sample[length++] = byte;
      lastHigh = index;
    } else if (index - lastHigh <= ASCII_EDGE_BYTES) {
      sample[length++] = byte;
    }
  }
  return sample.subarray(0, length);
}

/** ESC $ @, ESC $ B, ESC ( J, ESC ( I: the shifts of ISO-2022-JP (Encoding standard §12.2). */
function hasIso2022Escape(bytes: Uint8Array): boolean {
  for (let at = bytes.indexOf(0x1b); at !== -1; at = bytes.indexOf(0x1b, at + 1)) {
    const shift = String.fromCharCode(bytes[at + 1] ?? 0, bytes[at + 2] ?? 0);
    if (shift === "$@" || shift === "$B" || shift === "(J" || shift === "(I") return true;
  }
  return false;
}

function scoreIdeographs(text: string, { frequent, letters }: LanguageProfile): number {
  const common = new Set(frequent);
  let total = 0;
  let inScript = 0;
  let known = 0;
  let wrong = 0;
  for (const character of text) {
    if (character < "\u0080") continue;
    total++;
    if (common.has(character)) known++;
    if (letters.test(character) || PUNCTUATION.has(character)) inScript++;
    else if (/[\ufffd\p{Co}\p{Cc}\uff61-\uff9f]/u.test(character)) wrong++;
  }
  if (total === 0) return 0;
  const share = known / total;
  const score = 0.4 * (inScript / total) + 0.6 * Math.min(1, share / FULL_IDEOGRAPH_SHARE) - (4 * wrong) / total;
  return settle(share < MIN_IDEOGRAPH_SHARE ? score / 2 : score, total);
}

function scoreLetters(text: string, { frequent, script, letters }: LanguageProfile): number {
  const common = new Set(frequent);
  let total = 0;
  let sum = 0;
  let run = 0;
  for (let index = 0; index < text.length; index++) {
    const character = text.charAt(index);
    if (character < "\u0080") {
      run = 0;
      continue;
    }
    total++;
    const before = text.charAt(index - 1);
    const after = text.charAt(index + 1);
    if (letters.test(character)) {
      run++;
      sum += letterWeight(character, before, common, script);
      if (script === "latin" ? run >= 3 : /[A-Za-z]/.test(before) || /[A-Za-z]/.test(after)) sum -= 1;
      continue;
    }
    run = 0;
    if (common.has(character)) sum += 1;
    else if (PUNCTUATION.has(character)) sum += isLetter(before) && isLetter(after) && character !== "’" ? -0.5 : 0.5;
    else if (/[\ufffd\p{Cc}]/u.test(character)) sum -= 2;
    else sum -= isLetter(before) || isLetter(after) ? 1 : 0.3;
  }
  return total === 0 ? 0 : settle(sum / total, total);
}

/** A capital inside a word is the mark of KOI8 read as windows-1251 and the other way round. */
function letterWeight(
  character: string,
  before: string,
  common: ReadonlySet<string>,
  script: LanguageProfile["script"],
): number {
  const lower = character.toLowerCase();
  const capital = lower !== character;
  if (capital && isLetter(before) && before === before.toLowerCase()) return -1;
  const weight = common.has(lower) || common.has(character) ? 1 : script === "latin" ? 0 : 0.5;
  return capital ? weight * 0.7 : weight;
}

function isLetter(character: string): boolean {
  return /\p{L}/u.test(character);
}

function settle(score: number, total: number): number {
  return Math.round(Math.max(0, Math.min(1, score)) * (total / (total + 1)) * 100) / 100;
}
