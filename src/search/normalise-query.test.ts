import { describe, expect, it } from "vitest";
import type { SearchRequest } from "../types.js";
import { normaliseQuery } from "./normalise-query.js";

const of = (request: Partial<SearchRequest>) => normaliseQuery({ query: "moss", ...request }).query;

it("makes one trimmed line of the query", () => {
  expect(of({ query: "  moss\u0000 on\r\n\tstones \ud800 " }).query).toBe("moss on stones \ufffd");
});

it("cuts a long query at a word, and says so", () => {
  const { query, warnings } = normaliseQuery({ query: "wordy ".repeat(100) });
  expect(query.query).toBe("wordy ".repeat(66).trim());
  expect(warnings).toEqual(["the query was cut to 400 characters"]);
  expect(of({ query: `${"x".repeat(399)}🌿🌿` }).query).toBe("x".repeat(399));
  expect(normaliseQuery({ query: "x".repeat(400) }).warnings).toEqual([]);
});

it.each([
  [undefined, 5],
  [0, 1],
  [-3, 1],
  [7.9, 7],
  [20, 20],
  [21, 20],
  [Number.POSITIVE_INFINITY, 20],
])("clamps the count %s to %i", (count, expected) => {
  expect(of({ count }).count).toBe(expected);
});

it("joins site and sites, lower-cased and once each", () => {
  expect(
    of({ site: "A.example", sites: ["b.example", "a.example", " "], excludeSites: ["https://C.example/"] }),
  ).toMatchObject({
    sites: ["a.example", "b.example"],
    excludeSites: ["c.example"],
  });
  expect(of({ sites: [] }).sites).toEqual([]);
});

it("keeps freshness, country and language in their standard spelling", () => {
  expect(of({ freshness: "week", country: "de", lang: "PT-br" })).toMatchObject({
    freshness: "week",
    country: "DE",
    lang: "pt-BR",
  });
  expect(of({ freshness: { after: "2026-02-28", before: "2026-02-28" } }).freshness).toBeDefined();
  expect(of({ freshness: {} }).freshness).toBeUndefined();
});

describe("refuses", () => {
  it.each<[string, Partial<SearchRequest>]>([
    ["an empty query", { query: " \n\u0000" }],
    ["a pasted file", { query: "x".repeat(10_001) }],
    ["a count that is no number", { count: Number.NaN }],
    ["a site that is none", { site: "a.example/path" }],
    ["too many sites", { sites: Array.from({ length: 51 }, (_, index) => `s${index}.example`) }],
    ["an unknown freshness", { freshness: "hour" as "day" }],
    ["freshness of another type", { freshness: null as unknown as "day" }],
    ["a day that is none", { freshness: { after: "2026-02-30" } }],
    ["a date that is text", { freshness: { before: "yesterday" } }],
    ["a range backwards", { freshness: { after: "2026-02-02", before: "2026-02-01" } }],
    ["a country's name", { country: "Germany" }],
    ["a language that is none", { lang: "english please" }],
    ["an overlong language", { lang: "a".repeat(1_000) }],
    ["an overlong cursor", { cursor: "x".repeat(4_097) }],
    ["a cursor with a line break", { cursor: "brave:2.0\nx" }],
  ])("%s", (_, request) => {
    expect(() => of(request)).toThrow(expect.objectContaining({ kind: "config", code: "invalid_argument" }));
  });
});
