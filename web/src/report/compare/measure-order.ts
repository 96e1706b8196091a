import type { ComparisonVerdict, MeasureComparison } from '../../../../src/compare/comparison.ts';

export const MEASURE_ORDERS = ['worse first', 'better first', 'as in the recipe'] as const;
export type MeasureOrder = (typeof MEASURE_ORDERS)[number];

/** The worst news first; inconclusive verdicts are in the middle. */
const WORSE_FIRST: readonly ComparisonVerdict[] = ['worse', 'too little data', 'no difference shown', 'better'];

/** Rows in an order that a reader asked for; of the same verdict, the largest change in that direction first. */
export function inOrder(rows: readonly MeasureComparison[], order: MeasureOrder): readonly MeasureComparison[] {
  if (order === 'as in the recipe') return rows;
  const sign = order === 'worse first' ? 1 : -1;
  return rows.toSorted((a, b) => sign * (rank(a) - rank(b) || (gainOf(a) ?? 0) - (gainOf(b) ?? 0)));
}

/**
 * The gain in units of the measure's spread: above 0 the other is better, whichever way the measure points. A measure
 * with a best value between the ends gives its difference as one of distances, and less distance is better.
 */
export function gainOf(row: Pick<MeasureComparison, 'direction' | 'best' | 'difference' | 'effect'>): number | null {
  const size = row.effect.standardised ?? row.difference;
  return size === null ? null : towardsBetter(row, size);
}

/** A difference turned so that above 0 is better. */
export function towardsBetter(
  { direction, best }: Pick<MeasureComparison, 'direction' | 'best'>,
  value: number,
): number {
  const turned = best !== undefined || direction === 'lower';
  return turned && value !== 0 ? -value : value;
}

function rank({ verdict }: MeasureComparison): number {
  return WORSE_FIRST.indexOf(verdict);
}
