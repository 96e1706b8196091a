import { filledColumn, type UnitColumn, type UnitSums } from '../measure/unit-sums.ts';

/** Up to this many units each is drawn by itself, unless a recipe sets another number. */
export const USUAL_GROUPS_ABOVE = 2000;
/** A recipe cannot ask for fewer: an interval from a handful of groups would be too narrow, and look like one of many cases. */
export const FEWEST_GROUPS_ABOVE = 200;

/**
 * More units than `above` are put together, every mth in text order, into m groups of ⌊n / (above / 2)⌋ units (a few of one
 * less): between half and three quarters of `above` groups, whatever n is. Sums of independent cases are as independent as
 * the cases, so drawing groups gives the same interval, with a standard error that is itself known to 1 part in
 * √(2 · groups): 2 % for 1,000 groups. Neighbours go to different groups, so that a rare label, which may be in
 * neighbouring cases only, is spread over as many groups as it has cases. Intervals of a hundred thousand cases then take
 * no longer than those of a thousand. null: never.
 */
export function inGroups(table: UnitSums, above: number | null): UnitSums {
  const n = table.units.length;
  if (above === null || n <= above) return table;
  const groups = Math.ceil(n / Math.floor(n / Math.ceil(above / 2)));
  const groupOf = new Int32Array(n);
  for (let unit = 0; unit < n; unit += 1) groupOf[unit] = unit % groups;
  const sums = new Float64Array(groups);
  const columns = table.columns.map(({ units, values }): UnitColumn => {
    sums.fill(0);
    for (let at = 0; at < units.length; at += 1) sums[groupOf[units[at]!]!]! += values[at]!;
    return filledColumn(sums);
  });
  return { ...table, units: table.units.slice(0, groups), clustered: true, columns };
}
