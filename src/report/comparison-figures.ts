import type { MeasureComparison } from '../compare/comparison.ts';
import { count, endFigure, figure, NONE } from '../text/figures.ts';

export function intervalOf({ interval }: MeasureComparison): string {
  return interval === null ? NONE : `${endFigure(interval.low)} to ${endFigure(interval.high)}`;
}

/** Both values of a measure; whole numbers where it counts things. */
export function valuePair({ baseline, other }: Pick<MeasureComparison, 'baseline' | 'other'>): [string, string] {
  const both = [baseline, other].filter((value) => value !== null);
  const counts = both.every(Number.isInteger) && both.some((value) => Math.abs(value) > 1);
  const text = (value: number | null): string => (value === null ? NONE : counts ? count(value) : figure(value));
  return [text(baseline), text(other)];
}
