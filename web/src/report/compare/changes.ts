import { isUnsliced } from '../../../../src/report/comparison-words.ts';
import type { Comparison, MeasureComparison, MovedCase } from '../../../../src/compare/comparison.ts';
import { gainOf } from './measure-order.ts';

export type Change = MovedCase['change'];

/** What of one system went one way. */
export interface Changes {
  /** Those that are shown to: the whole before slices, the largest change first. */
  readonly measures: readonly MeasureComparison[];
  /** Of the cases that moved most. */
  readonly moved: readonly MovedCase[];
  /** How many cases did, by the measure that moved cases go by; null where none has a value per case. */
  readonly cases: { readonly n: number; readonly name: string } | null;
}

export function changesOf(
  { measures, moved }: Pick<Comparison, 'measures' | 'moved'>,
  system: number,
  change: Change,
): Changes {
  const sign = change === 'better' ? -1 : 1;
  const own = measures.filter((row) => row.system === system);
  const name = moved[0]?.name;
  const counted = own.find((row) => row.name === name && isUnsliced(row));
  return {
    measures: own
      .filter(({ verdict }) => verdict === change)
      .toSorted(
        (a, b) => Number(isUnsliced(b)) - Number(isUnsliced(a)) || sign * ((gainOf(a) ?? 0) - (gainOf(b) ?? 0)),
      ),
    moved: moved.filter((one) => one.system === system && one.change === change),
    cases:
      counted === undefined ? null : { n: change === 'better' ? counted.wins : counted.losses, name: counted.name },
  };
}
