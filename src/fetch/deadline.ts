import { FetchError } from "../errors.js";

export interface Deadline {
  readonly signal: AbortSignal;
  /** Stops the clock while somebody is asked: thinking is not a time-out. */
  suspend<T>(work: Promise<T>): Promise<T>;
  close(): void;
}

/** The room that is late knows the stage and speaks first. */
const GRACE_MS = 100;

/** One clock over the whole call. Its reason is the error to throw; that of `signal` when the caller or the session ends it. */
export function openDeadline(timeoutMs: number, signal: AbortSignal): Deadline {
  const controller = new AbortController();
  const cancel = () => controller.abort(signal.reason);
  const expire = () => controller.abort(new FetchError("timeout", `The page was not read within ${timeoutMs} ms.`));
  let leftMs = timeoutMs + GRACE_MS;
  let startedAt = 0;
  let timer: NodeJS.Timeout | undefined;
  let isClosed = false;
  const start = () => {
    if (isClosed) return;
    startedAt = performance.now();
    timer = setTimeout(expire, leftMs);
  };
  if (signal.aborted) cancel();
  signal.addEventListener("abort", cancel, { once: true });
  start();
  return {
    signal: controller.signal,
    async suspend(work) {
      clearTimeout(timer);
      leftMs -= performance.now() - startedAt;
      try {
        return await work;
      } finally {
        start();
      }
    },
    close() {
      isClosed = true;
      clearTimeout(timer);
      signal.removeEventListener("abort", cancel);
    },
  };
}
