import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { charsetLabelOf, parseContentType, parseMediaType } from "./media-type.js";

describe("parseMediaType", () => {
  it.each([
    ["text/html", "text/html", {}],
    [" TEXT/HTML ; Charset=UTF-8 ", "text/html", { charset: "UTF-8" }],
    ['text/html;charset="utf-8"', "text/html", { charset: "utf-8" }],
    ['text/html;charset="a;\\"b\\\\"', "text/html", { charset: 'a;"b\\' }],
    ["text/html;charset=gbk;charset=utf-8", "text/html", { charset: "gbk" }],
    ["text/html;;;charset=gbk;", "text/html", { charset: "gbk" }],
    ["text/html;test;charset=gbk", "text/html", { charset: "gbk" }],
    ["text/html;charset=;x=y", "text/html", { x: "y" }],
    ['text/html;charset=""', "text/html", { charset: "" }],
    ['text/html;charset="unclosed', "text/html", { charset: "unclosed" }],
    ['text/html;charset="a"junk;x=y', "text/html", { charset: "a", x: "y" }],
    ["text/html ;charset =gbk", "text/html", {}],
    ["application/ld+json; profile=x", "application/ld+json", { profile: "x" }],
  ])("parses %j", (input, essence, parameters) => {
    const parsed = parseMediaType(input);
    expect(parsed?.essence).toBe(essence);
    expect(Object.fromEntries(parsed?.parameters ?? [])).toEqual(parameters);
  });

  it.each(["", "html", "/html", "text/", "text /html", "text/ht ml", "text/html charset=utf-8", "té/xt", ";a=b"])(
    "refuses %j",
    (input) => {
      expect(parseMediaType(input)).toBeUndefined();
    },
  );
});

describe("parseContentType", () => {
  it.each([
    ["text/plain, text/html", "text/html", undefined],
    ["text/html;charset=gbk, text/html", "text/html", "gbk"],
    ["text/html;charset=gbk, text/plain", "text/plain", undefined],
    ["text/html;charset=gbk, x/y;charset=big5, text/html", "text/html", undefined],
    ['text/html;x=",text/plain"', "text/html", undefined],
    ["text/html, */*, nonsense", "text/html", undefined],
  ])("reads %j as the Fetch standard does", (header, essence, charset) => {
    const parsed = parseContentType(header);
    expect([parsed?.essence, parsed?.parameters.get("charset")]).toEqual([essence, charset]);
  });

  it("answers any header quickly and without throwing", () => {
    fc.assert(fc.property(fc.string({ unit: "binary" }), (header) => void parseContentType(header)));
    const started = performance.now();
    for (const unit of [";", ",", '"', "\\", "a=", "charset ", " "])
      charsetLabelOf(`text/html${unit.repeat(1_000_000)}`);
    expect(performance.now() - started).toBeLessThan(500);
  });
});

describe("charsetLabelOf", () => {
  it.each([
    ["text/html; charset=utf-8", "utf-8"],
    ["text/html charset=utf-8", "utf-8"],
    ["text/html; charset='utf-8'", "utf-8"],
    ["charset = windows-1251", "windows-1251"],
    ["text/html", undefined],
  ])("reads %j as %j", (header, label) => {
    expect(charsetLabelOf(header)).toBe(label);
  });
});
