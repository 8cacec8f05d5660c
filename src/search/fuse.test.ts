import { expect, it } from "vitest";
import { fuse } from "./fuse.js";

const hit = (url: string, snippet = "", published?: string) => ({
  url,
  title: url,
  snippet,
  ...(published === undefined ? {} : { published }),
});

it("puts first what several found, and lets the earlier list win ties", () => {
  const fused = fuse([
    { provider: "one", hits: [hit("https://a.example"), hit("https://both.example/?utm_source=x")] },
    { provider: "two", hits: [hit("https://b.example"), hit("http://www.both.example/")] },
  ]);
  expect(fused.map(({ url, provider }) => [url, provider])).toEqual([
    ["https://both.example/?utm_source=x", "one+two"],
    ["https://a.example", "one"],
    ["https://b.example", "two"],
  ]);
});

it("keeps the longer snippet and the earlier date", () => {
  const [fused] = fuse([
    { provider: "one", hits: [hit("https://a.example", "short", "2026-05-01")] },
    { provider: "two", hits: [hit("https://a.example", "a longer one", "2025-01-01T10:00:00Z")] },
  ]);
  expect(fused).toMatchObject({ snippet: "a longer one", published: "2025-01-01T10:00:00Z" });
});

it("keeps the order of a single list, and counts a page once in it", () => {
  const urls = ["https://a.example", "https://b.example", "https://c.example"];
  const [a, b, c] = urls.map((url) => hit(url));
  const doubled = [a, b, b, b, c].filter((entry) => entry !== undefined);
  expect(fuse([{ provider: "one", hits: doubled }]).map(({ url }) => url)).toEqual(urls);
});
