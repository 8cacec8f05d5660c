import { expect, it } from "vitest";
import { publishedDate, webUrl } from "./provider-hits.js";
import { plainText } from "./snippet-text.js";

it.each([
  ["a <strong>b</strong> &amp; c&#x27;s &lt;d&gt;", "a b & c's <d>"],
  ["&amp;lt;b&amp;gt;", "&lt;b&gt;"],
  ["one<br>two</p><p>three", "one two three"],
  ["a <script>alert(1)</script><img src=x onerror=y> b", "a alert(1) b"],
  ["a < b and 1 <3", "a < b and 1 <3"],
  ["x\u0000\u0007\ny\u00a0z \ud800", "x y z \ufffd"],
  ["<strong", ""],
])("reads the HTML %j as %j", (source, text) => {
  expect(plainText(source, "html", 100)).toBe(text);
});

it.each([
  ["<div>: the box", "<div>: the box"],
  ["Vec<T> and <b>bold</b> &amp; <span class='m'>marked</span>", "Vec<T> and bold & marked"],
  ["<strong>: the element", "<strong>: the element"],
])("reads the text %j as %j", (source, text) => {
  expect(plainText(source, "text", 100)).toBe(text);
});

it("cuts with an ellipsis and never inside a character", () => {
  expect(plainText("word ".repeat(10), "text", 12)).toBe("word word w…");
  expect(plainText(`${"x".repeat(9)}🌿🌿`, "text", 11)).toBe(`${"x".repeat(9)}…`);
});

it("stays linear on markup without an end", () => {
  // Quadratic time over 200,000 pieces would be minutes.
  const startedAt = performance.now();
  for (const piece of ["<b", "<span ", "&", "<", "<b>", "</", "<b>x</i>"]) {
    for (const kind of ["html", "text"] as const) plainText(piece.repeat(200_000), kind, 20_000);
  }
  expect(performance.now() - startedAt).toBeLessThan(15_000);
});

it.each([
  ["2026-03-14T09:26:53", "2026-03-14T09:26:53"],
  ["2026-03-14T09:26:53.1234567+02:00", "2026-03-14T09:26:53+02:00"],
  ["2026-03-14 00:00:00", "2026-03-14"],
  ["2026-03-14T00:00:00Z", "2026-03-14T00:00:00Z"],
  ["2026-03-14", "2026-03-14"],
  ["Wed, 18 Nov 2026 07:00:00 GMT", "2026-11-18T07:00:00Z"],
  ["2026-13-40", undefined],
  ["3 days ago", undefined],
  ["March 14, 2026", undefined],
  ["2026", undefined],
  ["", undefined],
])("takes the date %j for %j", (text, date) => {
  expect(publishedDate(text)).toBe(date);
});

it.each([
  ["https://a.example/é?x=1", "https://a.example/é?x=1"],
  ["https://a.example/a b\n", "https://a.example/a%20b"],
  ["https://a.example/\u202ex", "https://a.example/%E2%80%AEx"],
  ["javascript:alert(1)", undefined],
  ["//a.example/", undefined],
  ["file:///etc/passwd", undefined],
  [`https://a.example/${"x".repeat(4_096)}`, undefined],
])("takes the address %j for %j", (text, url) => {
  expect(webUrl(text)).toBe(url);
});
