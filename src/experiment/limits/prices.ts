import type { Usage } from '../targets/target.ts';

/** For a million tokens, in whatever currency the budget is in. */
export interface Prices {
  readonly input: number;
  readonly output: number;
}

/**
 * (input tokens × input price + output tokens × output price) / 1,000,000; what the target itself reports goes before it.
 * Null where tokens or prices are not known: an unknown cost is not 0.
 *
 * @example costOf({ inputTokens: 2000, outputTokens: 500, cost: null }, { input: 0.5, output: 2 }) // 0.002
 */
export function costOf(usage: Usage | null, prices: Prices | null): number | null {
  if (usage === null) return null;
  const { inputTokens, outputTokens, cost } = usage;
  if (cost !== null && isAmount(cost)) return cost;
  if (prices === null || inputTokens === null || outputTokens === null) return null;
  const own = (inputTokens * prices.input + outputTokens * prices.output) / 1e6;
  return isAmount(own) ? own : null;
}

/** A number that can be added up: neither NaN nor infinite nor less than nothing. */
export function isAmount(value: number): boolean {
  return Number.isFinite(value) && value >= 0;
}
