import { averageRanks } from './ranks.ts';

/**
 * Spearman's rank correlation: Pearson's of the average ranks, which takes care of ties. From −1 (one order is the other
 * turned round) to 1; null where it is undefined: fewer than two pairs, or one side has a single value.
 *
 * Spearman, C. (1904), The proof and measurement of association between two things, American Journal of Psychology 15,
 * 72–101.
 *
 * @example rankCorrelation([1, 2, 3], [1, 3, 2]) // 0.5
 */
export function rankCorrelation(first: readonly number[], second: readonly number[]): number | null {
  if (first.length !== second.length) throw new RangeError('both sides need as many values');
  const [a, b] = [averageRanks(first).ranks, averageRanks(second).ranks];
  // Ranks with ties shared are 1 to n on the whole: their mean is known.
  const mean = (a.length + 1) / 2;
  let [both, ofA, ofB] = [0, 0, 0];
  for (const [at, rank] of a.entries()) {
    const [x, y] = [rank - mean, b[at]! - mean];
    both += x * y;
    ofA += x * x;
    ofB += y * y;
  }
  return ofA === 0 || ofB === 0 ? null : both / Math.sqrt(ofA * ofB);
}
