import { z } from 'zod';

import { UsageError } from '../../data/problems.ts';
import { plural, durationText, significant } from '../../text/figures.ts';

export const usageShape = z.object({
  inputTokens: z.number().nullable(),
  outputTokens: z.number().nullable(),
  /** In the currency of the prices, if the target knows it. */
  cost: z.number().nullable(),
});

/** What a call used, as far as that is known. */
export type Usage = Readonly<z.infer<typeof usageShape>>;

/** For a million tokens, in whatever currency the budget is in; `batch` is the share of it that a batch costs. */
export type Prices = Readonly<Record<'input' | 'output', number>> & { readonly batch?: number | undefined };

/** What providers ask of a batch: half the price. */
export const BATCH_FACTOR = 0.5;

/** More than any model takes: a number like this is a fault, and would spoil every sum. */
const MOST_TOKENS = 1e9;

/**
 * (input tokens × input price + output tokens × output price) / 1,000,000, times the factor of a batch if one answered;
 * what the target itself reports goes before it. Null where tokens or prices are not known: an unknown cost is not 0.
 *
 * @example costOf({ inputTokens: 2000, outputTokens: 500, cost: null }, { input: 0.5, output: 2 }) // 0.002
 */
export function costOf(usage: Usage | null, prices: Prices | null, isBatched = false): number | null {
  if (usage === null) return null;
  const { inputTokens, outputTokens, cost } = usage;
  if (cost !== null && isAmount(cost)) return cost;
  if (prices === null || inputTokens === null || outputTokens === null) return null;
  const factor = isBatched ? (prices.batch ?? BATCH_FACTOR) : 1;
  const own = ((inputTokens * prices.input + outputTokens * prices.output) / 1e6) * factor;
  return isAmount(own) ? own : null;
}

/** What a target reports to have used, without what cannot be true: such a number counts as not known. */
export function soundUsage(usage: Usage | null): Usage | null {
  if (usage === null) return null;
  const sound = (amount: number | null, most = MOST_TOKENS): number | null =>
    amount !== null && isAmount(amount) && amount <= most ? amount : null;
  const { inputTokens, outputTokens, cost } = usage;
  return { inputTokens: sound(inputTokens), outputTokens: sound(outputTokens), cost: sound(cost, Infinity) };
}

/** A number that can be added up: neither NaN nor infinite nor less than nothing. */
function isAmount(value: number): boolean {
  return Number.isFinite(value) && value >= 0;
}

/** What a run may use at most; null or left out: as much as it takes. */
export type BudgetLimits = { readonly [Name in 'cost' | 'tokens' | 'timeMs']?: number | null };

// Ten times 0.1 is a little less than 1.
const ROUNDING = 1e-9;

/** What was used so far, against what may be. Time runs from when it is made. */
export class Budget {
  readonly #limits: Required<BudgetLimits>;
  readonly #start = performance.now();
  /** Null while the cost of no call is known. */
  #cost: number | null = null;
  /** `without…`: calls whose cost, or some of whose tokens, are not known and not in the sums. */
  readonly #counts = { tokens: 0, calls: 0, withoutCost: 0, withoutTokens: 0 };
  readonly #dearest = { cost: 0, tokens: 0 };
  /** Number of calls whose answer was lost. Each counts as the dearest answered call: at most so much was paid for it. */
  lostCalls = (): number => 0;

  constructor({ cost = null, tokens = null, timeMs = null }: BudgetLimits) {
    for (const [of, most] of Object.entries({ cost, tokens, time: timeMs }))
      if (most !== null && !isAmount(most))
        throw new UsageError(`the budget of ${of} is ${most}, expected a number from 0`);
    this.#limits = { cost, tokens, timeMs };
  }

  get spent() {
    return { cost: this.#cost, ...this.#counts };
  }

  /** One call that was paid for: what it used, as far as that is known. */
  spend(usage: Usage | null, cost: number | null): void {
    const counts = this.#counts;
    const known = [usage?.inputTokens ?? NaN, usage?.outputTokens ?? NaN].filter(isAmount);
    counts.calls += 1;
    const tokens = known.reduce((sum, amount) => sum + amount, 0);
    counts.tokens += tokens;
    this.#dearest.tokens = Math.max(this.#dearest.tokens, tokens);
    if (known.length < 2) counts.withoutTokens += 1;
    if (cost !== null && isAmount(cost)) {
      this.#cost = (this.#cost ?? 0) + cost;
      this.#dearest.cost = Math.max(this.#dearest.cost, cost);
    } else counts.withoutCost += 1;
  }

  /** What is used up, in words; null while there is something left of all of it. Calls that are out may add to it. */
  reached(): string | null {
    const { cost, tokens, calls, withoutCost, withoutTokens } = this.spent;
    const { cost: most, tokens: mostTokens, timeMs } = this.#limits;
    // What is not known is not 0: a budget that cannot be kept ends the run as one that is used up.
    if (most !== null && withoutCost > 0)
      return `the budget of ${most} cannot be kept: the cost of ${plural(withoutCost, 'call')} is not known`;
    if (mostTokens !== null && withoutTokens > 0)
      return `the budget of ${mostTokens} tokens cannot be kept: those of ${plural(withoutTokens, 'call')} are not known`;
    const lost = this.lostCalls();
    const [lostCost, lostTokens] = [lost * this.#dearest.cost, lost * this.#dearest.tokens];
    const more = (amount: string): string =>
      lost === 0 ? '' : `, and up to ${amount} for ${plural(lost, 'call')} whose answer never came`;
    if (most !== null && (cost ?? 0) + lostCost >= most * (1 - ROUNDING))
      return `the budget of ${most} is used up: ${significant(cost ?? 0, 6)} for ${plural(calls, 'call')}${more(significant(lostCost, 6))}`;
    if (mostTokens !== null && tokens + lostTokens >= mostTokens)
      return `the budget of ${mostTokens} tokens is used up: ${tokens} tokens for ${plural(calls, 'call')}${more(`${lostTokens}`)}`;
    return timeMs !== null && performance.now() - this.#start >= timeMs
      ? `the time of ${durationText(timeMs / 1000)} is used up after ${plural(calls, 'call')}`
      : null;
  }
}
