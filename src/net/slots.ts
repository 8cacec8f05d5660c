import type { Deadline } from "./deadline.js";

/** A limited number of places for each key; whoever comes late waits in line. */
export interface Slots {
  /** Resolves with the function that frees the place again. Rejects with the deadline's reason. */
  take(key: string, deadline: Deadline): Promise<() => void>;
}

export function createSlots(placesPerKey: number): Slots {
  const taken = new Map<string, number>();
  const waiting = new Map<string, Set<() => void>>();

  const free = (key: string): void => {
    const line = waiting.get(key);
    const [next] = line ?? [];
    if (line !== undefined && next !== undefined) {
      // The place goes from hand to hand, so nobody can slip in between.
      leave(key, line, next);
      next();
      return;
    }
    const left = (taken.get(key) ?? 1) - 1;
    if (left === 0) taken.delete(key);
    else taken.set(key, left);
  };

  const leave = (key: string, line: Set<() => void>, enter: () => void): void => {
    line.delete(enter);
    if (line.size === 0) waiting.delete(key);
  };

  const waitInLine = (key: string, deadline: Deadline): Promise<void> =>
    new Promise((resolve, reject) => {
      const line = waiting.get(key) ?? new Set<() => void>();
      waiting.set(key, line);
      const unsubscribe = deadline.onEnd((reason) => {
        leave(key, line, enter);
        reject(reason);
      });
      const enter = (): void => {
        unsubscribe();
        resolve();
      };
      line.add(enter);
    });

  return {
    async take(key, deadline) {
      deadline.throwIfEnded();
      const count = taken.get(key) ?? 0;
      if (count < placesPerKey) taken.set(key, count + 1);
      else await waitInLine(key, deadline);
      return () => free(key);
    },
  };
}
