import { z } from 'zod';

export const usageShape = z.object({
  inputTokens: z.number().nullable(),
  outputTokens: z.number().nullable(),
  /** In the currency of the prices, where whoever was called knows it. */
  cost: z.number().nullable(),
});

/** What a call used, as far as that is known. */
export type Usage = Readonly<z.infer<typeof usageShape>>;

/** For a million tokens, in whatever currency the budget is in. */
export type Prices = Readonly<Record<'input' | 'output', number>>;

/** More than any model takes: a number like this is a fault, and would spoil every sum. */
const MOST_TOKENS = 1e9;

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

/** What a target says it used, without what cannot be true: such a number counts as not known. */
export function soundUsage(usage: Usage | null): Usage | null {
  if (usage === null) return null;
  const sound = (amount: number | null, most = MOST_TOKENS): number | null =>
    amount !== null && isAmount(amount) && amount <= most ? amount : null;
  const { inputTokens, outputTokens, cost } = usage;
  return { inputTokens: sound(inputTokens), outputTokens: sound(outputTokens), cost: sound(cost, Infinity) };
}

/** A number that can be added up: neither NaN nor infinite nor less than nothing. */
export function isAmount(value: number): boolean {
  return Number.isFinite(value) && value >= 0;
}
