import type { Measure, Sums } from '../../measure/measure.ts';
import { type ColumnSums, labelSums, occurrence, totals, type UnitSums } from '../../measure/unit-sums.ts';

export interface WithoutUnit {
  readonly unit: string;
  /** null where the measure has no value without it. */
  readonly value: number | null;
}

/** What a measure would be without each unit in turn: sums are taken off and put back, nothing is scored again. */
export function* leaveOneOut(measure: Measure, table: UnitSums): Generator<WithoutUnit> {
  const sums = totals(table);
  const own: { column: number; value: number }[][] = table.units.map(() => []);
  table.columns.forEach(({ units, values }, column) => {
    units.forEach((unit, at) => own[unit]?.push({ column, value: values[at] ?? 0 }));
  });
  for (const [at, unit] of table.units.entries()) {
    const parts = own[at] ?? [];
    const before = parts.map(({ column }) => sums[column] ?? 0);
    for (const { column, value } of parts) sums[column] = (sums[column] ?? 0) - value;
    yield { unit, value: measure.value(lazySums(table, sums)).value };
    parts.forEach(({ column }, place) => {
      sums[column] = before[place] ?? 0;
    });
  }
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
