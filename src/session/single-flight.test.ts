import { describe, expect, test } from "vitest";
import { createSingleFlight } from "./single-flight.js";

/** An upstream call that ends when told to. */
function upstream() {
  const calls: { signal: AbortSignal; resolve: (value: string) => void; reject: (error: Error) => void }[] = [];
  const start = (signal: AbortSignal) =>
    new Promise<string>((resolve, reject) => {
      calls.push({ signal, resolve, reject });
    });
  return { calls, start };
}
const tick = () => new Promise((resolve) => setImmediate(resolve));

describe("createSingleFlight", () => {
  test("callers at one time share one call", async () => {
    const flights = createSingleFlight<string>();
    const { calls, start } = upstream();
    const results = [1, 2, 3].map(() => flights.run("a", start));
    await tick();
    expect(calls).toHaveLength(1);
    calls[0]?.resolve("page");
    expect(await Promise.all(results)).toEqual(["page", "page", "page"]);
  });

  test("other keys and later calls start anew", async () => {
    const flights = createSingleFlight<string>();
    expect(await flights.run("a", async () => "1")).toBe("1");
    expect(await flights.run("a", async () => "2")).toBe("2");
    const { calls, start } = upstream();
    const both = [flights.run("a", start), flights.run("b", start)];
    await tick();
    expect(calls).toHaveLength(2);
    for (const call of calls) call.resolve("x");
    await Promise.all(both);
  });

  test("all share a failure, and the next call tries again", async () => {
    const flights = createSingleFlight<string>();
    const failing = () => {
      throw new Error("down");
    };
    const results = await Promise.allSettled([flights.run("a", failing), flights.run("a", failing)]);
    expect(results.map(({ status }) => status)).toEqual(["rejected", "rejected"]);
    expect(await flights.run("a", async () => "up")).toBe("up");
  });

  test("a caller that leaves detaches only itself", async () => {
    const flights = createSingleFlight<string>();
    const { calls, start } = upstream();
    const leaving = new AbortController();
    const first = flights.run("a", start, leaving.signal);
    const second = flights.run("a", start, new AbortController().signal);
    await tick();
    leaving.abort();
    await expect(first).rejects.toMatchObject({ code: "aborted" });
    expect(calls[0]?.signal.aborted).toBe(false);
    calls[0]?.resolve("page");
    expect(await second).toBe("page");
  });

  test("the call is aborted when all have left, and nobody joins it then", async () => {
    const flights = createSingleFlight<string>();
    const { calls, start } = upstream();
    const leaving = new AbortController();
    const left = [flights.run("a", start, leaving.signal), flights.run("a", start, leaving.signal)];
    await tick();
    leaving.abort();
    await Promise.allSettled(left);
    expect(calls[0]?.signal.aborted).toBe(true);
    const next = flights.run("a", start);
    await tick();
    expect(calls).toHaveLength(2);
    calls[0]?.reject(new Error("aborted upstream"));
    await tick();
    const joined = flights.run("a", start);
    await tick();
    expect(calls).toHaveLength(2);
    calls[1]?.resolve("fresh");
    expect(await Promise.all([next, joined])).toEqual(["fresh", "fresh"]);
  });

  test("a caller that has left before starts nothing", async () => {
    const { calls, start } = upstream();
    await expect(createSingleFlight<string>().run("a", start, AbortSignal.abort())).rejects.toMatchObject({
      code: "aborted",
    });
    expect(calls).toEqual([]);
  });

  test("leaves no listener on a caller's signal", async () => {
    const flights = createSingleFlight<string>();
    const { signal } = new AbortController();
    let listeners = 0;
    const add = signal.addEventListener.bind(signal);
    const remove = signal.removeEventListener.bind(signal);
    signal.addEventListener = (...args: Parameters<typeof add>) => {
      listeners += 1;
      add(...args);
    };
    signal.removeEventListener = (...args: Parameters<typeof remove>) => {
      listeners -= 1;
      remove(...args);
    };
    await flights.run("a", async () => "x", signal);
    await tick();
    expect(listeners).toBe(0);
  });
});
