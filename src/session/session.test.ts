import { describe, expect, test } from "vitest";
import { createLedger } from "./ledger.js";
import { createMemo } from "./memo.js";
import { redactSecrets, redactUrl } from "./redact.js";
import { createSession } from "./session.js";

describe("createMemo", () => {
  test("an identical question gets the remembered answer", async () => {
    const memo = createMemo<{ hits: number }>();
    await memo.set({ query: "undici lookup", count: 5, sites: ["a.example"] }, { hits: 3 });
    expect(await memo.get({ sites: ["a.example"], count: 5, query: " undici lookup ", lang: undefined })).toEqual({
      hits: 3,
    });
  });

  test.each([
    { query: "undici lookups", count: 5 },
    { query: "undici lookup", count: 6 },
    { query: "undici lookup", count: 5, sites: ["b.example"] },
    { query: "undici lookup", count: 5, freshness: { after: "2026-01-01" } },
    { query: "undici lookup", count: "5" },
  ])("another question does not: %j", async (question) => {
    const memo = createMemo<{ hits: number }>();
    await memo.set({ query: "undici lookup", count: 5, sites: [] }, { hits: 3 });
    expect(await memo.get({ query: "undici lookup", count: 5 })).toEqual({ hits: 3 });
    expect(await memo.get(question)).toBeUndefined();
  });

  test("is bounded", async () => {
    const memo = createMemo<object>({ maxEntries: 2 });
    for (const query of ["a", "b", "c"]) await memo.set({ query }, {});
    expect(await memo.get({ query: "a" })).toBeUndefined();
    expect(await memo.get({ query: "c" })).toBeDefined();
  });
});

describe("createLedger", () => {
  const entry = {
    tool: "web_search",
    provider: "brave",
    requests: 1,
    wireBytes: 100,
    durationMs: 5,
    cacheHit: false,
  } as const;

  test("adds up, and an unknown price is counted, not taken for nothing", () => {
    const ledger = createLedger();
    ledger.add({ ...entry, costUsd: 0.005, costBasis: "table" });
    ledger.add({ ...entry, costUsd: null, costBasis: "unknown" });
    ledger.add({ ...entry, costUsd: 0, costBasis: "free", cacheHit: true });
    expect(ledger.totals()).toEqual({
      calls: 3,
      cachedCalls: 1,
      requests: 3,
      wireBytes: 300,
      durationMs: 15,
      costUsd: 0.005,
      unknownCosts: 1,
    });
    expect(ledger.entries().map(({ costBasis }) => costBasis)).toEqual(["table", "unknown", "free"]);
  });

  test("keeps the newest 10,000 entries and the totals of all", () => {
    const ledger = createLedger();
    for (let i = 0; i < 25_000; i += 1) ledger.add({ ...entry, durationMs: i, costUsd: 0, costBasis: "free" });
    expect(ledger.entries()).toHaveLength(10_000);
    expect(ledger.entries().at(-1)?.durationMs).toBe(24_999);
    expect(ledger.totals().calls).toBe(25_000);
  });
});

describe("redact", () => {
  test("secrets become a word, wherever they stand and however they overlap", () => {
    const key = `sk-proj-${"a1B2".repeat(8)}`;
    expect(redactSecrets(`a ${key} b ${key}`)).toBe("a [secret] b [secret]");
    expect(redactSecrets(`API_KEY=${key} c`)).toBe("[secret] c");
    expect(redactSecrets("nothing here")).toBe("nothing here");
  });

  test("what is no URL or too long never throws", () => {
    expect(redactUrl("not a url: hunter2")).not.toContain("hunter2");
    expect(redactUrl(`https://a.example/?q=${"x".repeat(100_000)}`).length).toBeLessThan(200);
  });
});

describe("createSession", () => {
  test("hangs everything from one object, on the given clock, and forgets on close", async () => {
    let time = 1_000;
    const session = createSession<{ text: string }, { hits: number }>({
      cacheTtlMs: 10,
      budget: { maxRequests: 1 },
      now: () => time,
    });
    await session.cache.set("a", { text: "a" }, { bytes: 1 });
    await session.memo.set({ query: "q" }, { hits: 1 });
    expect(session.events.start("fetch", { url: "https://a.example/" }).elapsedMs()).toBe(0);
    await session.budget.reserve({ requests: 1 });
    await expect(session.budget.reserve({ requests: 1 })).rejects.toMatchObject({ code: "budget_exhausted" });
    time += 11;
    expect(await session.cache.get("a")).toBeUndefined();
    await session.cache.set("a", { text: "a" }, { bytes: 1 });
    await session.close();
    expect(await session.cache.get("a")).toBeUndefined();
    expect(await session.memo.get({ query: "q" })).toBeUndefined();
  });

  test("two sessions share nothing", async () => {
    const [one, two] = [createSession(), createSession()];
    await one.cache.set("a", {}, { bytes: 1 });
    await one.memo.set({ query: "q" }, {});
    expect(await two.cache.get("a")).toBeUndefined();
    expect(await two.memo.get({ query: "q" })).toBeUndefined();
  });
});
