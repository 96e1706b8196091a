import { isAmount } from '../limits/prices.ts';
import type { Usage } from '../targets/target.ts';

/** More than any model takes: a number like this is a fault, and would spoil every sum. */
const MOST_TOKENS = 1e9;

/** What a target says it used, without what cannot be true: such a number counts as not known. */
export function soundUsage(usage: Usage | null): Usage | null {
  if (usage === null) return null;
  const tokens = (count: number | null): number | null =>
    count !== null && isAmount(count) && count <= MOST_TOKENS ? count : null;
  const { inputTokens, outputTokens, cost } = usage;
  return {
    inputTokens: tokens(inputTokens),
    outputTokens: tokens(outputTokens),
    cost: cost !== null && isAmount(cost) ? cost : null,
  };
}
