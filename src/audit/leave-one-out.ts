import type { Measure } from '../measure/measure.ts';
import { sumsOf, totals, type UnitSums } from '../measure/unit-sums.ts';

/**
 * What a measure would be without each unit in turn, null where it has no value then: sums are taken off and put back,
 * nothing is scored again.
 */
export function* leaveOneOut(
  measure: Measure,
  table: UnitSums,
): Generator<{ readonly unit: string; readonly value: number | null }> {
  const sums = totals(table);
  const without = sumsOf(table, sums);
  const { ends, columns, values } = byUnit(table);
  for (const [at, unit] of table.units.entries()) {
    const [from, to] = [ends[at - 1] ?? 0, ends[at]!];
    const before = columns.subarray(from, to);
    const kept = Float64Array.from(before, (column) => sums[column] ?? 0);
    for (let place = from; place < to; place += 1) sums[columns[place]!]! -= values[place]!;
    yield { unit, value: measure.value(without).value };
    before.forEach((column, place) => {
      sums[column] = kept[place]!;
    });
  }
}

/** What each unit adds, unit after unit in long lists: an object for each part would be millions of them. */
function byUnit({ units, columns }: UnitSums): { ends: Int32Array; columns: Int32Array; values: Float64Array } {
  const next = new Int32Array(units.length + 1);
  for (const column of columns) for (const unit of column.units) next[unit + 1]! += 1;
  for (let unit = 0; unit < units.length; unit += 1) next[unit + 1]! += next[unit]!;
  const all = next[units.length]!;
  const found = { columns: new Int32Array(all), values: new Float64Array(all) };
  columns.forEach((own, column) => {
    own.units.forEach((unit, at) => {
      const place = next[unit]!++;
      found.columns[place] = column;
      found.values[place] = own.values[at]!;
    });
  });
  // Having been filled, each unit ends where the next one began.
  return { ...found, ends: next.subarray(0, units.length) };
}
