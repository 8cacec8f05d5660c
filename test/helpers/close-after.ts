import { onTestFinished } from "vitest";

/** Closes it once the test that runs is over, the last one first; after the file's own `afterEach`. */
export function closeAfter<T extends { close(): Promise<void> | void }>(closable: T): T {
  onTestFinished(() => closable.close());
  return closable;
}
