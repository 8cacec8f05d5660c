import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { BudgetError } from "../errors.js";
import { createBudget } from "./budget.js";

const budgetOf = async (attempt: Promise<unknown>): Promise<unknown> =>
  attempt.then(
    () => "fits",
    (error: unknown) => (error instanceof BudgetError ? error.details.budget : error),
  );

describe("createBudget", () => {
  test("without limits everything fits, unknown prices too", async () => {
    const budget = createBudget();
    await (await budget.reserve({ requests: 1e9, costUsd: null })).settle({ requests: 2, costUsd: null });
    expect(await budget.spent()).toEqual({ requests: 2, bytes: 0, results: 0, durationMs: 0, costUsd: 0 });
  });

  test.each([
    ["maxRequests", { requests: 3 }],
    ["maxBytes", { bytes: 3 }],
    ["maxResults", { results: 3 }],
    ["maxDurationMs", { durationMs: 3 }],
    ["maxCostUsd", { costUsd: 3 }],
  ] as const)("%s is named when it would be passed", async (limit, estimate) => {
    const budget = createBudget({ [limit]: 2 });
    expect(await budgetOf(budget.reserve(estimate))).toBe(limit);
    const error = await budget.reserve(estimate).catch((thrown: unknown) => thrown);
    expect((error as BudgetError).hint).toContain(limit);
  });

  test("a cap of nothing refuses the first request", async () => {
    expect(await budgetOf(createBudget({ maxRequests: 0 }).reserve({ requests: 1 }))).toBe("maxRequests");
  });

  test("what is measured afterwards stops the call after the one that passed the cap", async () => {
    const budget = createBudget({ maxBytes: 100, maxDurationMs: 1_000 });
    const first = await budget.reserve({ requests: 1 });
    await first.settle({ requests: 1, bytes: 150, durationMs: 10 });
    expect(await budgetOf(budget.reserve({ requests: 1 }))).toBe("maxBytes");
  });

  test("money that is used up does not stop what costs nothing", async () => {
    const budget = createBudget({ maxCostUsd: 1 });
    await (await budget.reserve({ costUsd: 1 })).settle({ costUsd: 1 });
    expect(await budgetOf(budget.reserve({ requests: 1, costUsd: 0 }))).toBe("fits");
    expect(await budgetOf(budget.reserve({ costUsd: 0.001 }))).toBe("maxCostUsd");
  });

  test("an unknown price is refused when money is capped", async () => {
    expect(await budgetOf(createBudget({ maxCostUsd: 1_000 }).reserve({ costUsd: null }))).toBe("maxCostUsd");
  });

  test("a price that nobody reported is booked as it was estimated", async () => {
    const budget = createBudget({ maxCostUsd: 1 });
    await (await budget.reserve({ costUsd: 0.4 })).settle({ costUsd: null });
    expect((await budget.spent()).costUsd).toBeCloseTo(0.4);
  });

  test("sums of cents fit exactly", async () => {
    const budget = createBudget({ maxCostUsd: 0.3 });
    for (const costUsd of [0.1, 0.2]) await (await budget.reserve({ costUsd })).settle({ costUsd });
    expect((await budget.spent()).costUsd).toBeCloseTo(0.3);
  });

  test("a refused reservation sets nothing aside", async () => {
    const budget = createBudget({ maxRequests: 10, maxResults: 1 });
    expect(await budgetOf(budget.reserve({ requests: 10, results: 2 }))).toBe("maxResults");
    expect(await budgetOf(budget.reserve({ requests: 10, results: 1 }))).toBe("fits");
  });

  test("release gives back, and only the first ending counts", async () => {
    const budget = createBudget({ maxRequests: 1 });
    const first = await budget.reserve({ requests: 1 });
    await first.release();
    await first.release();
    await first.settle({ requests: 1 });
    const second = await budget.reserve({ requests: 1 });
    await second.settle({ requests: 1 });
    await second.settle({ requests: 1 });
    expect((await budget.spent()).requests).toBe(1);
    expect(await budgetOf(budget.reserve({ requests: 1 }))).toBe("maxRequests");
  });

  test("calls at one time never overshoot together", async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(fc.tuple(fc.nat(5), fc.boolean()), { maxLength: 40 }), async (calls) => {
        const budget = createBudget({ maxRequests: 20 });
        await Promise.all(
          calls.map(async ([requests, made]) => {
            const reservation = await budget.reserve({ requests }).catch(() => undefined);
            await new Promise((resolve) => setImmediate(resolve));
            await (made ? reservation?.settle({ requests }) : reservation?.release());
          }),
        );
        expect((await budget.spent()).requests).toBeLessThanOrEqual(20);
      }),
    );
  });
});
