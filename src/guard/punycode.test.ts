import { domainToUnicode } from "node:url";
import fc from "fast-check";
import { expect, test } from "vitest";
import { isHomograph } from "./homograph.js";
import { decodePunycodeLabel } from "./punycode.js";

test("reads what the platform wrote", () => {
  const word = fc.string({
    unit: fc.constantFrom(..."abz09éßжящいろは漢字ありがと한글מים"),
    minLength: 1,
    maxLength: 12,
  });
  fc.assert(
    fc.property(word, (text) => {
      const url = `http://${text}.example/`;
      fc.pre(URL.canParse(url));
      const [label = ""] = new URL(url).hostname.split(".");
      expect(decodePunycodeLabel(label)).toBe(domainToUnicode(`${label}.example`).split(".")[0]);
    }),
    { numRuns: 500 },
  );
});

test.each(["example", "xn--", "xn--\u{1F600}", "xn--99999999", `xn--${"a".repeat(5_000)}`, "xn--a-\u0000"])(
  "what is not punycode comes back: %s",
  (label) => {
    expect(decodePunycodeLabel(label)).toBe(label === "xn--" ? "" : label);
  },
);

test("never throws, whatever stands behind the prefix", () => {
  fc.assert(
    fc.property(fc.string({ unit: fc.constantFrom(..."abcxyz0129-"), maxLength: 59 }), (rest) => {
      decodePunycodeLabel(`xn--${rest}`);
    }),
    { numRuns: 2_000 },
  );
});

test.each([
  ["pаypal.com", true],
  ["gооgle.com", true],
  ["githuЬ.com", true],
  ["аррӏе.com", true],
  ["αpple.example", true],
  ["www.аpple.co.uk", true],
  ["münchen.de", false],
  ["пример.рф", false],
  ["россия.example", false],
  ["例え.テスト", false],
  ["ドメインabc.example", false],
  ["한국abc.example", false],
  ["ελληνικά.example", false],
  ["مثال.إختبار", false],
  ["example.com", false],
  ["[::1]", false],
])("%s imitates: %s", (host, expected) => {
  expect(isHomograph(new URL(`http://${host}/`).hostname)).toBe(expected);
});
