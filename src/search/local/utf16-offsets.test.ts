import fc from "fast-check";
import { expect, it } from "vitest";
import { utf16Offsets } from "./utf16-offsets.js";

it("a byte offset at a character's start becomes the same place in UTF-16", () => {
  const text = fc.string({ unit: "grapheme", maxLength: 3_000 });
  fc.assert(
    fc.property(text, fc.array(fc.nat(3_000), { maxLength: 20 }), (whole, cuts) => {
      const toUtf16 = utf16Offsets(Buffer.from(whole));
      for (const cut of cuts) {
        const start = Array.from(whole).slice(0, cut).join("");
        expect(toUtf16(Buffer.byteLength(start))).toBe(start.length);
      }
    }),
  );
});

it("an offset past the end is the end", () => {
  expect(utf16Offsets(Buffer.from("añ🦊"))(99)).toBe(4);
});
