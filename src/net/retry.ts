import { setTimeout as wait } from "node:timers/promises";
import { isPosternError } from "../errors.js";
import type { Deadline } from "./deadline.js";
import type { Exchanged } from "./exchange.js";
import type { Method } from "./request-headers.js";
import { parseRetryAfter } from "./retry-after.js";

export interface RetryOptions {
  readonly method: Method;
  readonly deadline: Deadline;
  /** How often the whole request may still try again; counted down here. */
  readonly budget: { left: number };
  readonly onRetry: (reason: string, delayMs: number) => void;
}

/** RFC 9110 15.6 and RFC 6585 4: the statuses that say "later", or that a gateway gives for a moment. */
const RETRIED_STATUSES: ReadonlySet<number> = new Set([429, 500, 502, 503, 504]);
const RETRIED_ERRORS: ReadonlySet<string> = new Set(["dns_failed", "connect_failed"]);
const BACKOFF_MS = 300;

/** Carries an answer through p-retry, which knows failures as errors only. */
class AnswerToRetry extends Error {
  readonly answer: Exchanged;
  constructor(answer: Exchanged) {
    super(`http_${answer.status}`);
    this.answer = answer;
  }
}

/**
 * Tries again once the server's `Retry-After`, or a short pause, is over; when that does not fit into the deadline the
 * first answer stands. What may have been acted on is not sent twice: other methods than GET and HEAD are repeated
 * only when nothing was written or the server itself said "later".
 */
export async function withRetry(attempt: () => Promise<Exchanged>, options: RetryOptions): Promise<Exchanged> {
  const { budget, deadline } = options;
  if (budget.left === 0) return attempt();
  const { default: pRetry } = await import("p-retry");
  try {
    return await pRetry(
      async () => {
        const answer = await attempt();
        if (RETRIED_STATUSES.has(answer.status)) throw new AnswerToRetry(answer);
        return answer;
      },
      {
        retries: budget.left,
        minTimeout: 0,
        async shouldRetry({ error }) {
          const delayMs = delayBefore(error, options);
          if (delayMs === undefined || delayMs >= deadline.remainingMs()) return false;
          budget.left -= 1;
          options.onRetry(reasonOf(error), delayMs);
          deadline.stage = "retry";
          await wait(delayMs, undefined, { signal: deadline.signal }).catch(() => {
            throw deadline.reason;
          });
          return true;
        },
      },
    );
  } catch (error) {
    if (error instanceof AnswerToRetry) return error.answer;
    throw error;
  }
}

/** Milliseconds to wait, or `undefined` when trying again is no use or not safe. */
function delayBefore(error: Error, { method, deadline }: RetryOptions): number | undefined {
  const backoffMs = Math.round(BACKOFF_MS * (1 + Math.random()));
  if (error instanceof AnswerToRetry) return parseRetryAfter(error.answer.headers, Date.now()) ?? backoffMs;
  const isUnwritten = deadline.stage === "dns" || deadline.stage === "connect";
  const isSafe = isUnwritten || method === "GET" || method === "HEAD";
  return isSafe && isPosternError(error) && RETRIED_ERRORS.has(error.code) ? backoffMs : undefined;
}

function reasonOf(error: Error): string {
  return isPosternError(error) ? error.code : error.message;
}
