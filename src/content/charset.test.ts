import { readFileSync } from "node:fs";
import { createMultibyteEncoder } from "@exodus/bytes/multi-byte.js";
import { createSinglebyteEncoder } from "@exodus/bytes/single-byte.js";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { decodeText } from "./charset.js";
import { detectCharset } from "./detect-charset.js";

interface Sample {
  readonly language: string;
  readonly charsets: readonly string[];
  readonly text: string;
}

const SAMPLES: readonly Sample[] = readFileSync("corpus/charset/samples.jsonl", "utf8")
  .trim()
  .split("\n")
  .map((line): Sample => JSON.parse(line));

const MULTI_BYTE = ["gbk", "gb18030", "big5", "euc-jp", "iso-2022-jp", "shift_jis", "euc-kr"];

function encode(text: string, charset: string): Uint8Array {
  if (charset === "utf-8") return Buffer.from(text);
  if (charset === "utf-16le") return Buffer.from(text, "utf16le");
  if (charset === "utf-16be") return Buffer.from(text, "utf16le").swap16();
  return MULTI_BYTE.includes(charset) ? createMultibyteEncoder(charset)(text) : createSinglebyteEncoder(charset)(text);
}

const bytes = (...values: number[]): Uint8Array => Uint8Array.from(values);

/** All encodings of the standard that can be decoded, with a text that each can write. */
const ENCODINGS: readonly (readonly [string, string])[] = [
  ["utf-8", "naïve 漢字 😀"],
  ["ibm866", "Привет ░▒▓"],
  ["iso-8859-2", "Žluťoučký kůň"],
  ["iso-8859-3", "Ĉirkaŭ ĝardeno"],
  ["iso-8859-4", "Ķēniņš ģērbās"],
  ["iso-8859-5", "Привет, мир №1"],
  ["iso-8859-6", "مرحبا بالعالم"],
  ["iso-8859-7", "Καλημέρα κόσμε"],
  ["iso-8859-8", "שלום עולם"],
  ["iso-8859-8-i", "שלום עולם"],
  ["iso-8859-10", "Þŋ đŧ ąį"],
  ["iso-8859-13", "Ąžuolas “ą”"],
  ["iso-8859-14", "Ŵyŷ ḃ ḋ"],
  ["iso-8859-15", "cœur à 5 €"],
  ["iso-8859-16", "Țară și €"],
  ["koi8-r", "Съешь ещё"],
  ["koi8-u", "Їжак ґудзик"],
  ["macintosh", "‘Café’ †∞"],
  ["windows-874", "สวัสดี €"],
  ["windows-1250", "Łódź “ąę”"],
  ["windows-1251", "Ёлка №1 «да»"],
  ["windows-1252", "“L’été” – 5 € ™"],
  ["windows-1253", "Άλφα €"],
  ["windows-1254", "Şişli ığ €"],
  ["windows-1255", "שלום ₪"],
  ["windows-1256", "سلام پ €"],
  ["windows-1257", "Šešėlis €"],
  ["windows-1258", "Đường ₫"],
  ["x-mac-cyrillic", "Привет ≤ €"],
  ["gbk", "汉字 €"],
  ["gb18030", "汉字 😀 ḿ"],
  ["big5", "漢字 測試"],
  ["euc-jp", "日本語 テスト"],
  ["iso-2022-jp", "日本語 テスト"],
  ["shift_jis", "日本語 ﾃｽﾄ"],
  ["euc-kr", "한국어 뷁"],
  ["utf-16be", "naïve 漢字 😀"],
  ["utf-16le", "naïve 漢字 😀"],
  ["x-user-defined", "abc \uF7FF"],
];

describe("decodeText", () => {
  it.each(ENCODINGS)("reads %s named by the header", (charset, text) => {
    const whole = charset === "windows-1258" ? text.normalize("NFC").replace(/[ườ]/g, "") : text;
    const decoded = decodeText(encode(whole, charset), { label: charset.toUpperCase(), markup: "none" });
    expect(decoded).toMatchObject({ text: whole, charset, charsetSource: "header", warnings: [] });
  });

  it.each([
    ["latin1", "windows-1252"],
    ["iso-8859-1", "windows-1252"],
    ["us-ascii", "windows-1252"],
    ["latin5", "windows-1254"],
    ["gb2312", "gbk"],
    ["sjis", "shift_jis"],
    ["ks_c_5601-1987", "euc-kr"],
    ["UTF8", "utf-8"],
    ["unicode-1-1-utf-8", "utf-8"],
    ["utf-16", "utf-16le"],
    [" cp1251 ", "windows-1251"],
  ])("knows the label %j as %s", (label, charset) => {
    expect(decodeText(encode("plain", charset), { label, markup: "none" }).charset).toBe(charset);
  });

  it("decodes windows-1252's own bytes, which Node 20's decoder gets wrong", () => {
    expect(decodeText(bytes(0x80, 0x93, 0x94, 0x99), { label: "iso-8859-1", markup: "html" }).text).toBe("€“”™");
  });

  it("takes the BOM before the header, the header before the page, the page before a guess", () => {
    const bom = Buffer.concat([bytes(0xef, 0xbb, 0xbf), Buffer.from("é")]);
    expect(decodeText(bom, { label: "windows-1251", markup: "html" })).toMatchObject({
      text: "é",
      charsetSource: "bom",
    });
    const page = encode('<meta charset="koi8-r">Привет', "windows-1251");
    expect(decodeText(page, { label: "windows-1251", markup: "html" })).toMatchObject({
      charset: "windows-1251",
      charsetSource: "header",
    });
    expect(decodeText(page, { markup: "html" })).toMatchObject({ charset: "koi8-r", charsetSource: "meta" });
    expect(decodeText(page, { markup: "none" })).toMatchObject({ charset: "windows-1251", charsetSource: "detected" });
    const xml = encode('<?xml version="1.0" encoding="windows-1251"?><a>Привет</a>', "windows-1251");
    expect(decodeText(xml, { markup: "xml" })).toMatchObject({ charset: "windows-1251", charsetSource: "meta" });
  });

  it("reads a page's own utf-16 declaration as utf-8 and x-user-defined as windows-1252", () => {
    expect(decodeText(Buffer.from("<meta charset=utf-16>é"), { markup: "html" }).charset).toBe("utf-8");
    expect(decodeText(Buffer.from("<meta charset=x-user-defined>e"), { markup: "html" }).charset).toBe("windows-1252");
  });

  it("falls back to windows-1252 for HTML, to UTF-8 for others, and says nothing of ASCII", () => {
    const noise = bytes(0x41, 0x81, 0x8d, 0x8f, 0x90, 0x9d, 0x41);
    expect(decodeText(noise, { markup: "html" })).toMatchObject({ charset: "windows-1252", charsetSource: "default" });
    expect(decodeText(noise, { markup: "none" })).toMatchObject({ charset: "utf-8", charsetSource: "default" });
    expect(decodeText(Buffer.from("plain"), { markup: "html" })).toMatchObject({ charset: "utf-8", warnings: [] });
    expect(decodeText(bytes(), { markup: "html" })).toMatchObject({ text: "", charset: "utf-8" });
  });

  it("overrules a declaration that the bytes contradict, and says so", () => {
    const text = "Съешь же ещё этих мягких французских булок, да выпей чаю.";
    const wrong = decodeText(encode(text, "windows-1251"), { label: "utf-8", markup: "html" });
    expect(wrong).toMatchObject({ text, charset: "windows-1251", charsetSource: "detected" });
    expect(wrong.warnings[0]).toMatch(/Declared as utf-8.*read as windows-1251/);
    const latin = decodeText(Buffer.from("Déjà vu à Besançon"), { label: "iso-8859-1", markup: "html" });
    expect(latin).toMatchObject({ text: "Déjà vu à Besançon", charset: "utf-8" });
    expect(latin.warnings).toHaveLength(1);
  });

  it("keeps UTF-8 with a stray broken byte and a page about U+FFFD as they are", () => {
    const stray = Buffer.concat([Buffer.from("é".repeat(50)), bytes(0xff), Buffer.from("end")]);
    expect(decodeText(stray, { label: "utf-8", markup: "html" })).toMatchObject({ charset: "utf-8", warnings: [] });
    expect(decodeText(Buffer.from("\uFFFD".repeat(20)), { label: "utf-8", markup: "html" }).warnings).toEqual([]);
  });

  it("ignores labels that name no decoder", () => {
    for (const label of ["nonsense", "hz-gb-2312", "\u0000", "x".repeat(1_000)]) {
      const decoded = decodeText(Buffer.from("é"), { label, markup: "none" });
      expect(decoded).toMatchObject({ text: "é", charset: "utf-8" });
      expect(decoded.warnings).toEqual(["The declared charset is not a known one."]);
    }
  });

  it("drops the incomplete character at a cut, and only there", () => {
    for (const [charset, text] of ENCODINGS) {
      if (charset === "x-user-defined" || charset === "windows-1258") continue;
      const whole = encode(text, charset);
      for (let length = 0; length <= whole.length; length++) {
        const decoded = decodeText(whole.subarray(0, length), { label: charset, markup: "none", truncated: true });
        expect(decoded.text, `${charset} ${length}`).not.toContain("\uFFFD");
        expect(text.startsWith(decoded.text), `${charset} ${length}`).toBe(true);
      }
    }
    expect(decodeText(bytes(0x61, 0xe2, 0x82), { label: "utf-8", markup: "none" }).text).toBe("a\uFFFD");
  });

  it("removes NUL and makes every line end in \\n", () => {
    expect(decodeText(Buffer.from("a\0\r\nb\rc\n\r\n\0"), { markup: "none" }).text).toBe("a\nb\nc\n\n");
  });

  it("always gives well-formed text, whatever the bytes, label and cut", () => {
    const label = fc.option(fc.constantFrom(...ENCODINGS.map(([charset]) => charset)), { nil: undefined });
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 200 }), label, fc.boolean(), (input, charset, truncated) => {
        const { text } = decodeText(input, { label: charset, markup: "html", truncated });
        expect(text).not.toMatch(/\p{Cs}/u);
        expect(text).not.toMatch(/[\0\r]/);
      }),
      { numRuns: 500 },
    );
  });
});

describe("detectCharset", () => {
  const cases = SAMPLES.flatMap(({ language, charsets, text }) =>
    charsets.map((charset) => ({ language, charset, text })),
  );

  it.each(cases)("reads undeclared $language text in $charset", ({ charset, text }) => {
    const page = encode(`<html><title>x</title><p>${text}</p></html>`, charset);
    const decoded = decodeText(page, { markup: "html" });
    expect(decoded.text).toContain(text);
    expect(decoded.warnings[0]).toMatch(/guessed, confidence 0\.\d/);
  });

  it("is less sure of a few characters than of a page, and of nothing when there are none", () => {
    const short = detectCharset(encode("Łódź", "windows-1250"))?.confidence ?? 0;
    const long = detectCharset(encode(SAMPLES.find(({ language }) => language === "pl")?.text ?? "", "windows-1250"));
    expect(long?.confidence).toBeGreaterThan(short);
    expect(detectCharset(Buffer.from("ascii"))).toBeUndefined();
    expect(detectCharset(Buffer.from("\x1b[31mred\x1b[0m"))).toBeUndefined();
  });

  it("looks at a bounded sample", () => {
    const started = performance.now();
    detectCharset(Buffer.alloc(10_000_000, 0xe9));
    expect(performance.now() - started).toBeLessThan(2_000);
  });
});
