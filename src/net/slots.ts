import type { Deadline } from "./deadline.js";

/** A limited number of places for each key; whoever comes late waits in line. */
export interface Slots {
  /** Takes a place if one is free: the common case, without a wait. */
  tryTake(key: string): boolean;
  /** Resolves when a place was handed over. Rejects with the deadline's reason. */
  waitFor(key: string, deadline: Deadline): Promise<void>;
  /** Gives a place back, to whoever has waited longest. */
  free(key: string): void;
}

export function createSlots(placesPerKey: number): Slots {
  const taken = new Map<string, number>();
  const waiting = new Map<string, Set<() => void>>();

  const leave = (key: string, line: Set<() => void>, enter: () => void): void => {
    line.delete(enter);
    if (line.size === 0) waiting.delete(key);
  };

  return {
    tryTake(key) {
      const count = taken.get(key) ?? 0;
      if (count >= placesPerKey) return false;
      taken.set(key, count + 1);
      return true;
    },
    waitFor: (key, deadline) =>
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
      }),
    free(key) {
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
    },
  };
}
