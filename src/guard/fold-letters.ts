/** Letters of other scripts, accented and small ones that pass for the letters of our marker. Digits are left to the pattern. */
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
  n: "пηոñńňņⁿɴℕ",
  o: "оοօσöóòôõøōᵒᴏℴ",
  p: "рρþṗᵖᴘℙ℘",
  r: "гŕřɾʳʀℛℜℝ",
  s: "ѕśšşṡˢꜱ",
  t: "тτţťṫᵗᴛ",
};

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

const LETTERS: ReadonlyMap<string, string> = new Map(
  Object.entries(HOMOGLYPHS).flatMap(([letter, glyphs]) =>
    Array.from(glyphs + glyphs.toUpperCase(), (glyph): [string, string] => [glyph, letter]),
  ),
);

const STYLED =
  "\\uFF21-\\uFF3A\\uFF41-\\uFF5A\\u249C-\\u24E9\\u{1F110}-\\u{1F189}\\u{1F1E6}-\\u{1F1FF}\\u{1D400}-\\u{1D6A3}";
const FOLDABLE = new RegExp(`[${[...LETTERS.keys()].filter((glyph) => glyph > "\x7F").join("")}${STYLED}]`, "gu");

export const FILLER = "\x01";

/**
 * Exchanges what merely looks like a Latin letter for that letter, without moving anything: of a character of two
 * UTF-16 units the second becomes `FILLER`. For recognising words in disguise, not for showing.
 */
export function foldLetters(text: string): string {
  return text.replace(
    FOLDABLE,
    (glyph) => (LETTERS.get(glyph) ?? styledLetter(glyph)) + FILLER.repeat(glyph.length - 1),
  );
}

function styledLetter(glyph: string): string {
  const codePoint = glyph.codePointAt(0) ?? 0;
  const first = STYLED_ALPHABETS.find((alphabet) => codePoint >= alphabet && codePoint < alphabet + 26);
  return first === undefined ? "?" : String.fromCharCode(97 + codePoint - first);
}
