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
  if (status >= 400) return STATUS_OUTCOMES[status] ?? "error";
  if (truncated !== undefined) return "partial";
  return page.text.trim() === "" ? "empty" : "ok";
}
