import { describe, expect, test } from "vitest";
import { type CacheOptions, createCache } from "./cache.js";

interface Page {
  readonly text: string;
}

function clocked(options: CacheOptions = {}) {
  let time = 0;
  const cache = createCache<Page>({ ...options, now: () => time });
  return {
    cache,
    pass: (ms: number) => {
      time += ms;
    },
    put: (key: string, bytes = 10, negative = false) => cache.set(key, { text: key }, { bytes, negative }),
  };
}

describe("createCache", () => {
  test("keeps a page for 15 minutes", async () => {
    const { cache, pass, put } = clocked();
    await put("a");
    pass(15 * 60_000);
    expect(await cache.get("a")).toEqual({ text: "a" });
    pass(1);
    expect(await cache.get("a")).toBeUndefined();
  });

  test("reading does not make a page younger", async () => {
    const { cache, pass, put } = clocked({ ttlMs: 100 });
    await put("a");
    pass(60);
    expect(await cache.get("a")).toBeDefined();
    pass(60);
    expect(await cache.get("a")).toBeUndefined();
  });

  test("keeps a failure for seconds", async () => {
    const { cache, pass, put } = clocked();
    await put("a", 10, true);
    pass(5_000);
    expect(await cache.get("a")).toBeDefined();
    pass(1);
    expect(await cache.get("a")).toBeUndefined();
  });

  test("is bounded by bytes, the least recently used go first", async () => {
    const { cache, put } = clocked({ maxBytes: 100 });
    await put("a", 40);
    await put("b", 40);
    await cache.get("a");
    await put("c", 40);
    expect([await cache.get("a"), await cache.get("b"), await cache.get("c")].map((page) => page?.text)).toEqual([
      "a",
      undefined,
      "c",
    ]);
  });

  test("a page larger than the cache is not kept and drives nothing out", async () => {
    const { cache, put } = clocked({ maxBytes: 100 });
    await put("a", 40);
    await put("huge", 101);
    expect(await cache.get("huge")).toBeUndefined();
    expect(await cache.get("a")).toBeDefined();
  });

  test.each([{ maxBytes: 0 }, { ttlMs: 0 }])("remembers nothing with %j", async (options) => {
    const { cache, put } = clocked(options);
    await put("a", 1);
    expect(await cache.get("a")).toBeUndefined();
  });

  test("no age for failures means that they are not remembered, and drop what stood there", async () => {
    const { cache, put } = clocked({ negativeTtlMs: 0 });
    await put("a");
    await put("a", 10, true);
    expect(await cache.get("a")).toBeUndefined();
  });

  test("forgets one page or all", async () => {
    const { cache, put } = clocked();
    await put("a");
    await put("b");
    await cache.delete("a");
    expect(await cache.get("a")).toBeUndefined();
    expect(await cache.get("b")).toBeDefined();
    await cache.clear();
    expect(await cache.get("b")).toBeUndefined();
  });

  test("a size of nothing or a fraction still counts", async () => {
    const { cache, put } = clocked({ maxBytes: 2 });
    for (const key of ["a", "b", "c"]) await put(key, 0.5);
    expect(await cache.get("a")).toBeUndefined();
    expect(await cache.get("c")).toBeDefined();
  });
});
