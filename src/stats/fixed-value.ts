import { type ColumnSums, sumsAt, type UnitSums } from '../measure/unit-sums.ts';
import { differenceBetween } from './paired-difference.ts';
import { type MeasuredPart, withoutEachUnit } from './unit-by-unit.ts';

/** Unit sums of a run with their totals. */
export type TotalledTable = readonly [table: UnitSums, all: ColumnSums];

/**
 * True if a measure has the same value in two runs, also without any one unit, so that no difference can be tested.
 * Example: precision of two systems without false positives.
 */
export function isFixed(runs: readonly TotalledTable[], part: MeasuredPart): boolean {
  const { measure, label } = part;
  const [value] = runs.map(([table, all]) => measure.value(sumsAt(table, all, label)).value);
  const isSame = (other: number | null): boolean =>
    value != null && other !== null && differenceBetween(value, other) === 0;
  return (
    runs.every(([table, all]) => isSame(measure.value(sumsAt(table, all, label)).value)) &&
    runs.every(([table, all]) => withoutEachUnit(table, all, part).every((other) => other === null || isSame(other)))
  );
}
