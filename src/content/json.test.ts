import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { outlineOfJson, readJson } from "./json.js";

const outlined = (text: string): string[] =>
  outlineOfJson(text).map(({ number, title, start, end }) => `${number} ${title}: ${text.slice(start, end).trim()}`);

describe("outlineOfJson", () => {
  it("lists the keys and items of two levels with their place in the text", () => {
    expect(outlined('{"a": 1, "b": {"c": [1, 2], "d": "x,}"}, "e\\"f": [true, {"g": null}]}')).toEqual([
      '1 a: "a": 1,',
      '2 b: "b": {"c": [1, 2], "d": "x,}"},',
      '2.1 c: "c": [1, 2],',
      '2.2 d: "d": "x,}"',
      '3 e"f: "e\\"f": [true, {"g": null}]',
      "3.1 [0]: true,",
      '3.2 [1]: {"g": null}',
    ]);
    expect(outlined("[[], {}, -1.50e3]")).toEqual(["1 [0]: [],", "2 [1]: {},", "3 [2]: -1.50e3"]);
    expect(outlined('"just text"')).toEqual([]);
    expect(outlined("{}")).toEqual([]);
  });

  it("folds long containers into an entry that reaches to their end", () => {
    const text = JSON.stringify({ items: Array.from({ length: 200 }, (_, index) => ({ index })), last: 1 });
    const entries = outlineOfJson(text);
    expect(entries).toHaveLength(52);
    expect(entries[50]).toMatchObject({ number: "1.50", title: "[49] …" });
    expect(text.slice(entries[50]?.start, entries[50]?.end)).toMatch(/^\{"index":49\}.*\{"index":199\}$/);
    expect(entries[51]).toMatchObject({ number: "2", title: "last" });
  });

  it("covers any JSON: its keys, in order, each stretch holding its value", () => {
    fc.assert(
      fc.property(
        fc.dictionary(fc.string({ unit: "binary" }), fc.jsonValue(), { maxKeys: 20 }),
        fc.boolean(),
        (value, spaced) => {
          const text = JSON.stringify(value, null, spaced ? 2 : 0);
          const parsed: Record<string, unknown> = JSON.parse(text);
          const tops = outlineOfJson(text).filter((entry) => !entry.number.includes("."));
          expect(tops).toHaveLength(Object.keys(parsed).length);
          for (const [index, entry] of tops.entries()) {
            const member = text.slice(entry.start, entry.end).trim().replace(/,$/, "");
            const [key = ""] = Object.keys(JSON.parse(`{${member}}`));
            expect(key).toBe(Object.keys(parsed)[index]);
            expect(entry.title).not.toMatch(/\p{Cs}/u);
          }
        },
      ),
    );
  });

  it("needs no stack for 100,000 levels and is linear in 10 MB", () => {
    const deep = `${"[".repeat(100_000)}${"]".repeat(100_000)}`;
    expect(outlineOfJson(deep)).toHaveLength(2);
    const started = performance.now();
    outlineOfJson(JSON.stringify('x\\"'.repeat(2_500_000)));
    outlineOfJson(JSON.stringify(Array(1_000_000).fill({ a: 1 })));
    expect(performance.now() - started).toBeLessThan(3_000);
  });
});

describe("readJson", () => {
  it("tells documents, lines and broken text apart", () => {
    expect(readJson('{"a":1}')).toEqual({ form: "document", outline: [] });
    expect(readJson('{"a":1}\n\n{"a":2}\n').form).toBe("lines");
    expect(readJson('\x1e{"a":1}\n\x1e{"a":2}\n').form).toBe("lines");
    expect(readJson('{"a":1').form).toBe("invalid");
    expect(readJson("// comment\n{}").form).toBe("invalid");
    expect(readJson("").form).toBe("invalid");
  });

  it("outlines long documents only", () => {
    const long = JSON.stringify({ first: "x".repeat(9_000), second: 2 });
    expect(readJson(long).outline.map((entry) => entry.title)).toEqual(["first", "second"]);
  });
});
