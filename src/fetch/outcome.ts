import type { TransportResponse } from "../net/index.js";
import type { ReadablePage } from "../read-page.js";
import type { Outcome } from "../types.js";

/** What is content; anything else is forgotten within seconds. */
export const REMEMBERED: ReadonlySet<Outcome> = new Set(["ok", "partial"]);

/** Statuses that say why there is no content. */
const STATUS_OUTCOMES: Readonly<Record<number, Outcome>> = { 401: "login", 402: "paywall", 407: "login" };

/** What became of a page, by status and body. */
export function outcomeOf({ status, headers, truncated }: TransportResponse, page: ReadablePage): Outcome {
  if (headers.get("cf-mitigated") === "challenge") return "bot_wall";
  // A redirect that names no place is as much an error as one of the 400s.
  if (status >= 300) return STATUS_OUTCOMES[status] ?? "error";
  if (page.text.trim() === "") return "empty";
  return truncated === undefined ? "ok" : "partial";
}
