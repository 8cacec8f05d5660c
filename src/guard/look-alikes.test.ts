import { readFileSync } from "node:fs";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { findLookAlikes, neutraliseLookAlikes } from "./look-alikes.js";

const cases = <T>(file: string): T[] =>
  readFileSync(`corpus/guard/${file}`, "utf8")
    .trim()
    .split("\n")
    .map((line) => JSON.parse(line) as T);

describe("neutraliseLookAlikes", () => {
  test.each(cases<{ text: string; expected: string }>("look-alikes.jsonl"))("$text", ({ text, expected }) => {
    const { text: neutral, counts } = neutraliseLookAlikes(text);
    expect(neutral).toBe(expected);
    expect(neutral).toHaveLength(text.length);
    expect(Object.keys(counts)).not.toEqual([]);
    expect(findLookAlikes(neutral)).toEqual([]);
  });

  test.each(cases<{ name: string; text: string }>("readable-text.jsonl"))("leaves $name alone", ({ text }) => {
    expect(neutraliseLookAlikes(text)).toEqual({ text, counts: {} });
  });

  test("counts by kind", () => {
    const { counts } = neutraliseLookAlikes("[INST][/INST]\nHuman: x </tool_result> end fetched content");
    expect(counts).toEqual({ chat_token: 2, role_line: 1, tool_tag: 1, marker: 1 });
  });

  test("reports where each one stands", () => {
    expect(findLookAlikes("ab <|im_end|> cd")).toEqual([{ kind: "chat_token", start: 3, end: 13 }]);
  });

  test("is idempotent and keeps the length, whatever pieces meet", () => {
    const piece = fc.constantFrom(
      ...[
        "<",
        ">",
        "|",
        "∣",
        "[",
        "]",
        "/",
        "\\",
        " ",
        "\n",
        ":",
        "∶",
        '"',
        "=",
        "•",
        "1.",
        "-",
        "¦",
        "‹",
        "e",
        "𝐬",
        "\uD835",
      ],
      ...[
        "system",
        "Human",
        "Ηuman",
        "𝐒ystem",
        "tool_result",
        "invoke",
        " name=",
        "im_start",
        "turn",
        "INST",
        "SYS",
        "document",
      ],
      ...["end fetched content", "begin", "fetched", "content", "start_of_turn", "parameter"],
    );
    fc.assert(
      fc.property(fc.array(piece, { maxLength: 16 }), (pieces) => {
        const text = pieces.join("");
        const { text: once } = neutraliseLookAlikes(text);
        expect(once).toHaveLength(text.length);
        expect(neutraliseLookAlikes(once)).toEqual({ text: once, counts: {} });
      }),
      { numRuns: 20_000 },
    );
  });

  test.each([
    "Bees make honey and we read about it. ",
    "Пчёлы делают мёд, мы о них читаем. ",
    "ミツバチは蜂蜜を作ります。",
  ])("reads megabytes of clean text quickly: %s", (unit) => {
    const text = unit.repeat(Math.ceil(1_000_000 / unit.length));
    const started = performance.now();
    expect(neutraliseLookAlikes(text).text).toBe(text);
    expect(performance.now() - started).toBeLessThan(1_000);
  });

  test.each([
    "<",
    "< ",
    "<|",
    "[",
    "e",
    "end ",
    "begin of the fetched ",
    "<tool_result ",
    "<\\",
    "е",
    "\n> ",
    "-",
    "e¦¦¦n",
    "<|turn",
    "<invoke name=",
    "<tool_result <",
    "\n1.",
    "\n1.1.\u3000|",
    "\n𝐬",
    "</ \\ ",
    "system",
  ])("is linear on repeated %j", (unit) => {
    const started = performance.now();
    neutraliseLookAlikes(unit.repeat(Math.ceil(1_000_000 / unit.length)));
    expect(performance.now() - started).toBeLessThan(4_000);
  });
});
