import type { UnitColumn, UnitSums } from '../measure/unit-sums.ts';

/** Up to this many units each is drawn by itself, unless a recipe says otherwise. */
export const USUAL_GROUPS_ABOVE = 2000;

/**
 * More units than `above` are put together with their neighbours in text order, into groups of ⌊n / (above / 2)⌋: between
 * half and three quarters of `above` groups, whatever n is. Sums of independent cases are as independent as the cases, so
 * drawing groups gives the same interval, with a standard error that is itself known to 1 part in √(2 · groups): 2 % for
 * 1,000 groups. Where neighbours resemble each other, the interval is the wider and the more honest one. Intervals of a
 * hundred thousand cases then take no longer than those of a thousand. null: never.
 */
export function inGroups(table: UnitSums, above: number | null): UnitSums {
  const n = table.units.length;
  if (above === null || n <= above) return table;
  const size = Math.floor(n / Math.ceil(above / 2));
  return {
    ...table,
    units: table.units.filter((_, at) => at % size === 0),
    clustered: true,
    columns: table.columns.map((column) => columnInGroups(column, size)),
  };
}

function columnInGroups({ units, values }: UnitColumn, size: number): UnitColumn {
  const groups = new Int32Array(units.length);
  const sums = new Float64Array(units.length);
  let filled = 0;
  for (let at = 0; at < units.length; at += 1) {
    const group = Math.floor(units[at]! / size);
    if (filled === 0 || groups[filled - 1] !== group) {
      groups[filled] = group;
      filled += 1;
    }
    sums[filled - 1]! += values[at]!;
  }
  return { units: groups.slice(0, filled), values: sums.slice(0, filled) };
}
