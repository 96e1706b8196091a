import { averageRanks } from './ranks.ts';

export type ZeroMethod = 'wilcox' | 'pratt' | 'zsplit';

/** What the signed-rank test needs to know of the differences. */
export interface SignedRanks {
  /** Rank sums of the positive and of the negative differences. */
  readonly plus: number;
  readonly minus: number;
  /** Half the rank sum of the zeros where they are split between both sides, else 0; part of `plus` and of `minus`. */
  readonly split: number;
  /** Ranks of the differences that are not zero. */
  readonly ranks: readonly number[];
  /** How many differences were ranked: with the zeros, unless they were left out first. */
  readonly ranked: number;
  readonly zeros: number;
  /** Whether two of the ranked differences are equally large. */
  readonly ties: boolean;
  /** Mean and standard deviation of `plus` when signs are up to chance, corrected for ties and zeros. */
  readonly mean: number;
  readonly deviation: number;
}

/**
 * Ranks of |d| from 1, added up by the sign of d. Zeros are left out first (wilcox), or ranked with the others and then
 * left out (pratt), or ranked and split between both sides (zsplit).
 *
 * mean = n(n + 1)/4, variance = (n(n + 1)(2n + 1) − Σ(t³ − t)/2) / 24 over the sizes t of groups of equal |d|;
 * with pratt both lose what z zeros would add: z(z + 1)/4 and z(z + 1)(2z + 1)/24.
 *
 * Pratt, J. W. (1959), Remarks on zeros and ties in the Wilcoxon signed rank procedures, JASA 54, 655–667.
 * Cureton, E. E. (1967), The normal approximation to the signed-rank sampling distribution when zero differences are
 * present, JASA 62, 1068–1069.
 *
 * @example signedRanks([3, -1, 2], 'wilcox') // plus: 3 + 2 = 5, minus: 1
 */
export function signedRanks(differences: readonly number[], zeroMethod: ZeroMethod): SignedRanks {
  const zeros = differences.filter((d) => d === 0).length;
  const kept = zeroMethod === 'wilcox' ? differences.filter((d) => d !== 0) : differences;
  const { ranks, groups } = averageRanks(kept.map(Math.abs));
  const of = (wanted: (d: number) => boolean): number[] => ranks.filter((_, i) => wanted(kept[i]!));
  const split = zeroMethod === 'zsplit' ? total(of((d) => d === 0)) / 2 : 0;

  const n = kept.length;
  let mean = n * (n + 1) * 0.25;
  let variance24 = n * (n + 1) * (2 * n + 1);
  let tied = groups;
  if (zeroMethod === 'pratt' && zeros > 0) {
    mean -= zeros * (zeros + 1) * 0.25;
    variance24 -= zeros * (zeros + 1) * (2 * zeros + 1);
    tied = groups.slice(1); // the zeros are the smallest
  }
  const correction = total(tied.map((size) => size ** 3 - size));
  return {
    plus: total(of((d) => d > 0)) + split,
    minus: total(of((d) => d < 0)) + split,
    split,
    ranks: of((d) => d !== 0),
    ranked: n,
    zeros,
    ties: groups.some((size) => size > 1),
    mean,
    deviation: Math.sqrt((variance24 - correction / 2) / 24),
  };
}

/** Ranks are halves of whole numbers, so their sum has no rounding and no order. */
function total(values: readonly number[]): number {
  return values.reduce((sum, value) => sum + value, 0);
}
