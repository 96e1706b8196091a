import type { DrawnColumns } from './drawn-values.ts';
import { isNumbers, type Measure, type Sums } from './measure.ts';
import { pairwiseSum } from './numpy.ts';

/** One sum, unit by unit: only the units that add something to it. */
export interface UnitColumn {
  /** Places in `units`, rising. */
  readonly units: Int32Array;
  /** Small whole numbers, or any. */
  readonly values: Int16Array | Float64Array;
}

/** The column of a list with a number for every unit. */
export function filledColumn(dense: Float64Array): UnitColumn {
  let count = 0;
  const [units, values] = [new Int32Array(dense.length), new Float64Array(dense.length)];
  for (let unit = 0; unit < dense.length; unit += 1) {
    if (dense[unit] === 0) continue;
    units[count] = unit;
    values[count] = dense[unit]!;
    count += 1;
  }
  return { units: units.slice(0, count), values: values.slice(0, count) };
}

/** The different numbers that are kept under a key, in rising order, and the column of the first of them. */
export interface NumberColumns {
  readonly from: number;
  readonly values: readonly number[];
}

export const EMPTY_COLUMN: UnitColumn = { units: new Int32Array(), values: new Float64Array() };

/**
 * What each unit (a case, or a cluster of them) adds to each sum: the material that totals, resamples and differences
 * are made of. Counter k of the whole is column k; counter k of label l is column (1 + l) · width + k, and the last of its
 * columns counts how often it occurs. After these each number that is kept has a column of how often a unit has it.
 */
export interface UnitSums {
  /** In text order, so that the order in which cases came cannot change a number. */
  readonly units: readonly string[];
  /** Whether a unit holds more than one case. */
  readonly clustered: boolean;
  readonly keys: ReadonlyMap<string, number>;
  readonly labels: readonly string[];
  readonly width: number;
  readonly numbers: ReadonlyMap<string, NumberColumns>;
  readonly columns: readonly UnitColumn[];
}

export const NO_SUMS: Sums = { get: () => 0, labels: () => [], numbers: () => ({ values: [], times: [] }) };

/** A number for every column of some unit sums: the totals, those of a resample, or a difference. */
export type ColumnSums = Float64Array;

/** Added up as numpy does it: sums of whole numbers are exact in any way, a mean of other numbers has its bits. */
export function totals({ columns }: UnitSums): ColumnSums {
  // From 0, as numpy's sum: nothing but −0 adds up to 0.
  return Float64Array.from(columns, ({ values }) => 0 + pairwiseSum(values));
}

/** The sums of many draws, of which one is read: of column c those from `starts[c]` on, draw by draw; −1 if all are 0. */
export interface DrawnSums {
  readonly sums: Float64Array;
  readonly starts: Int32Array;
  /** The draw that is read. */
  at: number;
}

/**
 * The sums as a measure reads them: of one label, or of the whole (−1) with its labels. A label that a resample, or the
 * other of two systems, does not have is not among them, as it would not be in a run: where 0/0 is given as a number, it
 * would count.
 */
export function sumsAt(table: UnitSums, sums: ColumnSums | DrawnSums, label = -1): Sums {
  const from = (1 + label) * table.width;
  const sumOf = (column: number): number => {
    if (sums instanceof Float64Array) return sums[column]!;
    const start = sums.starts[column]!;
    return start < 0 ? 0 : sums.sums[start + sums.at]!;
  };
  const get = (key: string): number => {
    const place = table.keys.get(key);
    return place === undefined ? 0 : sumOf(from + place);
  };
  if (label >= 0) return { ...NO_SUMS, get };
  const labels = table.labels.map((name, at) => ({ label: name, sums: sumsAt(table, sums, at) }));
  return {
    get,
    labels: () => labels.filter((_, at) => sumOf(occurrence(table, at)) !== 0),
    numbers(key) {
      const { from: first, values } = table.numbers.get(key) ?? { from: 0, values: [] };
      const times = new Float64Array(values.length);
      for (let at = 0; at < times.length; at += 1) times[at] = sumOf(first + at);
      return { values, times };
    },
  };
}

/** The sums of the first `draws` draws together. */
export function drawnColumnsAt(
  table: UnitSums,
  drawn: DrawnSums,
  draws: number,
  label: number,
  list: () => Float64Array,
): DrawnColumns {
  const columnOf = (column: number): Float64Array => {
    const start = drawn.starts[column]!;
    return start < 0 ? new Float64Array(draws) : drawn.sums.subarray(start, start + draws);
  };
  const known = new Map<string, Float64Array>();
  const get = (key: string): Float64Array => {
    const place = table.keys.get(key);
    const column = place === undefined ? new Float64Array(draws) : columnOf((1 + label) * table.width + place);
    known.set(key, column);
    return column;
  };
  const labels = (label < 0 ? [...table.labels.keys()] : []).map((at) => ({
    occurs: columnOf(occurrence(table, at)),
    sums: drawnColumnsAt(table, drawn, draws, at, list),
  }));
  return { list, get: (key) => known.get(key) ?? get(key), labels: () => labels };
}

/** The column that counts how often a label occurs. */
export function occurrence({ width }: UnitSums, label: number): number {
  return (2 + label) * width - 1;
}

/** The columns of what a measure counts, of the whole or of one label. */
export function measureColumns(table: UnitSums, { counters }: Measure, label: number): number[] {
  return counters.flatMap((counter) => {
    if (!isNumbers(counter)) return (1 + label) * table.width + table.keys.get(counter.key)!;
    const numbers = label < 0 ? table.numbers.get(counter.key) : undefined;
    return numbers?.values.map((_, at) => numbers.from + at) ?? [];
  });
}

const FEW_UNITS = 16;

/** How many units add anything to what a measure looks at; of the whole, or of one label. */
export function unitsWith(table: UnitSums, measure: Measure, label = -1): number {
  if (measure.everyCase === true) return table.units.length;
  const lists = measureColumns(table, measure, label).map((column) => table.columns[column]!.units);
  // A list of all units for every one of thousands of labels would take longer than the rest.
  if (lists.every(({ length }) => length <= FEW_UNITS)) return new Set(lists.flatMap((units) => [...units])).size;
  const all = table.units.length;
  if (lists.some(({ length }) => length === all)) return all;
  const seen = new Uint8Array(all);
  let count = 0;
  for (const units of lists)
    for (let at = 0; at < units.length; at += 1) {
      const unit = units[at]!;
      count += 1 - seen[unit]!;
      seen[unit] = 1;
    }
  return count;
}
