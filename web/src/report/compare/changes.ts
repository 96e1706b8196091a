import { isUnsliced } from '../../../../src/report/comparison-words.ts';
import type { CaseChange } from '../../../../src/compare/case-change.ts';
import type { Comparison, MeasureComparison, MovedCase } from '../../../../src/compare/comparison.ts';
import { gainOf } from './measure-order.ts';

export type Change = Extract<CaseChange, 'better' | 'worse'>;

/** What of one system went one way. */
export interface Changes {
  /** Those that are shown to: the whole before slices, the largest change first. */
  readonly measures: readonly MeasureComparison[];
  /** Of the cases that moved most. */
  readonly moved: readonly MovedCase[];
  /** How many cases did. */
  readonly cases: number;
}

export function changesOf(
  { measures, moved, changes }: Pick<Comparison, 'measures' | 'moved' | 'changes'>,
  system: number,
  change: Change,
): Changes {
  const sign = change === 'better' ? -1 : 1;
  const own = measures.filter((row) => row.system === system);
  return {
    measures: own
      .filter(({ verdict }) => verdict === change)
      .toSorted(
        (a, b) => Number(isUnsliced(b)) - Number(isUnsliced(a)) || sign * ((gainOf(a) ?? 0) - (gainOf(b) ?? 0)),
      ),
    moved: moved.filter((one) => one.system === system && one.change === change),
    cases: changes.systems.find((one) => one.system === system)?.[change] ?? 0,
  };
}
