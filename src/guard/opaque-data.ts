/** Lengths in hexadecimal digits of MD5, SHA-1, SHA-224, SHA-256, SHA-384 and SHA-512, and of PyPI's split BLAKE2. */
const DIGEST_LENGTHS: ReadonlySet<number> = new Set([32, 40, 56, 60, 64, 96, 128]);
/** Names of public things, of at most 64 bytes: subresource integrity, Go's module hashes, UUIDs, mangled C++ symbols. */
const PUBLIC_NAMES: readonly RegExp[] = [
  /^sha(?:1|256|384|512)[-:][A-Za-z0-9+/_-]{27,88}={0,2}$/,
  /^h1:[A-Za-z0-9+/]{43}=$/,
  /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i,
  /^__?Z[A-Za-z0-9_.$]{1,512}$/,
];
const MIN_ENCODED_CHARS = 16;

const ENCODINGS: readonly { readonly alphabet: RegExp; readonly characters: string; readonly bits: number }[] = [
  { alphabet: /^[0-9a-f]+$/i, characters: "0123456789abcdef", bits: 4 },
  { alphabet: /^[a-z2-7]+$/i, characters: "abcdefghijklmnopqrstuvwxyz234567", bits: 5 },
  {
    alphabet: /^[A-Za-z0-9+/_-]+$/,
    characters: "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/",
    bits: 6,
  },
];

/** Whether a token is readable text in base16, base32 or base64: what a person never types and a leak often is. */
export function isEncodedText(token: string): boolean {
  const bare = token.replace(/=+$/, "");
  if (bare.length < MIN_ENCODED_CHARS) return false;
  return ENCODINGS.some(({ alphabet, characters, bits }) => {
    if (!alphabet.test(bare)) return false;
    const folded = bits === 6 ? bare.replaceAll("-", "+").replaceAll("_", "/") : bare.toLowerCase();
    return decodesToText(folded, characters, bits);
  });
}

/** Reads at most 512 characters; a single unprintable byte among the first means it is not text. */
function decodesToText(encoded: string, characters: string, bits: number): boolean {
  let buffer = 0;
  let held = 0;
  let letters = 0;
  let bytes = 0;
  for (const character of encoded.slice(0, 512)) {
    buffer = ((buffer << bits) | characters.indexOf(character)) & 0xffff;
    held += bits;
    if (held < 8) continue;
    held -= 8;
    const byte = (buffer >> held) & 0xff;
    if ((byte < 0x20 && byte !== 0x0a && byte !== 0x0d && byte !== 0x09) || byte > 0x7e) return false;
    bytes += 1;
    if (/[A-Za-z0-9 ]/.test(String.fromCharCode(byte))) letters += 1;
  }
  return letters >= 0.75 * bytes;
}

/** Whether a token is the digest or identifier of something public. */
export function isPublicName(token: string): boolean {
  return PUBLIC_NAMES.some((name) => name.test(token));
}

/**
 * Whether a token of at least `minChars` looks like random or encrypted bytes: letters of both cases and digits
 * follow each other without the runs that words and numbers have. Digests in hexadecimal do not count.
 */
export function isOpaque(token: string, minChars: number): boolean {
  if (token.length < minChars) return false;
  if (/^(?:0x)?[0-9a-f]+$/i.test(token)) {
    const digits = token.replace(/^0x/i, "");
    return !DIGEST_LENGTHS.has(digits.length) && !/^\d+$/.test(digits);
  }
  return changesOfClass(token) / token.length >= 0.25;
}

/** An AWS secret key: 40 characters of base64, in which a slash does not part segments. */
const KEY_CHARS = 40;
const MIN_KEY_CHANGES = 8;

/** Whether neighbouring segments, with the slashes between them, make up a random-looking key of 40 characters. A word in lower case is none of its parts. */
export function isSlashedKey(path: string): boolean {
  const segments = path.split("/");
  return segments.some((_, first) => {
    let candidate = segments[first] ?? "";
    for (let next = first + 1; next < segments.length && candidate.length < KEY_CHARS; next += 1) {
      candidate += `/${segments[next] ?? ""}`;
    }
    return (
      candidate.length === KEY_CHARS &&
      candidate.includes("/") &&
      !/(?:^|\/)[a-z]{4,}(?:\/|$)/.test(candidate) &&
      /^(?=.*[A-Z])(?=.*[a-z])(?=.*[0-9])[A-Za-z0-9+/]+$/.test(candidate) &&
      changesOfClass(candidate) >= MIN_KEY_CHANGES
    );
  });
}

/** How often a lower-case letter, a capital and a digit stand next to one of another class; a capital that opens a word is none. */
function changesOfClass(token: string): number {
  return token.match(/[a-z](?=[A-Z0-9])|[A-Z](?=[0-9])|[0-9](?=[A-Za-z])|(?<=[A-Z])[A-Z](?=[a-z])/g)?.length ?? 0;
}
