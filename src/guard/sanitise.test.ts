import { readFileSync } from "node:fs";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { sanitise } from "./sanitise.js";

interface Case {
  readonly name: string;
  readonly text: string;
  readonly expected: string;
  readonly removed: Record<string, number>;
}

const cases = <T>(file: string): T[] =>
  readFileSync(`corpus/guard/${file}`, "utf8")
    .trim()
    .split("\n")
    .map((line) => JSON.parse(line) as T);

const LEGAL = cases<Case>("legal-text.jsonl");
const INVISIBLE = cases<Case>("invisible-text.jsonl");

/** Anything that renders nothing or steers a terminal; what is left of them must have been vouched for. */
const HIDDEN =
  /[\p{DI}\p{Cc}\uFFF9-\uFFFB\uD800-\uDFFF\uFDD0-\uFDEF\u{13430}-\u{13440}\u{1D159}\u2800\u070F\u{16FE4}]/u;
const anyText = fc.string({ unit: "binary", maxLength: 60 });
const anyInvisible = fc.oneof(
  ...INVISIBLE.map(({ text }) => fc.constant(text)),
  fc.constantFrom("\u200B", "\u200C", "\u200D", "\uFE0F", "\u{E0041}", "\u{E0100}", "\u200F", "\x1B[0m", "\x1B]", "\r"),
);
const mixed = fc
  .array(fc.oneof(anyText, anyInvisible, fc.constantFrom(...LEGAL.map(({ text }) => text))), { maxLength: 12 })
  .map((pieces) => pieces.join(""));

describe("sanitise", () => {
  test.each(LEGAL)("keeps $name", ({ text }) => {
    expect(sanitise(text)).toEqual({ text, removed: {} });
  });

  test.each(INVISIBLE)("removes $name", ({ text, expected, removed }) => {
    expect(sanitise(text)).toEqual({ text: expected, removed });
  });

  test("keeps legal texts next to each other", () => {
    fc.assert(
      fc.property(fc.array(fc.constantFrom(...LEGAL.map(({ text }) => text)), { maxLength: 8 }), (texts) => {
        const text = texts.join("\n");
        expect(sanitise(text).text).toBe(text);
      }),
    );
  });

  test("is idempotent and leaves well-formed text", () => {
    fc.assert(
      fc.property(mixed, (text) => {
        const once = sanitise(text).text;
        expect(sanitise(once)).toEqual({ text: once, removed: {} });
        expect(once).not.toMatch(/[\uD800-\uDFFF]/u);
      }),
      { numRuns: 500 },
    );
  });

  test("is idempotent where controls, marks and right-to-left text meet", () => {
    const pieces = fc.constantFrom(
      ..."\r\n\x1B\x9B\x9D\x9C\x07[;mא\u0627\u200F\u061C\u200D\u2800\u2801x\uFE0F葛\u{E0101}\u{13000}\u{13430}\u{13440}\u{16FE4}\u070F\u034F\u0301\u200E",
      "\uD83D",
      "\x1B]0;",
      "❤",
    );
    fc.assert(
      fc.property(fc.array(pieces, { maxLength: 24 }), (units) => {
        const once = sanitise(units.join("")).text;
        expect(sanitise(once)).toEqual({ text: once, removed: {} });
      }),
      { numRuns: 20_000 },
    );
    expect(sanitise("\u200F\r\u0627").text).toBe("\n\u0627");
  });

  test("every ignorable or format character alone in a text is removed", () => {
    // Signs that enclose numbers in Arabic and Kaithi are called format characters and are visible.
    const seen = /[\u0600-\u0605\u06DD\u0890\u0891\u08E2\u{110BD}\u{110CD}]/u;
    const named = /[\p{DI}\p{Cf}\p{Cc}\p{NChar}\u2800\u{1D159}\u{16FE4}\u{E0000}-\u{EFFFF}]/u;
    const survivors: string[] = [];
    for (let codePoint = 0; codePoint <= 0x10ffff; codePoint += 1) {
      const character = String.fromCodePoint(codePoint);
      if (!named.test(character) || seen.test(character) || "\t\n\r".includes(character)) continue;
      const { text } = sanitise(`é${character}é`);
      if (text !== "éé" || sanitise(character).text !== "") survivors.push(codePoint.toString(16));
    }
    expect(survivors).toEqual([]);
  });

  test("never removes or changes what can be seen", () => {
    const visible = (text: string) => text.replace(new RegExp(HIDDEN, "gu"), "");
    fc.assert(
      fc.property(fc.string({ unit: "grapheme", maxLength: 200 }), (text) => {
        expect(visible(sanitise(text).text)).toBe(visible(text));
      }),
    );
  });

  test("leaves nothing hidden between latin letters", () => {
    const hidden = fc.string({
      unit: fc.constantFrom(..."\u200B\u200C\u200D\u2060\uFE0F\u00AD\u202E\u{E0061}\u{E0101}"),
    });
    fc.assert(
      fc.property(fc.array(fc.tuple(fc.constantFrom("a", "Z", " ", "-", "9"), hidden)), (pairs) => {
        expect(sanitise(pairs.flat().join("")).text).toBe(pairs.map(([letter]) => letter).join(""));
      }),
    );
  });

  test("a lone surrogate becomes the replacement character and never pairs up", () => {
    expect(sanitise("a\uD83D\u200B\uDE00b")).toEqual({
      text: "a\uFFFD\uFFFDb",
      removed: { lone_surrogate: 2, zero_width: 1 },
    });
  });

  test("clean text comes back as the same string, quickly", () => {
    const text = "Plain words — “quoted”, naïve, Привет, 日本語, 😀. ".repeat(1_000).slice(0, 50_000);
    for (let round = 0; round < 200; round += 1) sanitise(text);
    const started = performance.now();
    for (let round = 0; round < 50; round += 1) expect(sanitise(text).text).toBe(text);
    expect((performance.now() - started) / 50).toBeLessThan(2);
  });

  const controls = Array.from({ length: 0xa0 }, (_, code) => String.fromCharCode(code)).filter((c) =>
    /\p{Cc}/u.test(c),
  );
  test("is linear on every control character, and on mixes of them", () => {
    const mixes = [
      "\x90\x1B",
      "\x9D\x9B",
      "\x9D0",
      "\x1B]\x98",
      "\x1BP1;",
      "\x9B;",
      "\x1B[ ",
      "\x9B0 ",
      "\x1B ",
      "\x9F\r",
    ];
    const slow = [...controls, ...mixes, controls.join(""), ...controls.map((c) => `\x9D${c}`)].filter((unit) => {
      const started = performance.now();
      sanitise(unit.repeat(Math.ceil(80_000 / unit.length)));
      return performance.now() - started > 500;
    });
    expect(slow.map((unit) => JSON.stringify(unit))).toEqual([]);
  });

  test.each([
    ["zero-width characters", "\u200B"],
    ["joiners behind a letter that joins", "ه\u200D"],
    ["tags behind a flag", "\u{1F3F4}\u{E0067}"],
    ["single hidden characters", "a\u200B"],
    ["control strings that never end", "\x1B]"],
    ["control sequences that never end", "\x1B[1;2;3"],
    ["direction marks", "א\u200E"],
  ])("is linear on megabytes of %s", (_name, unit) => {
    const started = performance.now();
    sanitise(unit.repeat(Math.ceil(4_000_000 / unit.length)));
    expect(performance.now() - started).toBeLessThan(8_000);
  });
});
