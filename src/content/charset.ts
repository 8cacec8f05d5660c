import { isUtf8 } from "node:buffer";
import {
  getBOMEncoding,
  TextDecoder as LegacyTextDecoder,
  labelToName,
  normalizeEncoding,
} from "@exodus/bytes/encoding.js";
import { detectCharset } from "./detect-charset.js";
import { PRESCAN_BYTES, prescanCharset, xmlEncoding } from "./meta-prescan.js";
import { latin1 } from "./signatures.js";

/** Where a charset was learned, most trustworthy first. */
export type CharsetSource = "bom" | "header" | "meta" | "detected" | "default";

export interface DecodeOptions {
  /** The charset label of the `Content-Type` header. */
  readonly label?: string | undefined;
  /** Which declaration inside the body counts, and what an undeclared body falls back to. */
  readonly markup: "html" | "xml" | "none";
  /** The body was cut: an incomplete character at its end is dropped instead of becoming U+FFFD. */
  readonly truncated?: boolean | undefined;
}

export interface Decoded {
  /** Well-formed UTF-16 without BOM and NUL, lines ending in `\n`. */
  readonly text: string;
  /** Lower-case name in the Encoding standard. */
  readonly charset: string;
  readonly charsetSource: CharsetSource;
  readonly warnings: readonly string[];
}

interface Choice {
  readonly charset: string;
  readonly source: CharsetSource;
  readonly warning?: string;
}

/** A pile-up of U+FFFD, as against a stray broken byte: this many, and one in this many characters. */
const MIN_REPLACEMENTS = 4;
const MAX_CHARS_PER_REPLACEMENT = 500;
/** So many UTF-8 sequences do not come about by chance in text of a single-byte charset. */
const MIN_UTF8_SEQUENCES = 3;

/**
 * Decodes a body by BOM, then header, then declaration in the body, then detection, then the default
 * (windows-1252 for HTML, UTF-8 for others). A declaration that the bytes plainly contradict is overruled with a warning.
 */
export function decodeText(bytes: Uint8Array, options: DecodeOptions): Decoded {
  const truncated = options.truncated === true;
  const choice = chooseCharset(bytes, options);
  const warnings = choice.warning === undefined ? [] : [choice.warning];
  const text = decode(bytes, choice.charset, truncated);
  const valid = isUtf8(withoutTail(bytes, truncated));
  // Valid UTF-8 is shown as it is: a page about U+FFFD is not a broken one.
  const replaced = valid && choice.charset === "utf-8" ? 0 : countReplacements(text);
  const pileUp = replaced >= MIN_REPLACEMENTS && replaced * MAX_CHARS_PER_REPLACEMENT > text.length;
  if (pileUp && (choice.source === "header" || choice.source === "meta")) {
    const guess = valid ? { charset: "utf-8" } : detectCharset(bytes);
    const better = guess === undefined ? undefined : decode(bytes, guess.charset, truncated);
    if (guess !== undefined && better !== undefined && countReplacements(better) < replaced / 4) {
      warnings.push(`Declared as ${choice.charset}, which does not fit the bytes; read as ${guess.charset}.`);
      return { text: tidy(better, bytes, guess.charset), charset: guess.charset, charsetSource: "detected", warnings };
    }
  }
  if (pileUp)
    warnings.push(`${replaced} characters could not be decoded as ${choice.charset} and are shown as \uFFFD.`);
  return { text: tidy(text, bytes, choice.charset), charset: choice.charset, charsetSource: choice.source, warnings };
}

function chooseCharset(bytes: Uint8Array, { label, markup, truncated }: DecodeOptions): Choice {
  const bom = getBOMEncoding(bytes);
  if (bom !== null) return { charset: bom, source: "bom" };

  const head = markup === "none" ? "" : latin1(bytes, PRESCAN_BYTES);
  const inBody = markup === "html" ? prescanCharset(head) : xmlEncoding(head);
  const declarations: readonly (readonly [CharsetSource, string | undefined])[] = [
    ["header", charsetOfLabel(label)],
    ["meta", charsetOfMeta(inBody)],
  ];
  const complete = withoutTail(bytes, truncated === true);
  for (const [source, charset] of declarations) {
    if (charset === undefined) continue;
    if (isSingleByte(charset) && isUtf8(complete) && countUtf8Sequences(complete) >= MIN_UTF8_SEQUENCES) {
      const warning = `Declared as ${charset}, but the bytes are UTF-8; read as utf-8.`;
      return { charset: "utf-8", source: "detected", warning };
    }
    return { charset, source };
  }
  const unknown = label === undefined && inBody === undefined ? undefined : "The declared charset is not a known one.";
  if (isUtf8(complete) && !complete.includes(0) && !complete.includes(0x1b)) {
    return withWarning({ charset: "utf-8", source: "detected" }, unknown);
  }
  const guess = detectCharset(bytes);
  if (guess !== undefined) {
    const warning = `No usable charset is declared; read as ${guess.charset} (guessed, confidence ${guess.confidence}).`;
    return { charset: guess.charset, source: "detected", warning };
  }
  if (isUtf8(complete)) return withWarning({ charset: "utf-8", source: "detected" }, unknown);
  return withWarning({ charset: markup === "html" ? "windows-1252" : "utf-8", source: "default" }, unknown);
}

function withWarning(choice: Choice, warning: string | undefined): Choice {
  return warning === undefined ? choice : { ...choice, warning };
}

function charsetOfLabel(label: string | undefined): string | undefined {
  const charset = label === undefined ? null : normalizeEncoding(label);
  // "replacement" stands for charsets that no decoder may read (Encoding standard §14.1).
  return charset === null || charset === "replacement" ? undefined : charset;
}

/** A declaration that could be read as ASCII is not UTF-16 (WHATWG HTML §13.2.3.2). */
function charsetOfMeta(label: string | undefined): string | undefined {
  const charset = charsetOfLabel(label);
  if (charset === "utf-16le" || charset === "utf-16be") return "utf-8";
  return charset === "x-user-defined" ? "windows-1252" : charset;
}

const MULTI_BYTE: ReadonlySet<string> = new Set([
  "utf-8",
  "utf-16le",
  "utf-16be",
  "gbk",
  "gb18030",
  "big5",
  "euc-jp",
  "iso-2022-jp",
  "shift_jis",
  "euc-kr",
]);

function isSingleByte(charset: string): boolean {
  return !MULTI_BYTE.has(charset);
}

function decode(bytes: Uint8Array, charset: string, truncated: boolean): string {
  // The native decoder is right and fastest for UTF-8; Node 20's is wrong for windows-1252 and others.
  if (charset === "utf-8") return new TextDecoder("utf-8").decode(withoutTail(bytes, truncated));
  return new LegacyTextDecoder(labelToName(charset) ?? charset).decode(bytes, { stream: truncated });
}

/** `bytes` without an incomplete UTF-8 sequence at its end. */
function withoutTail(bytes: Uint8Array, truncated: boolean): Uint8Array {
  if (!truncated) return bytes;
  for (let back = 1; back <= Math.min(3, bytes.length); back++) {
    const byte = bytes[bytes.length - back] ?? 0;
    if (byte < 0x80) return bytes;
    if (byte >= 0xc0) {
      const needed = byte >= 0xf0 ? 4 : byte >= 0xe0 ? 3 : 2;
      return needed > back ? bytes.subarray(0, bytes.length - back) : bytes;
    }
  }
  return bytes;
}

function countUtf8Sequences(bytes: Uint8Array): number {
  let count = 0;
  for (const byte of bytes) {
    if (byte >= 0xc2 && ++count >= MIN_UTF8_SEQUENCES) break;
  }
  return count;
}

function countReplacements(text: string): number {
  let count = 0;
  for (let at = text.indexOf("\uFFFD"); at !== -1; at = text.indexOf("\uFFFD", at + 1)) count++;
  return count;
}

function tidy(text: string, bytes: Uint8Array, charset: string): string {
  // Searching bytes is several times faster than searching the string; in UTF-16 they would mislead.
  const source = charset.startsWith("utf-16") ? text : Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length);
  const whole = source.includes("\0") ? text.replaceAll("\0", "") : text;
  return source.includes("\r") ? whole.replace(/\r\n?/g, "\n") : whole;
}
