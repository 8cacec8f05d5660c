import { setImmediate as nextTurn } from "node:timers/promises";
import { FetchError } from "../../errors.js";

export interface IndexProgress {
  readonly phase: "scan" | "read" | "write";
  readonly done: number;
  /** 0 while it is not known. */
  readonly total: number;
  /** Package, folder or file in hand. */
  readonly current: string;
}

/** Marks a step of a long task. Throws `FetchError` `aborted`. */
export type Pace = (progress: IndexProgress) => Promise<void>;

const TURN_MS = 12;

/** Reports each step, notices an abort, and lets the process do other things every few milliseconds. */
export function createPace(
  signal: AbortSignal | undefined,
  onProgress: ((progress: IndexProgress) => void) | undefined,
): Pace {
  let turnEnds = performance.now() + TURN_MS;
  return async (progress) => {
    onProgress?.(progress);
    if (performance.now() >= turnEnds) {
      await nextTurn();
      turnEnds = performance.now() + TURN_MS;
    }
    if (signal?.aborted) throw new FetchError("aborted", "Indexing was cancelled; what was indexed before is kept.");
  };
}
