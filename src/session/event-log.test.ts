import { describe, expect, test } from "vitest";
import { FetchError } from "../errors.js";
import { createEventLog } from "./event-log.js";
import type { PosternEvent } from "./events.js";

function recorded() {
  const events: PosternEvent[] = [];
  const lines: string[] = [];
  let time = Date.UTC(2026, 0, 2, 3, 4, 5);
  const log = createEventLog({
    onEvent: (event) => events.push(event),
    write: (line) => lines.push(line),
    now: () => time,
  });
  return {
    log,
    events,
    lines,
    pass: (ms: number) => {
      time += ms;
    },
  };
}

describe("createEventLog", () => {
  test("a call is a span from started to finished", () => {
    const { log, events, pass } = recorded();
    const span = log.start("fetch", { url: "https://example.com/" });
    pass(40);
    span.emit({ type: "hop.blocked", url: "https://x.example/", hop: 1, rule: "v4_private" });
    pass(2);
    expect(span.elapsedMs()).toBe(42);
    span.finish({ outcome: "ok", status: 200, bytes: 10, cacheHit: false });
    expect(events).toEqual([
      { time: "2026-01-02T03:04:05.000Z", id: span.id, type: "fetch.started", url: "https://example.com/" },
      {
        time: "2026-01-02T03:04:05.040Z",
        id: span.id,
        type: "hop.blocked",
        url: "https://x.example/",
        hop: 1,
        rule: "v4_private",
      },
      {
        time: "2026-01-02T03:04:05.042Z",
        id: span.id,
        type: "fetch.finished",
        outcome: "ok",
        status: 200,
        bytes: 10,
        cacheHit: false,
        durationMs: 42,
      },
    ]);
  });

  test("spans have ids of their own and end once", () => {
    const { log, events } = recorded();
    const first = log.start("fetch", { url: "https://a.example/" });
    const second = log.start("search", { query: "x" });
    expect(first.id).not.toBe(second.id);
    const timeout = new FetchError("timeout", "Too slow.", { details: { stage: "dns", timeoutMs: 5 } });
    first.fail(timeout);
    first.fail(timeout);
    first.emit({ type: "cache.hit", tool: "web_fetch" });
    second.finish({ provider: "brave", results: 5, cacheHit: false });
    expect(events.map(({ type }) => type)).toEqual([
      "fetch.started",
      "search.started",
      "fetch.failed",
      "search.finished",
    ]);
  });

  test("writes one JSON line an event", () => {
    const { log, lines, events } = recorded();
    log.emit({ type: "provider.failed", provider: "brave", code: "provider_auth" });
    log.emit({ type: "cache.hit", tool: "web_search" });
    expect(lines.map((line) => line.endsWith("\n") && !line.slice(0, -1).includes("\n"))).toEqual([true, true]);
    expect(lines.map((line): unknown => JSON.parse(line))).toEqual(events);
  });

  test("no query, userinfo, fragment or secret gets into an event", () => {
    const { log, lines } = recorded();
    const key = `ghp_${"a1B2".repeat(9)}`;
    log.start("fetch", { url: `https://me:hunter2@example.com/${key}/p?token=hunter2#hunter2` });
    log.start("search", { query: "hunter2 is my password" });
    log.emit({ type: "provider.failed", provider: key, code: "x" });
    expect(lines.join("")).not.toMatch(/hunter2|ghp_|me:/);
    expect(lines[0]).toContain("https://example.com/[secret]/p?token=[7]");
    expect(JSON.parse(lines[1] ?? "")).toMatchObject({
      queryChars: 22,
      queryHash: expect.stringMatching(/^[0-9a-f]{16}$/),
    });
  });

  test("a listener that throws or rejects breaks nothing and silences nobody", async () => {
    const lines: string[] = [];
    for (const onEvent of [
      () => {
        throw new Error("listener");
      },
      async () => {
        throw new Error("async listener");
      },
    ]) {
      const log = createEventLog({ onEvent, write: (line) => lines.push(line) });
      log
        .start("fetch", { url: "https://a.example/" })
        .finish({ outcome: "ok", status: 200, bytes: 1, cacheHit: true });
    }
    const broken = createEventLog({
      write: () => {
        throw new Error("disk full");
      },
    });
    broken.emit({ type: "cache.hit", tool: "web_fetch" });
    await new Promise((resolve) => setImmediate(resolve));
    expect(lines).toHaveLength(4);
  });
});
