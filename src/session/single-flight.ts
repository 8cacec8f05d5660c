import { FetchError } from "../errors.js";

/** Lets callers that want the same thing at the same time share one call upstream. */
export interface SingleFlight<V> {
  /**
   * Joins the running call for `key`, or starts one. A caller's `signal` detaches only that caller, who gets
   * `FetchError` (`aborted`); the upstream call's own signal aborts when the last caller has left.
   */
  run(key: string, start: (signal: AbortSignal) => Promise<V>, signal?: AbortSignal): Promise<V>;
}

interface Flight<V> {
  readonly result: Promise<V>;
  readonly controller: AbortController;
  waiting: number;
}

export function createSingleFlight<V>(): SingleFlight<V> {
  const flights = new Map<string, Flight<V>>();

  function takeOff(key: string, start: (signal: AbortSignal) => Promise<V>): Flight<V> {
    const controller = new AbortController();
    // In a microtask, so that a `start` that throws at once is a failed call like any other.
    const result = Promise.resolve().then(() => start(controller.signal));
    const flight: Flight<V> = { result, controller, waiting: 0 };
    flights.set(key, flight);
    const land = (): void => {
      if (flights.get(key) === flight) flights.delete(key);
    };
    result.then(land, land);
    return flight;
  }

  return {
    async run(key, start, signal) {
      if (signal?.aborted) throw aborted(signal);
      const flight = flights.get(key) ?? takeOff(key, start);
      flight.waiting += 1;
      try {
        return await (signal === undefined ? flight.result : orAborted(flight.result, signal));
      } finally {
        flight.waiting -= 1;
        if (flight.waiting === 0) {
          // Whoever comes now must not join a call that is being called off.
          if (flights.get(key) === flight) flights.delete(key);
          flight.controller.abort();
        }
      }
    },
  };
}

function orAborted<V>(result: Promise<V>, signal: AbortSignal): Promise<V> {
  return new Promise<V>((resolve, reject) => {
    const onAbort = (): void => reject(aborted(signal));
    signal.addEventListener("abort", onAbort, { once: true });
    result.then(resolve, reject).finally(() => signal.removeEventListener("abort", onAbort));
  });
}

function aborted(signal: AbortSignal): FetchError {
  return new FetchError("aborted", "The caller cancelled the call.", { cause: signal.reason });
}
