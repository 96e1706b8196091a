/**
 * Average ranks: the place of each value in sorted order, from 1; equal values get the mean of the places they fill. With
 * `groups`: how many values are equal to each other, for every different value from the smallest up.
 * Defined for every list of numbers, the empty one included; −0 and 0 are equal.
 * Kendall, M. G. (1945), The treatment of ties in ranking problems, Biometrika 33, 239–251.
 * @example averageRanks([3, 1, 3, 2]).ranks // [3.5, 1, 3.5, 2]
 */
export function averageRanks(values: readonly number[]) {
  const order = values.map((_, place) => place).sort((a, b) => values[a]! - values[b]! || a - b);
  const ranks: number[] = Array.from({ length: values.length });
  const groups: number[] = [];
  for (let from = 0; from < order.length;) {
    let to = from + 1;
    while (to < order.length && values[order[to]!] === values[order[from]!]) to += 1;
    const rank = (from + 1 + to) / 2;
    for (let place = from; place < to; place += 1) ranks[order[place]!] = rank;
    groups.push(to - from);
    from = to;
  }
  return { ranks, groups };
}

/**
 * Spearman's rank correlation: Pearson's of the average ranks, which takes care of ties. From −1 (one order is the other
 * turned round) to 1; null where it is undefined: fewer than two pairs, or one side has a single value.
 * Spearman, C. (1904), The proof and measurement of association between two things, American Journal of Psychology 15,
 * 72–101.
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

export type ZeroMethod = 'wilcox' | 'pratt' | 'zsplit';

/** What the signed-rank test needs to know of the differences. */
export type SignedRanks = ReturnType<typeof signedRanks>;

/**
 * Ranks of |d| from 1, added up by the sign of d. Zeros are left out first (wilcox), or ranked with the others and then
 * left out (pratt), or ranked and split between both sides (zsplit).
 * mean = n(n + 1)/4, variance = (n(n + 1)(2n + 1) − Σ(t³ − t)/2) / 24 over the sizes t of groups of equal |d|;
 * with pratt both lose what z zeros would add: z(z + 1)/4 and z(z + 1)(2z + 1)/24.
 * Pratt, J. W. (1959), Remarks on zeros and ties in the Wilcoxon signed rank procedures, JASA 54, 655–667.
 * Cureton, E. E. (1967), The normal approximation to the signed-rank sampling distribution when zero differences are
 * present, JASA 62, 1068–1069.
 * @example signedRanks([3, -1, 2], 'wilcox') // plus: 3 + 2 = 5, minus: 1
 */
export function signedRanks(differences: readonly number[], zeroMethod: ZeroMethod) {
  const zeros = differences.filter((d) => d === 0).length;
  const kept = zeroMethod === 'wilcox' ? differences.filter((d) => d !== 0) : differences;
  const { ranks, groups } = averageRanks(kept.map(Math.abs));
  const of = (wanted: (d: number) => boolean): number[] => ranks.filter((_, i) => wanted(kept[i]!));
  const split = zeroMethod === 'zsplit' ? total(of((d) => d === 0)) / 2 : 0;
  const n = kept.length;
  const leaving = zeroMethod === 'pratt' ? zeros : 0;
  // The zeros are the smallest.
  const tied = leaving > 0 ? groups.slice(1) : groups;
  const variance24 = n * (n + 1) * (2 * n + 1) - leaving * (leaving + 1) * (2 * leaving + 1);
  return {
    plus: total(of((d) => d > 0)) + split,
    minus: total(of((d) => d < 0)) + split,
    /** Half the rank sum of the zeros where they are split between both sides, else 0; part of `plus` and of `minus`. */
    split,
    ranks: of((d) => d !== 0),
    /** How many differences were ranked: with the zeros, unless they were left out first. */
    ranked: n,
    zeros,
    ties: groups.some((size) => size > 1),
    /** Of `plus` when signs are up to chance, corrected for ties and zeros. */
    mean: n * (n + 1) * 0.25 - leaving * (leaving + 1) * 0.25,
    deviation: Math.sqrt((variance24 - total(tied.map((size) => size ** 3 - size)) / 2) / 24),
  };
}

/** Ranks are halves of whole numbers, so their sum has no rounding and no order. */
function total(values: readonly number[]): number {
  return values.reduce((sum, value) => sum + value, 0);
}
