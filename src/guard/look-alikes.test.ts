import { readFileSync } from "node:fs";
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
  ])("is linear on repeated %j", (unit) => {
    const started = performance.now();
    neutraliseLookAlikes(unit.repeat(Math.ceil(1_000_000 / unit.length)));
    expect(performance.now() - started).toBeLessThan(4_000);
  });
});
