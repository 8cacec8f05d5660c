/** Letters of other scripts, accented and small ones that pass for letters of our marker, of roles and of tags. Digits are left to the patterns. */
const HOMOGLYPHS: Readonly<Record<string, string>> = {
  a: "аαɑáàâäãåāᵃᴀ",
  b: "вβЬƀḃᵇʙℬ",
  c: "сϲçćčċᶜᴄℂℭ",
  d: "ԁɗđďḋᵈᴅⅆⅅ",
  e: "еεєҽéèêëēėęěᵉᴇℯℰⅇ",
  f: "ƒϝḟᶠꜰℱ",
  g: "ɡցğģġᵍɢℊ",
  h: "һհнħĥḣʰʜℋℌℍℎ",
  i: "іιɩıíìîïīįΙІӀⁱɪℐℑⅈ",
  k: "кκᵏᴋ",
  l: "ӏⅼℓᶫʟ",
  m: "мⅿᵐᴍℳ",
  n: "пηոñńňņⁿɴℕ",
  o: "оοօσöóòôõøōᵒᴏℴ",
  p: "рρþṗᵖᴘℙ℘",
  r: "гŕřɾʳʀℛℜℝ",
  s: "ѕśšşṡˢꜱ",
  t: "тτţťṫᵗᴛ",
  u: "υսúùûüũūůűųᵘᴜ",
  v: "νѵⅴᵛᴠ",
  w: "ѡԝɯŵʷᴡ",
  x: "хχⅹ",
  y: "уүýÿʏ",
};

/** Capitals that pass for another letter than their small form does. */
const CAPITAL_HOMOGLYPHS: Readonly<Record<string, string>> = { Η: "h", Ν: "n", Υ: "y", Ү: "y", Ь: "b" };

/** First code points of the alphabets that Unicode repeats: fullwidth, parenthesised, circled, squared, regional, mathematical. */
const STYLED_ALPHABETS: readonly number[] = [
  0xff21,
  0xff41,
  0x249c,
  0x24b6,
  0x24d0,
  0x1f110,
  0x1f130,
  0x1f150,
  0x1f170,
  0x1f1e6,
  ...Array.from({ length: 26 }, (_, alphabet) => 0x1d400 + 26 * alphabet),
];

/** Code points to the code of the letter that they pass for. */
const LETTERS: ReadonlyMap<number, number> = new Map(
  [
    ...STYLED_ALPHABETS.flatMap((first) =>
      Array.from({ length: 26 }, (_, index) => [String.fromCodePoint(first + index), String.fromCharCode(97 + index)]),
    ),
    ...Object.entries(HOMOGLYPHS).flatMap(([letter, glyphs]) =>
      Array.from(glyphs + glyphs.toUpperCase(), (glyph) => [glyph, letter]),
    ),
    ...Object.entries(CAPITAL_HOMOGLYPHS),
  ].map(([glyph = "", letter = ""]): [number, number] => [glyph.codePointAt(0) ?? 0, letter.charCodeAt(0)]),
);

const FOLDABLE = new RegExp(
  `[${[...LETTERS.keys()]
    .filter((glyph) => glyph > 0x7f)
    .map((glyph) => `\\u{${glyph.toString(16)}}`)
    .join("")}]`,
  "u",
);
const CHUNK_UNITS = 8_192;

export const FILLER = "\x01";

/**
 * Exchanges what merely looks like a Latin letter for that letter, without moving anything: of a character of two
 * UTF-16 units the second becomes `FILLER`. For recognising words in disguise, not for showing.
 */
export function foldLetters(text: string): string {
  if (!FOLDABLE.test(text)) return text;
  const folded = new Uint16Array(text.length);
  for (let index = 0; index < text.length; index += 1) {
    const unit = text.charCodeAt(index);
    folded[index] = unit;
    if (unit < 0x80) continue;
    const codePoint = text.codePointAt(index) ?? unit;
    const letter = LETTERS.get(codePoint);
    if (letter === undefined) continue;
    folded[index] = letter;
    if (codePoint > 0xffff) {
      index += 1;
      folded[index] = FILLER.charCodeAt(0);
    }
  }
  let result = "";
  for (let from = 0; from < folded.length; from += CHUNK_UNITS) {
    result += Reflect.apply(String.fromCharCode, undefined, folded.subarray(from, from + CHUNK_UNITS));
  }
  return result;
}
