import { MAX_RETRY_AFTER_MS } from "./limits.js";

/** A number above this is a point in time (2001 in seconds), not a wait. */
const EPOCH_FLOOR = 1_000_000_000;
const EPOCH_MS_FLOOR = 1_000_000_000_000;

/** Where services without `Retry-After` say when their window starts again: seconds, a duration or a Unix time. */
const RESET_HEADERS: readonly string[] = [
  "x-ratelimit-reset",
  "ratelimit-reset",
  "x-rate-limit-reset",
  "x-ratelimit-reset-requests",
];

/**
 * How long a server asks to wait, in milliseconds from `nowMs`; `undefined` when it does not say. Reads `Retry-After`
 * (RFC 9110 10.2.3: seconds or a date), `retry-after-ms`, and the `X-RateLimit-Reset` family.
 */
export function parseRetryAfter(headers: { get(name: string): string | null }, nowMs: number): number | undefined {
  const milliseconds = parseNumber(headers.get("retry-after-ms"));
  const waitMs = milliseconds ?? parseWait(headers.get("retry-after"), nowMs) ?? parseRateLimitReset(headers, nowMs);
  return waitMs === undefined ? undefined : Math.min(Math.max(0, Math.ceil(waitMs)), MAX_RETRY_AFTER_MS);
}

/** One value, or one for each window (`1, 1419704`) of which the exhausted ones count (`X-RateLimit-Remaining: 0, 9`). */
function parseRateLimitReset(headers: { get(name: string): string | null }, nowMs: number): number | undefined {
  const value = RESET_HEADERS.map((name) => headers.get(name)).find((found) => found !== null);
  const resets = splitList(value).map((reset) => parseWait(reset, nowMs));
  const remaining = splitList(headers.get("x-ratelimit-remaining")).map(Number);
  const exhausted = resets.filter((_, window) => remaining.length === 0 || remaining[window] === 0);
  const waits = exhausted.filter((wait) => wait !== undefined);
  return waits.length === 0 ? undefined : Math.max(...waits);
}

function parseWait(value: string | null | undefined, nowMs: number): number | undefined {
  const number = parseNumber(value);
  if (number !== undefined) {
    if (number >= EPOCH_MS_FLOOR) return number - nowMs;
    return number >= EPOCH_FLOOR ? number * 1000 - nowMs : number * 1000;
  }
  return parseDuration(value) ?? parseDate(value, nowMs);
}

function parseNumber(value: string | null | undefined): number | undefined {
  const text = value?.trim() ?? "";
  return /^\d{1,15}(\.\d{1,9})?$/.test(text) ? Number(text) : undefined;
}

/** `6m0s`, `1.5s`, `20ms`. */
function parseDuration(value: string | null | undefined): number | undefined {
  const match = /^(?:(\d{1,9})h)?(?:(\d{1,9})m)?(?:(\d{1,9}(?:\.\d{1,9})?)s)?(?:(\d{1,9})ms)?$/.exec(
    value?.trim() ?? "",
  );
  const [, hours, minutes, seconds, milliseconds] = match ?? [];
  const parts = [hours, minutes, seconds, milliseconds];
  if (parts.every((part) => part === undefined)) return undefined;
  const [h = 0, m = 0, s = 0, ms = 0] = parts.map((part) => Number(part ?? 0));
  return ((h * 60 + m) * 60 + s) * 1000 + ms;
}

/** The three forms of RFC 9110 5.6.7; matched first, because `Date.parse` guesses at any other words. */
const HTTP_DATE = /^(?:Mon|Tue|Wed|Thu|Fri|Sat|Sun)[a-z]{0,6},? [\w -]{4,12} \d\d:\d\d:\d\d(?: GMT| \d{4})$/;

function parseDate(value: string | null | undefined, nowMs: number): number | undefined {
  const text = value?.trim() ?? "";
  if (!HTTP_DATE.test(text)) return undefined;
  const at = Date.parse(text.endsWith("GMT") ? text : `${text} GMT`);
  return Number.isNaN(at) ? undefined : at - nowMs;
}

function splitList(value: string | null | undefined): readonly string[] {
  return value === null || value === undefined ? [] : value.slice(0, 256).split(",");
}
