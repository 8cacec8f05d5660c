import { BudgetError } from "../errors.js";

/** Caps of one session; an absent one does not limit. */
export interface BudgetLimits {
  readonly maxRequests?: number | undefined;
  readonly maxBytes?: number | undefined;
  readonly maxResults?: number | undefined;
  readonly maxDurationMs?: number | undefined;
  readonly maxCostUsd?: number | undefined;
}

/** What a call takes. An absent amount is not known before the call (bytes, time) or nothing; `costUsd: null` is an unknown price. */
export interface Spend {
  readonly requests?: number | undefined;
  readonly bytes?: number | undefined;
  readonly results?: number | undefined;
  readonly durationMs?: number | undefined;
  readonly costUsd?: number | null | undefined;
}

export interface Reservation {
  /** Books what the call took in place of what was reserved. Only the first `settle` or `release` counts. */
  settle(actual: Spend): Promise<void>;
  /** Gives everything back: the call was never made. */
  release(): Promise<void>;
}

export interface Budget {
  /**
   * Sets an estimate aside, so that calls at one time cannot overshoot together. Throws `BudgetError` naming the cap
   * that it would pass, or that is used up, or a money cap when the price is unknown.
   */
  reserve(estimate: Spend): Promise<Reservation>;
  /** What is neither settled nor reserved; `Infinity` without a cap. */
  left(amount: keyof Spend): Promise<number>;
  /** What was settled; reservations do not count. */
  spent(): Promise<Amounts>;
}

export type Amounts = { readonly [A in keyof Spend]-?: number };

interface Dimension {
  readonly amount: keyof Spend;
  readonly limit: keyof BudgetLimits;
  /** In a sentence: "The budget of … is used up". */
  readonly noun: string;
  /** Known only afterwards, so that a call is refused once the cap is reached although its estimate is 0. */
  readonly measured: boolean;
}

const DIMENSIONS: readonly Dimension[] = [
  { amount: "requests", limit: "maxRequests", noun: "requests", measured: false },
  { amount: "bytes", limit: "maxBytes", noun: "bytes", measured: true },
  { amount: "results", limit: "maxResults", noun: "results", measured: false },
  { amount: "durationMs", limit: "maxDurationMs", noun: "time", measured: true },
  { amount: "costUsd", limit: "maxCostUsd", noun: "money", measured: false },
];

/** Sums of prices such as 0.1 + 0.2 must not pass a cap of 0.3. */
const TOLERANCE = 1e-9;

export function createBudget(limits: BudgetLimits = {}): Budget {
  const spent = new Map<keyof Spend, number>();
  const reserved = new Map<keyof Spend, number>();

  function check({ amount, limit, noun, measured }: Dimension, estimate: Spend): void {
    const cap = limits[limit];
    if (cap === undefined) return;
    if (estimate[amount] === null) {
      throw new BudgetError("The price of this call is unknown, and money is capped.", {
        hint: `Choose a provider whose price is known, or remove \`budget.${limit}\`.`,
        details: { budget: limit, limit: cap },
      });
    }
    const used = (spent.get(amount) ?? 0) + (reserved.get(amount) ?? 0);
    const wanted = estimate[amount] ?? 0;
    const fits = used + wanted <= cap + TOLERANCE && !(measured && used >= cap);
    // Without a wish for more of it, a call is not stopped by what earlier calls used.
    if (fits || (!measured && wanted === 0)) return;
    const message =
      used >= cap
        ? `The budget of ${noun} is used up (${used} of ${cap}).`
        : `The budget of ${noun} has ${cap - used} of ${cap} left, and this call wants ${wanted}.`;
    throw new BudgetError(message, {
      hint: `Raise \`budget.${limit}\`, or start a new session.`,
      details: { budget: limit, limit: cap, used, wanted },
    });
  }

  function add(to: Map<keyof Spend, number>, amounts: Spend, sign: 1 | -1): void {
    for (const { amount } of DIMENSIONS) to.set(amount, (to.get(amount) ?? 0) + sign * (amounts[amount] ?? 0));
  }

  return {
    async reserve(estimate) {
      for (const dimension of DIMENSIONS) check(dimension, estimate);
      add(reserved, estimate, 1);
      let open = true;
      const close = (actual: Spend | undefined): void => {
        if (!open) return;
        open = false;
        add(reserved, estimate, -1);
        // A price that stayed unknown is booked as it was estimated, never as nothing.
        if (actual !== undefined) add(spent, { ...actual, costUsd: actual.costUsd ?? estimate.costUsd }, 1);
      };
      return {
        settle: async (actual) => close(actual),
        release: async () => close(undefined),
      };
    },
    async left(amount) {
      const cap = limits[DIMENSIONS.find((dimension) => dimension.amount === amount)?.limit ?? "maxRequests"];
      const used = (spent.get(amount) ?? 0) + (reserved.get(amount) ?? 0);
      return cap === undefined ? Number.POSITIVE_INFINITY : Math.max(0, cap - used);
    },
    async spent() {
      const of = (amount: keyof Spend): number => spent.get(amount) ?? 0;
      return {
        requests: of("requests"),
        bytes: of("bytes"),
        results: of("results"),
        durationMs: of("durationMs"),
        costUsd: of("costUsd"),
      };
    },
  };
}
