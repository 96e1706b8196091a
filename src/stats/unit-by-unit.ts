import type { Measure, Sums } from '../measure/measure.ts';
import { type ColumnSums, occurrence, sumsAt, type UnitSums } from '../measure/unit-sums.ts';

/** What each unit that has anything for a measure adds, one after the other; the view is used again. */
export function* eachUnitSums(
  table: UnitSums,
  measure: Measure,
  label: number,
): Generator<{ readonly unit: number; readonly sums: Sums }> {
  const sums = new Float64Array(table.columns.length);
  const view = sumsAt(table, sums, label);
  for (const [unit, columns] of unitEntries(table, columnsOf(table, measure, label)).entries()) {
    if (columns.length === 0) continue;
    for (const { column, value } of columns) sums[column] = value;
    yield { unit, sums: view };
    for (const { column } of columns) sums[column] = 0;
  }
}

/** The measure's value of each unit alone; null where it has none. */
export function unitValues(table: UnitSums, measure: Measure, label: number): (number | null)[] {
  const values: (number | null)[] = table.units.map(() => (measure.everyCase === true ? 0 : null));
  if (measure.byCase)
    for (const { unit, sums } of eachUnitSums(table, measure, label)) values[unit] = measure.value(sums).value;
  return values;
}

/** The measure without each unit in turn (the jackknife); null where it is then undefined. */
export function withoutEachUnit(table: UnitSums, all: ColumnSums, measure: Measure, label: number): (number | null)[] {
  const sums = Float64Array.from(all);
  const view = sumsAt(table, sums, label);
  const values: (number | null)[] = [];
  for (const columns of unitEntries(table, valueColumns(table, measure, label))) {
    for (const { column, value } of columns) sums[column]! -= value;
    values.push(measure.value(view).value);
    for (const { column } of columns) sums[column] = all[column]!;
  }
  return values;
}

/** The columns a measure counts in; a measure over labels counts in those of all labels. */
export function columnsOf(table: UnitSums, measure: Measure, label: number): number[] {
  const counters = [...measure.counters, ...measure.caseCounters].map(({ key }) => table.keys.get(key)!);
  const labels = label < 0 && !measure.byLabel ? [-1, ...table.labels.keys()] : [label];
  return [...new Set(labels.flatMap((of) => counters.map((at) => (1 + of) * table.width + at)))];
}

/** The columns from which a measure's value is made: the same, and where it is one over labels, which of them occur. */
export function valueColumns(table: UnitSums, measure: Measure, label: number): number[] {
  const overLabels = label < 0 && !measure.byLabel;
  const occur = overLabels ? [...table.labels.keys()].map((at) => occurrence(table, at)) : [];
  return [...columnsOf(table, measure, label), ...occur];
}

function unitEntries(table: UnitSums, columns: readonly number[]): { column: number; value: number }[][] {
  const entries: { column: number; value: number }[][] = table.units.map(() => []);
  for (const column of columns) {
    const { units, values } = table.columns[column]!;
    for (let at = 0; at < units.length; at += 1) entries[units[at]!]!.push({ column, value: values[at]! });
  }
  return entries;
}
