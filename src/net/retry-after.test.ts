import { describe, expect, it } from "vitest";
import { parseRetryAfter } from "./retry-after.js";

const NOW = Date.UTC(2026, 0, 15, 12, 0, 0);

function waitFor(headers: Record<string, string>): number | undefined {
  return parseRetryAfter({ get: (name) => headers[name] ?? null }, NOW);
}

describe("parseRetryAfter", () => {
  it.each<[string, Record<string, string>, number | undefined]>([
    ["seconds", { "retry-after": "7" }, 7_000],
    ["part of a second", { "retry-after": " 0.5 " }, 500],
    ["zero", { "retry-after": "0" }, 0],
    ["a date", { "retry-after": "Thu, 15 Jan 2026 12:01:30 GMT" }, 90_000],
    ["an RFC 850 date", { "retry-after": "Thursday, 15-Jan-26 12:00:05 GMT" }, 5_000],
    ["an asctime date, which is in GMT", { "retry-after": "Thu Jan 15 12:00:05 2026" }, 5_000],
    ["a date in the past", { "retry-after": "Thu, 15 Jan 2026 11:00:00 GMT" }, 0],
    ["milliseconds, which win", { "retry-after-ms": "250", "retry-after": "9" }, 250],
    ["more than a day", { "retry-after": "999999" }, 86_400_000],
    ["a Unix time", { "x-ratelimit-reset": String(NOW / 1000 + 30) }, 30_000],
    ["a Unix time in milliseconds", { "x-ratelimit-reset": String(NOW + 1500) }, 1_500],
    ["seconds to the reset", { "ratelimit-reset": "12" }, 12_000],
    ["a duration", { "x-ratelimit-reset-requests": "1m2.5s" }, 62_500],
    ["a short duration", { "x-ratelimit-reset-requests": "20ms" }, 20],
    ["the exhausted of two windows", { "x-ratelimit-reset": "1, 1419704", "x-ratelimit-remaining": "0, 900" }, 1_000],
    ["both windows exhausted", { "x-ratelimit-reset": "1, 60", "x-ratelimit-remaining": "0, 0" }, 60_000],
    ["no exhausted window", { "x-ratelimit-reset": "1, 60", "x-ratelimit-remaining": "5, 5" }, undefined],
    ["nothing", {}, undefined],
    ["words", { "retry-after": "soon" }, undefined],
    ["a negative number", { "retry-after": "-5" }, undefined],
    ["a number that is none", { "retry-after": "1e9" }, undefined],
    ["something Date.parse would guess at", { "retry-after": "Sunday maybe 3" }, undefined],
    ["an empty value", { "retry-after": "" }, undefined],
  ])("reads %s", (_what, headers, expected) => expect(waitFor(headers)).toBe(expected));

  it("stays fast on hostile values", () => {
    const startedAt = performance.now();
    for (const value of ["1".repeat(1e6), "1,".repeat(5e5), `Sun,${" ".repeat(1e6)}`, "9m".repeat(5e5)]) {
      waitFor({ "retry-after": value, "x-ratelimit-reset": value });
    }
    expect(performance.now() - startedAt).toBeLessThan(5_000);
  });
});
