import { UsageError } from '../../data/problems.ts';
import { isAmount, type Usage } from './usage.ts';
import { durationText } from './duration.ts';
import { significant } from '../../text/figures.ts';

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

export interface Reached {
  readonly of: 'cost' | 'tokens' | 'time';
  /** One sentence without a full stop. */
  readonly text: string;
}

// Ten times 0.1 is a little less than 1.
const ROUNDING = 1e-9;

/** What was used so far, against what may be. Time runs from when it is made. */
export class Budget {
  readonly #cost: number | null;
  readonly #tokens: number | null;
  readonly #timeMs: number | null;
  readonly #now: () => number;
  readonly #start: number;
  #spent: Spent = { cost: null, tokens: 0, calls: 0, withoutCost: 0, withoutTokens: 0 };

  constructor(limits: BudgetLimits, now: () => number = () => performance.now()) {
    this.#cost = limitOf(limits.cost, 'cost');
    this.#tokens = limitOf(limits.tokens, 'tokens');
    this.#timeMs = limitOf(limits.timeMs, 'time');
    this.#now = now;
    this.#start = now();
  }

  get spent(): Spent {
    return this.#spent;
  }

  /** One call that was paid for: what it used, as far as that is known. */
  spend(usage: Usage | null, cost: number | null): void {
    const { cost: costs, tokens, calls, withoutCost, withoutTokens } = this.#spent;
    const counts = [usage?.inputTokens ?? null, usage?.outputTokens ?? null];
    const known = counts.filter((count) => count !== null && isAmount(count)).map(Number);
    const costIsKnown = cost !== null && isAmount(cost);
    this.#spent = {
      cost: costIsKnown ? (costs ?? 0) + cost : costs,
      tokens: known.reduce((sum, count) => sum + count, tokens),
      calls: calls + 1,
      withoutCost: withoutCost + (costIsKnown ? 0 : 1),
      withoutTokens: withoutTokens + (known.length === counts.length ? 0 : 1),
    };
  }

  /** What is used up; null while there is something left of all of it. Calls that are out already may add to it. */
  reached(): Reached | null {
    const { cost, tokens, calls, withoutCost, withoutTokens } = this.#spent;
    const [most, mostTokens, mostMs] = [this.#cost, this.#tokens, this.#timeMs];
    const over = (of: Reached['of'], text: string): Reached => ({ of, text });
    // What is not known is not 0: a budget that cannot be kept ends the run as one that is used up.
    if (most !== null && withoutCost > 0)
      return over('cost', `the budget of ${most} cannot be kept: the cost of ${callsText(withoutCost)} is not known`);
    if (mostTokens !== null && withoutTokens > 0) {
      const whose = `those of ${callsText(withoutTokens)} are not known`;
      return over('tokens', `the budget of ${mostTokens} tokens cannot be kept: ${whose}`);
    }
    if (most !== null && (cost ?? 0) >= most * (1 - ROUNDING))
      return over('cost', `the budget of ${most} is used up: ${significant(cost ?? 0, 6)} for ${calls} calls`);
    if (mostTokens !== null && tokens >= mostTokens)
      return over('tokens', `the budget of ${mostTokens} tokens is used up: ${tokens} tokens for ${calls} calls`);
    if (mostMs !== null && this.#now() - this.#start >= mostMs)
      return over('time', `the time of ${durationText(mostMs)} is used up after ${calls} calls`);
    return null;
  }
}

function callsText(count: number): string {
  return count === 1 ? '1 call' : `${count} calls`;
}

function limitOf(given: number | null | undefined, of: Reached['of']): number | null {
  if (given === undefined || given === null) return null;
  if (!isAmount(given)) throw new UsageError(`the budget of ${of} is ${given}, expected a number from 0`);
  return given;
}
