import { everyTwo } from '../aligned-lists.ts';
import type { Agreement } from './agreement.ts';
import { codeRatings } from './code-ratings.ts';
import { cohenKappa, type CohenOptions } from './cohen-kappa.ts';
import type { Ratings } from './rating.ts';

/** Cohen's kappa of two of several raters, named by their columns. */
export interface KappaPair {
  readonly a: number;
  readonly b: number;
  readonly agreement: Agreement;
}

export interface PairwiseKappa {
  readonly pairs: readonly KappaPair[];
  /** Light's kappa: the mean over the pairs that have one; null where none has. */
  readonly mean: number | null;
  readonly undefined: string | null;
  /** Pairs without a kappa, which leave the mean. */
  readonly undefinedPairs: number;
}

/**
 * Cohen's kappa for every two raters, and their mean (Light 1971, Psychol Bull 76, 365–377); higher is better.
 * A pair is undefined as Cohen's kappa is; such pairs leave the mean and are counted. Without `interval: true` no
 * intervals are drawn, since there may be many pairs.
 * Example: three raters with kappas 0.6, 0.5 and 0.7: mean 0.6.
 */
export function pairwiseKappa(ratings: Ratings, options: CohenOptions = {}): PairwiseKappa {
  const { weights = 'none' } = options;
  // The categories of all raters, so that a step of the weights is the same step for every pair.
  const { raters, categories } = codeRatings(ratings, { ...options, ordered: weights !== 'none' });
  const pairs = everyTwo(raters).map(([a, b]): KappaPair => {
    const two = ratings.map((row) => [row[a] ?? null, row[b] ?? null]);
    return { a, b, agreement: cohenKappa(two, { interval: false, ...options, categories }) };
  });
  const values = pairs.flatMap(({ agreement }) => agreement.value ?? []);
  const mean = values.length === 0 ? null : values.reduce((sum, value) => sum + value, 0) / values.length;
  return {
    pairs,
    mean,
    undefined: mean === null ? 'no two raters have a kappa' : null,
    undefinedPairs: pairs.length - values.length,
  };
}
