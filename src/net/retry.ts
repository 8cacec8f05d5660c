import { setTimeout as wait } from "node:timers/promises";
import { isPosternError } from "../errors.js";
import type { Deadline, Stage } from "./deadline.js";
import type { Exchanged } from "./exchange.js";
import type { Method } from "./request-headers.js";
import { parseRetryAfter } from "./retry-after.js";

/** What an attempt came to. */
interface Answered {
  readonly answer: Pick<Exchanged, "status" | "headers">;
}

export interface RetryOptions {
  readonly method: Method;
  readonly deadline: Deadline;
  /** How often the whole request may still try again; counted down here. */
  readonly budget: { left: number };
  readonly onRetry: (reason: string, delayMs: number) => void;
}

/** RFC 9110 15.6 and RFC 6585 4: the statuses that say "later", or that a gateway gives for a moment. */
const RETRIED_STATUSES: ReadonlySet<number> = new Set([429, 500, 502, 503, 504]);
const RETRIED_ERRORS: ReadonlySet<string> = new Set(["dns_failed", "connect_failed", "proxy_failed", "tls_failed"]);
/** Stages in which nothing of the request has reached a server. */
const UNWRITTEN: ReadonlySet<Stage> = new Set<Stage>(["dns", "connect", "proxy"]);
const BACKOFF_MS = 300;

/**
 * Tries again once the server's `Retry-After`, or a short pause, is over; when that does not fit into the deadline the
 * first answer stands. What may have been acted on is not sent twice: other methods than GET and HEAD are repeated
 * only when nothing was written or the server itself said "later".
 */
export function withRetry<T extends Answered>(attempt: () => Promise<T>, options: RetryOptions): Promise<T> {
  return options.budget.left === 0 ? attempt() : retrying(attempt, options);
}

async function retrying<T extends Answered>(attempt: () => Promise<T>, options: RetryOptions): Promise<T> {
  const { budget, deadline, onRetry } = options;
  while (budget.left > 0) {
    const [outcome] = await Promise.allSettled([attempt()]);
    const retry = planRetry(outcome, options);
    if (retry === undefined || retry.delayMs >= deadline.remainingMs()) {
      if (outcome.status === "rejected") throw outcome.reason;
      return outcome.value;
    }
    budget.left -= 1;
    onRetry(retry.reason, retry.delayMs);
    deadline.stage = "retry";
    await wait(retry.delayMs, undefined, { signal: deadline.signal }).catch(() => deadline.throwIfEnded());
  }
  return await attempt();
}

/** Why to try again and after how long, or `undefined` when that is no use or not safe. */
function planRetry(
  outcome: PromiseSettledResult<Answered>,
  { method, deadline }: RetryOptions,
): { readonly reason: string; readonly delayMs: number } | undefined {
  const backoffMs = Math.round(BACKOFF_MS * (1 + Math.random()));
  if (outcome.status === "fulfilled") {
    const { status, headers } = outcome.value.answer;
    if (!RETRIED_STATUSES.has(status)) return undefined;
    return { reason: `http_${status}`, delayMs: parseRetryAfter(headers, Date.now()) ?? backoffMs };
  }
  const error: unknown = outcome.reason;
  const isUnwritten = UNWRITTEN.has(deadline.stage);
  const isSafe = isUnwritten || method === "GET" || method === "HEAD";
  if (!isSafe || !isPosternError(error) || !RETRIED_ERRORS.has(error.code) || !error.retryable) return undefined;
  return { reason: error.code, delayMs: backoffMs };
}
