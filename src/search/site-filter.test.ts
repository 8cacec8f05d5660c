import { expect, it } from "vitest";
import { passesSites, siteHost } from "./site-filter.js";

it.each([
  ["Nodejs.ORG", "nodejs.org"],
  [" https://docs.a.example/ ", "docs.a.example"],
  ["*.a.example", "a.example"],
  [".a.example", "a.example"],
  ["a.example.", "a.example"],
  ["bücher.example", "xn--bcher-kva.example"],
  ["例え.テスト", "xn--r8jz45g.xn--zckzah"],
  ["com", "com"],
])("takes %j for the host %s", (text, host) => {
  expect(siteHost(text)).toBe(host);
});

it.each([
  "",
  " ",
  "a b",
  "a.example/path",
  "a.example?x",
  "user@a.example",
  "a.example:8080",
  "127.0.0.1",
  "[::1]",
  "1.2",
  "0x7f.1",
  "a..example",
  "-a.example",
  "x".repeat(254),
  "a.example\nsite:b",
])("does not take %j for a site", (text) => {
  expect(siteHost(text)).toBeUndefined();
});

it.each([
  ["https://a.example/x", true],
  ["https://deep.sub.a.example/", true],
  ["https://A.EXAMPLE./", true],
  ["https://nota.example/", false],
  ["https://a.example.evil.example/", false],
  ["https://evil.example/?a.example", false],
  ["https://a.example@evil.example/", false],
  ["docs:moss@1.0.0/README.md", false],
  ["nonsense", false],
])("keeps %s within a.example: %s", (url, passes) => {
  expect(passesSites(url, { sites: ["a.example"], excludeSites: [] })).toBe(passes);
});

it("lets a denied site win over a wanted one", () => {
  const filter = { sites: ["a.example"], excludeSites: ["old.a.example"] };
  expect(passesSites("https://old.a.example/", filter)).toBe(false);
  expect(passesSites("https://x.old.a.example/", filter)).toBe(false);
  expect(passesSites("https://new.a.example/", filter)).toBe(true);
});

it("compares international names in one form", () => {
  const sites = [siteHost("bücher.example") ?? ""];
  expect(passesSites("https://www.bücher.example/", { sites, excludeSites: [] })).toBe(true);
});

it("takes a package for the site of a docs address", () => {
  expect(passesSites("docs:moss@1.0.0/README.md", { sites: ["moss"], excludeSites: [] })).toBe(true);
  expect(passesSites("docs:moss@1.0.0/README.md", { sites: [], excludeSites: ["moss"] })).toBe(false);
  expect(passesSites("docs:moss@1.0.0/README.md", { sites: [], excludeSites: ["a.example"] })).toBe(true);
});
