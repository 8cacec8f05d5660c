/** The resource header of WHATWG MIME Sniffing §5.2: as much as any signature needs. */
const HEADER_BYTES = 1_445;

interface Signature {
  readonly mediaType: string;
  /** Isomorphic string; `?` in `mask` marks a byte that may be anything. */
  readonly bytes: string;
  readonly mask?: string;
  readonly offset?: number;
}

const signature = (mediaType: string, bytes: string, mask?: string, offset?: number): Signature => ({
  mediaType,
  bytes,
  ...(mask === undefined ? {} : { mask }),
  ...(offset === undefined ? {} : { offset }),
});

/** WHATWG MIME Sniffing §6 and §7.1, then what a documentation host also serves. The first that matches counts. */
const SIGNATURES: readonly Signature[] = [
  signature("application/pdf", "%PDF-"),
  signature("application/postscript", "%!PS-Adobe-"),
  signature("image/x-icon", "\x00\x00\x01\x00"),
  signature("image/x-icon", "\x00\x00\x02\x00"),
  signature("image/bmp", "BM"),
  signature("image/gif", "GIF87a"),
  signature("image/gif", "GIF89a"),
  signature("image/webp", "RIFF....WEBPVP", "    ????      "),
  signature("image/png", "\x89PNG\r\n\x1a\n"),
  signature("image/jpeg", "\xff\xd8\xff"),
  signature("image/tiff", "II*\x00"),
  signature("image/tiff", "MM\x00*"),
  signature("image/avif", "ftypavif", undefined, 4),
  signature("image/heic", "ftyphei", undefined, 4),
  signature("audio/aiff", "FORM....AIFF", "    ????    "),
  signature("audio/mpeg", "ID3"),
  signature("application/ogg", "OggS\x00"),
  signature("audio/midi", "MThd\x00\x00\x00\x06"),
  signature("audio/wave", "RIFF....WAVE", "    ????    "),
  signature("audio/flac", "fLaC"),
  signature("video/avi", "RIFF....AVI ", "    ????    "),
  signature("video/mp4", "ftyp", undefined, 4),
  signature("video/webm", "\x1aE\xdf\xa3"),
  signature("font/ttf", "\x00\x01\x00\x00"),
  signature("font/otf", "OTTO"),
  signature("font/collection", "ttcf"),
  signature("font/woff", "wOFF"),
  signature("font/woff2", "wOF2"),
  signature("application/gzip", "\x1f\x8b\x08"),
  signature("application/zip", "PK\x03\x04"),
  signature("application/zip", "PK\x05\x06"),
  signature("application/vnd.rar", "Rar!\x1a\x07"),
  signature("application/x-7z-compressed", "7z\xbc\xaf\x27\x1c"),
  signature("application/zstd", "\x28\xb5\x2f\xfd"),
  signature("application/x-xz", "\xfd7zXZ\x00"),
  signature("application/x-bzip2", "BZh"),
  signature("application/wasm", "\x00asm"),
  signature("application/x-elf", "\x7fELF"),
  signature("application/vnd.sqlite3", "SQLite format 3\x00"),
  signature("application/java-vm", "\xca\xfe\xba\xbe"),
];

/** Signatures that ordinary text cannot begin with by chance, even when no binary byte follows. */
const TEXTUAL_SIGNATURES: ReadonlySet<string> = new Set(["application/pdf", "application/postscript"]);

/** WHATWG MIME Sniffing §7.1: a tag from here, then a space or `>`, makes an unlabelled resource HTML. */
const HTML_START =
  /^[\t\n\f\r ]*<(?:!doctype html|html|head|script|iframe|h1|div|font|table|a|style|title|b|body|br|p)[ \t\n\f\r>]|^[\t\n\f\r ]*<!--/i;
const HTML_DOCUMENT_START = /^[\t\n\f\r ]*(?:<!--[^>]{0,500}-->[\t\n\f\r ]*)?<(?:!doctype html|html|head)[ \t\n\f\r>]/i;

/** What the bytes themselves say. */
export interface Sniffed {
  /** A known binary format, `undefined` when none is recognised. */
  readonly binaryType: string | undefined;
  /** Too many bytes that no text contains; never for UTF-16. */
  readonly binary: boolean;
  /** Begins with a tag that makes an unlabelled resource HTML. */
  readonly html: boolean;
  /** Begins as only a whole HTML document does: strong enough to overrule another label. */
  readonly htmlDocument: boolean;
  readonly xml: boolean;
}

/** Sniffs the first 1,445 bytes (WHATWG MIME Sniffing §5.2). */
export function sniff(bytes: Uint8Array): Sniffed {
  const header = latin1(bytes, HEADER_BYTES).replace(/^\xef\xbb\xbf/, "");
  const utf16 = utf16Pattern(bytes) !== undefined;
  const noisy = !utf16 && isNoisy(header);
  const matched = utf16 ? undefined : SIGNATURES.find((candidate) => matches(candidate, header));
  const binaryType =
    matched !== undefined && (noisy || TEXTUAL_SIGNATURES.has(matched.mediaType) || hasBinaryByte(header))
      ? matched.mediaType
      : undefined;
  const text = utf16 ? header.replaceAll("\0", "").replace(/^(?:\xff\xfe|\xfe\xff)/, "") : header;
  return {
    binaryType,
    binary: noisy || binaryType !== undefined,
    html: HTML_START.test(text),
    htmlDocument: HTML_DOCUMENT_START.test(text),
    xml: /^[\t\n\f\r ]*<\?xml[\t\n\f\r ]/.test(text),
  };
}

/** UTF-16 by its BOM, or by the zero bytes beside ASCII letters when there is none. */
export function utf16Pattern(bytes: Uint8Array): "utf-16le" | "utf-16be" | undefined {
  const [first, second] = bytes;
  if (first === 0xff && second === 0xfe) return "utf-16le";
  if (first === 0xfe && second === 0xff) return "utf-16be";
  const length = Math.min(bytes.length, 512) & ~1;
  if (length < 8 || (first !== 0 && second !== 0)) return undefined;
  let evenZeros = 0;
  let oddZeros = 0;
  for (let index = 0; index < length; index += 2) {
    if (bytes[index] === 0) evenZeros++;
    if (bytes[index + 1] === 0) oddZeros++;
  }
  const pairs = length / 2;
  if (oddZeros > pairs * 0.7 && evenZeros < pairs * 0.05) return "utf-16le";
  if (evenZeros > pairs * 0.7 && oddZeros < pairs * 0.05) return "utf-16be";
  return undefined;
}

/** The first `maxBytes` bytes as an isomorphic string. */
export function latin1(bytes: Uint8Array, maxBytes: number): string {
  return Buffer.from(bytes.buffer, bytes.byteOffset, Math.min(bytes.length, maxBytes)).toString("latin1");
}

function matches({ bytes, mask, offset = 0 }: Signature, header: string): boolean {
  if (mask === undefined) return header.startsWith(bytes, offset);
  for (let index = 0; index < bytes.length; index++) {
    if (mask[index] !== "?" && header[offset + index] !== bytes[index]) return false;
  }
  return true;
}

const BINARY_BYTE = /[\x00-\x08\x0b\x0e-\x1a\x1c-\x1f]/;
const BINARY_BYTES = /[\x00-\x08\x0b\x0e-\x1a\x1c-\x1f]+/g;

function hasBinaryByte(header: string): boolean {
  return BINARY_BYTE.test(header);
}

/** A lone NUL in a log does not make it binary; the standard's "any binary data byte" would hide the log. */
function isNoisy(header: string): boolean {
  if (!hasBinaryByte(header)) return false;
  let count = 0;
  for (const [run] of header.matchAll(BINARY_BYTES)) count += run.length;
  return count >= 2 && count * 50 >= header.length;
}
