import { describe, expect, test } from "vitest";
import { CUE_STEPS, CueTable, eachNameWord, nameCues } from "./cues.js";
import { hashOf } from "./hash.js";

function wordsIn(names: string): readonly string[] {
  const words: string[] = [];
  eachNameWord(names, (_, start, end) => words.push(names.slice(start, end)));
  return words;
}

describe("eachNameWord", () => {
  test.each([
    ["post-body_text", ["post", "body", "text"]],
    ["postBody PostTitle", ["post", "Body", "Post", "Title"]],
    ["css-1x2y3z", ["css"]],
    ["HTMLContent", ["HTMLContent"]],
    ["", []],
  ])("%s", (names, words) => {
    expect(wordsIn(names)).toEqual(words);
  });

  test("gives the hash of the word in lower case", () => {
    const hashes: number[] = [];
    eachNameWord("mainContent", (hash) => hashes.push(hash));
    expect(hashes).toEqual([hashOf("main"), hashOf("content")]);
  });
});

describe("CueTable", () => {
  const entries = Array.from({ length: 500 }, (_, at) => [hashOf(`word${at}`), (at % 160) - 80] as const).sort(
    ([a], [b]) => a - b,
  );
  const table = new CueTable(
    Int32Array.from(entries, ([hash]) => hash),
    Int8Array.from(entries, ([, value]) => value),
  );

  test("holds every word and no other", () => {
    for (const [hash, value] of entries) expect(table.of(hash)).toBe(value / CUE_STEPS);
    expect(table.of(hashOf("absent"))).toBe(0);
  });

  test("names lean as their strongest word does", () => {
    expect(nameCues(table).of("word")).toBe(0);
    const strong = new CueTable(Int32Array.of(hashOf("post"), hashOf("side")), Int8Array.of(16, -32));
    expect(nameCues(strong).of("post-side other")).toBe(-2);
    expect(nameCues(strong).of("post other")).toBe(1);
  });
});
