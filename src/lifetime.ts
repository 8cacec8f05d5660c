import { setMaxListeners } from "node:events";
import { ConfigError, FetchError } from "./errors.js";

/** The calls of one session, so that closing it ends them all, wherever they stand. */
export interface Lifetime {
  /**
   * Runs one call. Its signal ends with the caller's or with the session; the caller hears of either at once, even
   * where the work is waiting for somebody's answer.
   * @throws FetchError `aborted`, ConfigError after `end`, or what `work` throws.
   */
  run<T>(signal: AbortSignal | undefined, work: (signal: AbortSignal) => Promise<T>): Promise<T>;
  /** Ends every call, and waits a moment for them to tidy up. */
  end(): Promise<void>;
}

const TIDY_UP_MS = 1_000;

export function createLifetime(): Lifetime {
  const calls = new Map<AbortController, Promise<unknown>>();
  let isOver = false;
  return {
    async run(signal, work) {
      if (isOver) throw new ConfigError("invalid_argument", "This Postern was closed.", { hint: "Create a new one." });
      if (signal?.aborted === true) throw cancelled(signal);
      const controller = new AbortController();
      const cancel = () => controller.abort(cancelled(signal));
      signal?.addEventListener("abort", cancel, { once: true });
      // One listener for each call under way, taken back at its end: many at once are no leak to warn of.
      if (signal !== undefined) setMaxListeners(0, signal);
      const aborted = new Promise<never>((_, reject) => {
        controller.signal.addEventListener("abort", () => reject(controller.signal.reason), { once: true });
      });
      const working = work(controller.signal);
      calls.set(controller, working);
      try {
        return await Promise.race([working, aborted]);
      } finally {
        signal?.removeEventListener("abort", cancel);
        calls.delete(controller);
      }
    },
    async end() {
      isOver = true;
      const ending = [...calls.values()];
      for (const controller of calls.keys()) controller.abort(new FetchError("aborted", "Postern was closed."));
      if (ending.length === 0) return;
      let timer: NodeJS.Timeout | undefined;
      const patience = new Promise<void>((resolve) => {
        timer = setTimeout(resolve, TIDY_UP_MS);
      });
      await Promise.race([Promise.allSettled(ending), patience]);
      clearTimeout(timer);
    },
  };
}

const cancelled = (signal: AbortSignal | undefined): FetchError =>
  new FetchError("aborted", "The caller cancelled the call.", { cause: signal?.reason });
