import type { MeasureComparison } from '../../../../src/runs/comparison.ts';

/**
 * In how many cases a measure is another one. Its counts may differ where its value does not, as 1 of 2 and 2 of 4: they
 * are told only where no case has a value of its own.
 */
export function differingCases(
  row: Pick<MeasureComparison, 'wins' | 'losses' | 'ties' | 'withoutPair' | 'differing'>,
): number {
  const { wins, losses, ties, withoutPair, differing } = row;
  return wins + losses + ties + withoutPair === 0 ? differing : wins + losses + withoutPair;
}
