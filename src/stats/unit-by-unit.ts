import type { Measure, Sums } from '../measure/measure.ts';
import { measureColumns, occurrence, sumsAt, type UnitSums } from '../measure/unit-sums.ts';

/** A measure of the whole (label −1) or of one label. */
export interface MeasuredPart {
  readonly measure: Measure;
  readonly label: number;
}

/** What each unit that has anything for a measure adds, one after the other; the view is used again. */
export function* eachUnitSums(table: UnitSums, part: MeasuredPart): Generator<{ unit: number; sums: Sums }> {
  const sums = new Float64Array(table.columns.length);
  const view = sumsAt(table, sums, part.label);
  for (const [unit, columns] of unitEntries(table, columnsOf(table, part)).entries()) {
    if (columns.length === 0) continue;
    for (const { column, value } of columns) sums[column] = value;
    yield { unit, sums: view };
    for (const { column } of columns) sums[column] = 0;
  }
}

/** The measure's value of each unit alone; null where it has none. */
export function unitValues(table: UnitSums, part: MeasuredPart): (number | null)[] {
  const { measure } = part;
  const values: (number | null)[] = table.units.map(() => (measure.everyCase === true ? 0 : null));
  if (measure.overLabels !== true)
    for (const { unit, sums } of eachUnitSums(table, part)) values[unit] = measure.value(sums).value;
  return values;
}

/** The measure without each unit in turn (the jackknife); null where it is then undefined. */
export function withoutEachUnit(table: UnitSums, all: Float64Array, part: MeasuredPart): (number | null)[] {
  const sums = Float64Array.from(all);
  const view = sumsAt(table, sums, part.label);
  return unitEntries(table, valueColumns(table, part)).map((columns) => {
    for (const { column, value } of columns) sums[column]! -= value;
    const { value } = part.measure.value(view);
    for (const { column } of columns) sums[column] = all[column]!;
    return value;
  });
}

/** The columns a measure counts in; a measure over labels counts in those of all labels. */
export function columnsOf(table: UnitSums, { measure, label }: MeasuredPart): number[] {
  const labels = label < 0 && !measure.byLabel ? [-1, ...table.labels.keys()] : [label];
  return [...new Set(labels.flatMap((of) => measureColumns(table, measure, of)))];
}

/** The columns from which a measure's value is made: the same, and where it is one over labels, which of them occur. */
export function valueColumns(table: UnitSums, part: MeasuredPart): number[] {
  const overLabels = part.label < 0 && !part.measure.byLabel;
  const occur = overLabels ? [...table.labels.keys()].map((at) => occurrence(table, at)) : [];
  return [...columnsOf(table, part), ...occur];
}

function unitEntries(table: UnitSums, columns: readonly number[]): { column: number; value: number }[][] {
  const entries: { column: number; value: number }[][] = table.units.map(() => []);
  for (const column of columns) {
    const { units, values } = table.columns[column]!;
    for (let at = 0; at < units.length; at += 1) entries[units[at]!]!.push({ column, value: values[at]! });
  }
  return entries;
}
