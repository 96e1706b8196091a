import type { ConfusionCount } from '../../../../src/score/run.ts';
import type { AttributeTable } from '../../../../src/figures/run-figures.ts';

export type AttributeCell = AttributeTable['cells'][number];

/** The wrong values, the most frequent first. */
export function wrongValues({ cells }: Pick<AttributeTable, 'cells'>): AttributeCell[] {
  return cells.filter(({ right }) => !right).toSorted((a, b) => b.n - a.n);
}

/** The same as labels have it, for the drawing. */
export function asConfusion({ kind, cells }: Pick<AttributeTable, 'kind' | 'cells'>): ConfusionCount[] {
  return cells.map(({ gold, predicted, n }) => ({ scheme: null, kind, gold, predicted, n }));
}
