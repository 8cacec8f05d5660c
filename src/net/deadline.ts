import { setMaxListeners } from "node:events";
import { ConfigError, FetchError } from "../errors.js";
import { MAX_TIMEOUT_MS } from "./limits.js";

/** What a request is waiting for. */
export type Stage = "upload" | "dns" | "connect" | "headers" | "body" | "retry";

const STAGE_WORDS: Readonly<Record<Stage, string>> = {
  upload: "reading the request's own body",
  dns: "looking the host up",
  connect: "connecting",
  headers: "waiting for the answer's headers",
  body: "reading the body",
  retry: "waiting to try again",
};

/** One limit over the request's own body, look-ups, connections, hops, retries and bodies of a request. */
export interface Deadline {
  stage: Stage;
  /** What the request fails with, once it is over: `timeout` or `aborted`. */
  readonly reason: FetchError | undefined;
  throwIfEnded(): void;
  /** Ends it before its time; the first reason stands. */
  end(reason: FetchError): void;
  /** Calls `listener` once when the deadline ends; the returned function takes it back. */
  onEnd(listener: (reason: FetchError) => void): () => void;
  /** The same as a signal, made on demand: creating one costs more than all else here. */
  readonly signal: AbortSignal;
  remainingMs(): number;
  /**
   * Stops the clock while someone else decides: a person who is asked must not run into a network timeout. The caller
   * can still cancel.
   */
  suspend<T>(work: () => Promise<T>): Promise<T>;
  dispose(): void;
}

/** @throws ConfigError when `timeoutMs` is not within 1 ms and an hour. */
export function createDeadline(timeoutMs: number, callerSignal: AbortSignal | undefined): Deadline {
  if (!(timeoutMs >= 1 && timeoutMs <= MAX_TIMEOUT_MS)) {
    throw new ConfigError("invalid_argument", `timeoutMs must be between 1 and ${MAX_TIMEOUT_MS}.`);
  }
  const listeners = new Set<(reason: FetchError) => void>();
  let reason: FetchError | undefined;
  let controller: AbortController | undefined;
  let budgetMs = timeoutMs;
  let startedAt = 0;
  let timer: NodeJS.Timeout | undefined;

  const remainingMs = (): number => budgetMs - (performance.now() - startedAt);
  const end = (error: FetchError): void => {
    if (reason !== undefined) return;
    reason = error;
    for (const listener of listeners) listener(error);
    controller?.abort(error);
  };
  const start = (): void => {
    startedAt = performance.now();
    timer = setTimeout(() => end(timedOut(timeoutMs, deadline.stage)), Math.max(0, budgetMs));
  };
  const untilEnd = <T>(work: Promise<T>): Promise<T> =>
    new Promise((resolve, reject) => {
      const unsubscribe = deadline.onEnd(reject);
      work.then(resolve, reject).finally(unsubscribe);
    });
  const cancel = (): void =>
    end(new FetchError("aborted", "The caller cancelled the request.", { cause: callerSignal?.reason }));

  const deadline: Deadline = {
    stage: "dns",
    get reason() {
      return reason;
    },
    throwIfEnded() {
      if (reason !== undefined) throw reason;
    },
    end,
    get signal() {
      controller ??= new AbortController();
      if (reason !== undefined) controller.abort(reason);
      return controller.signal;
    },
    onEnd(listener) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    remainingMs,
    async suspend(work) {
      deadline.throwIfEnded();
      budgetMs = remainingMs();
      clearTimeout(timer);
      try {
        return await untilEnd(work());
      } finally {
        start();
      }
    },
    dispose() {
      clearTimeout(timer);
      callerSignal?.removeEventListener("abort", cancel);
    },
  };

  if (callerSignal?.aborted === true) cancel();
  else callerSignal?.addEventListener("abort", cancel, { once: true });
  // One listener for each request under way, taken back at its end: many at once are no leak to warn of.
  if (callerSignal instanceof EventTarget) setMaxListeners(0, callerSignal);
  start();
  return deadline;
}

function timedOut(timeoutMs: number, stage: Stage): FetchError {
  return new FetchError("timeout", `The request took longer than ${timeoutMs} ms (${STAGE_WORDS[stage]}).`, {
    details: { stage, timeoutMs },
  });
}
