/** Steps that all rules share evenly, and steps for those that need more than their share. */
const SHARED_STEPS = 1_000_000;
const POOL_STEPS = 1_000_000;
const MIN_SHARE_STEPS = 16;

interface Account {
  spent: number;
}

/**
 * Bounds what testing selectors may cost. Every rule has a share of its own, so a costly rule ends with itself and not
 * with the rules behind it.
 */
export class StepBudget {
  /** True when some rule was given up. */
  isExceeded = false;
  private readonly accounts: Account[] = [];
  private pool = POOL_STEPS;

  open(): Account {
    const account = { spent: 0 };
    this.accounts.push(account);
    return account;
  }

  left(account: Account): number {
    return this.ownLeft(account) + this.pool;
  }

  spend(account: Account, steps: number): void {
    const overdraft = steps - this.ownLeft(account);
    account.spent += steps;
    if (overdraft <= 0) return;
    if (overdraft >= this.pool) this.isExceeded = true;
    this.pool = Math.max(0, this.pool - overdraft);
  }

  private ownLeft({ spent }: Account): number {
    return Math.max(0, SHARED_STEPS / this.accounts.length + MIN_SHARE_STEPS - spent);
  }
}
