import type { Measure, Sums } from '../measure/measure.ts';
import { type ColumnSums, labelSums, occurrence, totals, type UnitSums } from '../measure/unit-sums.ts';

export interface WithoutUnit {
  readonly unit: string;
  /** null where the measure has no value without it. */
  readonly value: number | null;
}

/** What a measure would be without each unit in turn: sums are taken off and put back, nothing is scored again. */
export function* leaveOneOut(measure: Measure, table: UnitSums): Generator<WithoutUnit> {
  const sums = totals(table);
  const without = lazySums(table, sums);
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
function byUnit({ units, columns }: UnitSums): {
  readonly ends: Int32Array;
  readonly columns: Int32Array;
  readonly values: Float64Array;
} {
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

/** As sumsOf, but with labels made only where a measure asks for them: most never do. */
function lazySums(table: UnitSums, sums: ColumnSums): Sums {
  return {
    get: (key) => sums[table.keys.get(key) ?? -1] ?? 0,
    labels: () =>
      table.labels.flatMap((label, at) =>
        sums[occurrence(table, at)] === 0 ? [] : [{ label, sums: labelSums(table, sums, at) }],
      ),
  };
}
