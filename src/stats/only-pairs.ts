import type { UnitColumn, UnitSums } from '../measure/unit-sums.ts';
import type { MeasuredPart } from './paired-difference.ts';
import { columnsOf } from './unit-by-unit.ts';

/**
 * The tables with, for each mean over cases, the values of the units that have one in both: a mean over one set of cases
 * less a mean over another would be a difference of cases, not of systems. The tables must be aligned.
 */
export function onlyPairs(a: UnitSums, b: UnitSums, parts: readonly MeasuredPart[]): [UnitSums, UnitSums] {
  const [columnsA, columnsB] = [[...a.columns], [...b.columns]];
  for (const { measure, label } of parts) {
    if (measure.meanOfCases !== true) continue;
    for (const column of columnsOf(a, measure, label)) {
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
