import { type DrawnColumns, drawnValuesOf } from '../measure/drawn-values.ts';
import type { Measure, Sums } from '../measure/measure.ts';
import {
  type ColumnSums,
  drawnColumnsAt,
  type DrawnSums,
  measureColumns,
  occurrence,
  sumsAt,
  type UnitSums,
} from '../measure/unit-sums.ts';

/** A measure of the whole (label −1) or of one label. */
export interface MeasuredPart {
  readonly measure: Measure;
  readonly label: number;
  /** Random swaps of its permutation test, if not as many as resamples. */
  readonly swaps?: number;
}

/** What each unit that has anything for a measure adds, one after the other; the view is used again. */
export function* eachUnitSums(table: UnitSums, part: MeasuredPart): Generator<Sums> {
  const sums = new Float64Array(table.columns.length);
  const view = sumsAt(table, sums, part.label);
  const columns = columnsOf(table, part).map((column) => ({ column, next: 0, ...table.columns[column]! }));
  for (;;) {
    const unit = columns.reduce((first, { units, next }) => Math.min(first, units[next] ?? Infinity), Infinity);
    if (unit === Infinity) return;
    for (const own of columns) {
      const isOfUnit = own.units[own.next] === unit;
      sums[own.column] = isOfUnit ? own.values[own.next]! : 0;
      if (isOfUnit) own.next += 1;
    }
    yield view;
  }
}

/** The measure's value of each unit alone; null where it has none. */
export function unitValues(table: UnitSums, part: MeasuredPart): (number | null)[] {
  const { measure } = part;
  const values: (number | null)[] = table.units.map(() => (measure.everyCase === true ? 0 : null));
  if (measure.overLabels === true) return values;
  const columns = columnsOf(table, part);
  const own = valuesByUnit(table, part, columns, null);
  for (const column of columns)
    for (const unit of table.columns[column]!.units) values[unit] = Number.isNaN(own[unit]) ? null : own[unit]!;
  return values;
}

/** The measure without each unit in turn (the jackknife); null where it is then undefined. */
export function withoutEachUnit(table: UnitSums, all: ColumnSums, part: MeasuredPart): (number | null)[] {
  const values = valuesByUnit(table, part, valueColumns(table, part), all);
  return Array.from(values, (value) => (Number.isNaN(value) ? null : value));
}

/** At most so many sums are made at a time. */
const MOST_SUMS = 2 ** 18;

/** The measure of what each unit has in the columns, or of `all` without that: as many draws as there are units. */
function valuesByUnit(
  table: UnitSums,
  part: MeasuredPart,
  columns: readonly number[],
  all: ColumnSums | null,
): Float64Array {
  const n = table.units.length;
  const filled = columns.filter((column) => table.columns[column]!.units.length > 0 || (all?.[column] ?? 0) !== 0);
  const block = Math.max(1, Math.min(n, Math.floor(MOST_SUMS / filled.length)));
  const sums = new Float64Array(filled.length * block);
  const starts = new Int32Array(table.columns.length).fill(-1);
  for (const [at, column] of filled.entries()) starts[column] = at * block;
  const valuesOf = drawnValues(table, part, 0, { sums, starts, at: 0 });
  const next = new Int32Array(filled.length);
  const lists = new ListPool();
  const found = new Float64Array(n);
  for (let from = 0; from < n; from += block) {
    const to = Math.min(n, from + block);
    for (const [at, column] of filled.entries()) {
      const { units, values } = table.columns[column]!;
      const [whole, start] = [all?.[column] ?? 0, at * block];
      sums.fill(whole, start, start + block);
      let entry = next[at]!;
      for (; entry < units.length && units[entry]! < to; entry += 1)
        sums[start + units[entry]! - from] = all === null ? values[entry]! : whole - values[entry]!;
      next[at] = entry;
    }
    lists.release(to - from);
    found.set(valuesOf(lists), from);
  }
  return found;
}

/** Lists of zeros, a number for each draw, that are used again. */
export class ListPool {
  readonly #lists: Float64Array[] = [];
  #used = 0;
  draws = 0;
  readonly take = (): Float64Array => {
    const list = this.#lists[this.#used]?.fill(0) ?? new Float64Array(this.draws);
    this.#lists[this.#used] = list;
    this.#used += 1;
    return list;
  };

  /** All lists may be used again, for so many draws. */
  release(draws: number): void {
    if (draws !== this.draws) this.#lists.length = 0;
    this.draws = draws;
    this.#used = 0;
  }
}

/**
 * How a part's values of draws are worked out, NaN if undefined or if a mean over labels is one of fewer than `fewest`: all
 * together where the measure can do that, else one by one.
 */
export function drawnValues(
  table: UnitSums,
  { measure, label }: MeasuredPart,
  fewest: number,
  source: DrawnSums,
): (lists: ListPool) => Float64Array {
  const together = drawnValuesOf(measure);
  let [size, columns]: [number, DrawnColumns | null] = [0, null];
  if (together !== undefined)
    return ({ draws, take }) => {
      if (columns === null || size !== draws) columns = drawnColumnsAt(table, source, draws, label, take);
      size = draws;
      return together(columns, fewest);
    };
  const view = sumsAt(table, source, label);
  return ({ draws, take }) => {
    const values = take();
    for (let at = 0; at < draws; at += 1) {
      source.at = at;
      const { value, n } = measure.value(view);
      values[at] = n < fewest ? NaN : (value ?? NaN);
    }
    return values;
  };
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
