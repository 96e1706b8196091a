import { improvement, type Measure } from '../../measure/measure.ts';
import type { UnitSums } from '../../measure/unit-sums.ts';
import type { Breathe } from '../../stats/resample.ts';
import type { PairedSettings } from '../../stats/paired-comparison.ts';
import { differenceBetween } from '../../stats/paired-difference.ts';
import type { PointTable } from './measure-points.ts';
import { pairedPoints, type PointDifference } from './paired-points.ts';
import { canResampleTogether, resampledTogether } from './resampled-together.ts';
import type { SweepBest } from './result.ts';

/** Why the points cannot be told from the best, or not: null where they can. */
export type NotPaired = string | null;

/**
 * The point with the best value, and those that cannot be told from it: the same cases are drawn for both, again and
 * again, and the interval of the difference holds 0. Of equal points the one nearest to the middle of them.
 */
export async function bestPoint(
  values: readonly (number | null)[],
  tables: readonly PointTable[],
  measure: Measure,
  settings: PairedSettings | null,
  notPaired: NotPaired,
  breathe: Breathe,
): Promise<SweepBest | null> {
  let top: number | null = null;
  for (const value of values) if (value !== null && (top === null || improvement(measure, top, value) > 0)) top = value;
  if (top === null) return null;
  const reached = top;
  const ties = [...values.keys()].filter((at) => values[at] !== null && differenceBetween(reached, values[at]!) === 0);
  const point = ties[Math.floor((ties.length - 1) / 2)]!;
  const best = { point, value: values[point]!, ties };
  if (settings === null || notPaired !== null)
    return { ...best, alike: null, notAlike: notPaired ?? 'the recipe asks for no intervals' };
  if (tables[point]!.table.units.length < 2)
    return { ...best, alike: null, notAlike: 'there is one case only, which cannot be resampled' };
  const distinct = [...new Map(tables.map((one) => [one.number, one.table]))];
  const from = distinct.findIndex(([number]) => number === tables[point]!.number);
  const found = await differencesFrom(
    distinct.map(([, table]) => table),
    from,
    measure,
    settings,
    breathe,
  );
  const isAlike = new Set(
    distinct.flatMap(([number], at) => (found[at]!.difference !== null && !found[at]!.shown ? [number] : [])),
  );
  const alike = [...tables.keys()].filter((at) => isAlike.has(tables[at]!.number));
  return { ...best, alike, notAlike: null };
}

async function differencesFrom(
  tables: readonly UnitSums[],
  from: number,
  measure: Measure,
  settings: PairedSettings,
  breathe: Breathe,
): Promise<PointDifference[]> {
  if (canResampleTogether(tables, measure, settings))
    return resampledTogether(tables, from, measure, settings, breathe);
  const found: PointDifference[] = [];
  for (const table of tables) {
    found.push(await pairedPoints(tables[from]!, table, measure, settings));
    await breathe(found.length / tables.length);
  }
  return found;
}
