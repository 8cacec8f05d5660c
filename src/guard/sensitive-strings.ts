const BASE16 = "0123456789abcdef";
const BASE32 = "abcdefghijklmnopqrstuvwxyz234567";
// Compared without regard to case, because a DNS label has none; a chance hit on eight such characters is negligible.
const BASE64 = "abcdefghijklmnopqrstuvwxyzabcdefghijklmnopqrstuvwxyz0123456789+/";
const BASE64_URL = `${BASE64.slice(0, -2)}-_`;

/** Shorter strings would be found in ordinary words. */
const MIN_SENSITIVE_CHARS = 6;
/** A shorter encoding does not identify what it encodes. */
const MIN_ENCODED_CHARS = 8;

/**
 * Whether one of `sensitive` stands in one of `texts`, plain or inside a longer base64, base32 or hexadecimal string.
 * Letter case is ignored. Strings of fewer than 6 characters are not looked for.
 */
export function containsSensitive(texts: readonly string[], sensitive: readonly string[]): boolean {
  const haystacks = texts.map((text) => text.toLowerCase());
  return sensitive
    .filter((secret) => secret.length >= MIN_SENSITIVE_CHARS)
    .some((secret) => spellings(secret).some((spelling) => haystacks.some((haystack) => haystack.includes(spelling))));
}

function spellings(secret: string): readonly string[] {
  const bytes = new TextEncoder().encode(secret);
  const encoded = [
    encodeInside(bytes, BASE16, 4),
    encodeInside(bytes, BASE32, 5),
    encodeInside(bytes, BASE64, 6),
    encodeInside(bytes, BASE64_URL, 6),
  ].flat();
  return [secret.toLowerCase(), ...encoded.filter((spelling) => spelling.length >= MIN_ENCODED_CHARS)];
}

/**
 * The characters that `bytes` alone decide, for each way they can lie inside a longer encoded string
 * (RFC 4648: 3 alignments in base64, 5 in base32, 1 in base16).
 */
function encodeInside(bytes: Uint8Array, alphabet: string, bitsPerCharacter: number): readonly string[] {
  const alignments = bitsPerCharacter === 4 ? 1 : bitsPerCharacter === 5 ? 5 : 3;
  return Array.from({ length: alignments }, (_, bytesBefore) => {
    let encoded = "";
    const bits = 8 * bytes.length;
    const skippedBits = (bitsPerCharacter - ((8 * bytesBefore) % bitsPerCharacter)) % bitsPerCharacter;
    for (let bit = skippedBits; bit + bitsPerCharacter <= bits; bit += bitsPerCharacter) {
      const pair = ((bytes[bit >> 3] ?? 0) << 8) | (bytes[(bit >> 3) + 1] ?? 0);
      const value = (pair >> (16 - (bit & 7) - bitsPerCharacter)) & (alphabet.length - 1);
      encoded += alphabet[value];
    }
    return encoded;
  });
}
