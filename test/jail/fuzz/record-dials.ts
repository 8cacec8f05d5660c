import { subscribe, unsubscribe } from "node:diagnostics_channel";
import { afterAll, beforeAll } from "vitest";

/**
 * Every connection that is dialled during the tests of one file. Errors go without stack traces meanwhile: a fuzzer
 * provokes two refusals a URL, and their traces would take half of its time.
 */
export function recordDials(): unknown[] {
  const dials: unknown[] = [];
  const record = (dial: unknown): void => void dials.push(dial);
  const { stackTraceLimit } = Error;
  beforeAll(() => {
    subscribe("postern:net:dial", record);
    Error.stackTraceLimit = 0;
  });
  afterAll(() => {
    unsubscribe("postern:net:dial", record);
    Error.stackTraceLimit = stackTraceLimit;
  });
  return dials;
}
