import {
  EMPTY_COLUMN,
  filledColumn,
  type NumberColumns,
  type UnitColumn,
  type UnitSums,
} from '../measure/unit-sums.ts';
import { compareText } from '../text/compare.ts';
import { columnsOf, type MeasuredPart } from './unit-by-unit.ts';

/**
 * Two tables over the same units and the same labels, so that column c of the one is column c of the other. Units that
 * only one of them has stay, with nothing in the other.
 */
export function alignTables(a: UnitSums, b: UnitSums): [UnitSums, UnitSums] {
  const ofBoth = (key: 'units' | 'labels'): string[] => [...new Set([...a[key], ...b[key]])].sort(compareText);
  const [units, labels] = [ofBoth('units'), ofBoth('labels')];
  const numbers = new Map<string, NumberColumns>();
  let from = (1 + labels.length) * a.width;
  for (const key of new Set([...a.numbers.keys(), ...b.numbers.keys()])) {
    const both = new Set([a, b].flatMap((table) => table.numbers.get(key)?.values ?? []));
    numbers.set(key, { from, values: [...both].sort((one, other) => one - other) });
    from += both.size;
  }
  const whole = { units, labels, numbers };
  return [placed(a, whole), placed(b, whole)];
}

function placed(table: UnitSums, whole: Pick<UnitSums, 'units' | 'labels' | 'numbers'>): UnitSums {
  const { units, labels, numbers } = whole;
  const places = new Map(units.map((unit, at) => [unit, at]));
  const own = table.units.map((unit) => places.get(unit)!);
  const moved = (column: UnitColumn): UnitColumn => ({ ...column, units: column.units.map((unit) => own[unit]!) });
  const { width } = table;
  const known = new Map(table.labels.map((label, at) => [label, at]));
  const starts = [0, ...labels.map((label) => (1 + (known.get(label) ?? -1)) * width)];
  const columns = starts.flatMap((start, of) =>
    Array.from({ length: width }, (_, at) =>
      // A label that does not occur has nothing in any column.
      of > 0 && start === 0 ? EMPTY_COLUMN : moved(table.columns[start + at]!),
    ),
  );
  // What does not occur has nothing in its column.
  const counted = [...numbers].flatMap(([key, { values }]) => {
    const kept = table.numbers.get(key);
    const at = new Map(kept?.values.map((value, place) => [value, kept.from + place]));
    return values.map((value) => moved(table.columns[at.get(value) ?? NaN] ?? EMPTY_COLUMN));
  });
  return { ...table, ...whole, columns: [...columns, ...counted] };
}

/** What the second table has beyond the first, column by column; units where the two are equal are left out. */
export function differenceColumns(a: UnitSums, b: UnitSums): UnitColumn[] {
  const dense = new Float64Array(a.units.length);
  return a.columns.map((from, column) => {
    const to = b.columns[column]!;
    dense.fill(0);
    for (let at = 0; at < to.units.length; at += 1) dense[to.units[at]!]! += to.values[at]!;
    for (let at = 0; at < from.units.length; at += 1) dense[from.units[at]!]! -= from.values[at]!;
    return filledColumn(dense);
  });
}

/**
 * The tables with, for each mean over cases, the values of the units that have one in both: a mean over one set of cases
 * less a mean over another would be a difference of cases, not of systems. The tables must be aligned.
 */
export function onlyPairs(a: UnitSums, b: UnitSums, parts: readonly MeasuredPart[]): [UnitSums, UnitSums] {
  const [columnsA, columnsB] = [[...a.columns], [...b.columns]];
  for (const part of parts) {
    if (part.measure.meanOfCases !== true) continue;
    for (const column of columnsOf(a, part)) {
      const [own, other] = [a.columns[column]!, b.columns[column]!];
      columnsA[column] = within(own, other);
      columnsB[column] = within(other, own);
    }
  }
  return [
    { ...a, columns: columnsA },
    { ...b, columns: columnsB },
  ];
}

function within({ units, values }: UnitColumn, other: UnitColumn): UnitColumn {
  const known = new Set(other.units);
  const places = [...units.keys()].filter((at) => known.has(units[at]!));
  if (places.length === units.length) return { units, values };
  return { units: Int32Array.from(places, (at) => units[at]!), values: Float64Array.from(places, (at) => values[at]!) };
}
