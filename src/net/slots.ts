import type { Deadline } from "./deadline.js";

/** A limited number of places for each key; whoever comes late waits in line. */
export interface Slots {
  /** Resolves with the function that frees the place again. Rejects with the deadline's reason. */
  take(key: string, deadline: Deadline): Promise<() => void>;
  /** Whoever waits, and whoever comes later, gets `reason`. */
  close(reason: Error): void;
}

interface Waiter {
  readonly enter: () => void;
  readonly fail: (reason: Error) => void;
}

export function createSlots(placesPerKey: number): Slots {
  const taken = new Map<string, number>();
  const waiting = new Map<string, Set<Waiter>>();
  let closed: Error | undefined;

  const free = (key: string): void => {
    const line = waiting.get(key);
    const [next] = line ?? [];
    if (line !== undefined && next !== undefined) {
      // The place goes from hand to hand, so nobody can slip in between.
      removeWaiter(key, line, next);
      next.enter();
      return;
    }
    const left = (taken.get(key) ?? 1) - 1;
    if (left === 0) taken.delete(key);
    else taken.set(key, left);
  };

  const removeWaiter = (key: string, line: Set<Waiter>, waiter: Waiter): void => {
    line.delete(waiter);
    if (line.size === 0) waiting.delete(key);
  };

  const waitInLine = (key: string, deadline: Deadline): Promise<void> =>
    new Promise((resolve, reject) => {
      const line = waiting.get(key) ?? new Set<Waiter>();
      waiting.set(key, line);
      const unsubscribe = deadline.onEnd((reason) => {
        removeWaiter(key, line, waiter);
        waiter.fail(reason);
      });
      const waiter: Waiter = {
        enter: () => {
          unsubscribe();
          resolve();
        },
        fail: (reason) => {
          unsubscribe();
          reject(reason);
        },
      };
      line.add(waiter);
    });

  return {
    async take(key, deadline) {
      const refusal = closed ?? deadline.reason;
      if (refusal !== undefined) throw refusal;
      const count = taken.get(key) ?? 0;
      if (count < placesPerKey) taken.set(key, count + 1);
      else await waitInLine(key, deadline);
      return () => free(key);
    },
    close(reason) {
      closed = reason;
      const everyone = [...waiting.values()].flatMap((line) => [...line]);
      waiting.clear();
      for (const waiter of everyone) waiter.fail(reason);
    },
  };
}
