import { UsageError } from '../../data/problems.ts';
import { significant } from '../../text/figures.ts';
import { durationText } from './duration.ts';
import { isAmount, type Usage } from './usage.ts';

/** What a run may use at most; null or left out: as much as it takes. */
export interface BudgetLimits {
  readonly cost?: number | null;
  readonly tokens?: number | null;
  readonly timeMs?: number | null;
}

export interface Spent {
  /** Null while the cost of no call is known. */
  readonly cost: number | null;
  readonly tokens: number;
  readonly calls: number;
  /** Calls whose cost is not known, and is not in the sum. */
  readonly withoutCost: number;
  /** Calls whose tokens are not known, or only in part. */
  readonly withoutTokens: number;
}

// Ten times 0.1 is a little less than 1.
const ROUNDING = 1e-9;

/** What was used so far, against what may be. Time runs from when it is made. */
export class Budget {
  readonly #limits: Required<BudgetLimits>;
  readonly #now: () => number;
  readonly #start: number;
  #spent: Spent = { cost: null, tokens: 0, calls: 0, withoutCost: 0, withoutTokens: 0 };

  constructor({ cost = null, tokens = null, timeMs = null }: BudgetLimits, now = () => performance.now()) {
    for (const [of, most] of Object.entries({ cost, tokens, time: timeMs }))
      if (most !== null && !isAmount(most))
        throw new UsageError(`the budget of ${of} is ${most}, expected a number from 0`);
    this.#limits = { cost, tokens, timeMs };
    this.#now = now;
    this.#start = now();
  }

  get spent(): Spent {
    return this.#spent;
  }

  /** One call that was paid for: what it used, as far as that is known. */
  spend(usage: Usage | null, cost: number | null): void {
    const spent = this.#spent;
    const counts = [usage?.inputTokens ?? NaN, usage?.outputTokens ?? NaN].filter(isAmount);
    const costIsKnown = cost !== null && isAmount(cost);
    this.#spent = {
      cost: costIsKnown ? (spent.cost ?? 0) + cost : spent.cost,
      tokens: counts.reduce((sum, count) => sum + count, spent.tokens),
      calls: spent.calls + 1,
      withoutCost: spent.withoutCost + (costIsKnown ? 0 : 1),
      withoutTokens: spent.withoutTokens + (counts.length === 2 ? 0 : 1),
    };
  }

  /** What is used up, in words; null while there is something left of all of it. Calls that are out may add to it. */
  reached(): string | null {
    const { cost, tokens, calls, withoutCost, withoutTokens } = this.#spent;
    const { cost: most, tokens: mostTokens, timeMs } = this.#limits;
    // What is not known is not 0: a budget that cannot be kept ends the run as one that is used up.
    if (most !== null && withoutCost > 0)
      return `the budget of ${most} cannot be kept: the cost of ${callsText(withoutCost)} is not known`;
    if (mostTokens !== null && withoutTokens > 0)
      return `the budget of ${mostTokens} tokens cannot be kept: those of ${callsText(withoutTokens)} are not known`;
    if (most !== null && (cost ?? 0) >= most * (1 - ROUNDING))
      return `the budget of ${most} is used up: ${significant(cost ?? 0, 6)} for ${calls} calls`;
    if (mostTokens !== null && tokens >= mostTokens)
      return `the budget of ${mostTokens} tokens is used up: ${tokens} tokens for ${calls} calls`;
    return timeMs !== null && this.#now() - this.#start >= timeMs
      ? `the time of ${durationText(timeMs)} is used up after ${calls} calls`
      : null;
  }
}

function callsText(count: number): string {
  return count === 1 ? '1 call' : `${count} calls`;
}
