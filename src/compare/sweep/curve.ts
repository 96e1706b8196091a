import { improvement, type Measure } from '../../measure/measure.ts';
import { NOT_ASKED_FOR } from '../../measure/results.ts';
import type { UnitSums } from '../../measure/unit-sums.ts';
import type { PairedSettings } from '../../stats/paired-comparison.ts';
import { differenceBetween } from '../../stats/paired-difference.ts';
import type { Breathe } from '../../stats/resample.ts';
import { differencesFrom } from '../paired-sets.ts';
import type { SweepAxis, SweepBest, SweepStep, SweptSystem } from './result.ts';

/** Why the points cannot be told from the best, or not: null where they can. */
export type NotPaired = string | null;

/**
 * The point with the best value, and those that cannot be told from it: the same cases are drawn for both, again and
 * again, and the interval of the difference holds 0. Of equal points the one nearest to the middle of them.
 */
export async function bestPoint(
  values: readonly (number | null)[],
  tables: readonly UnitSums[],
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
  if (tables[point]!.units.length < 2)
    return { ...best, alike: null, notAlike: 'there is one case only, which cannot be resampled' };
  const found = await differencesFrom(tables[point]!, tables, measure, settings, breathe);
  const alike = [...tables.keys()].filter((at) => found[at]!.difference !== null && !found[at]!.shown);
  return { ...best, alike, notAlike: null };
}

/** A step that loses this share of all that the sweep moves is a cliff, where its interval leaves out 0. */
const CLIFF_SHARE = 0.25;

interface Place {
  readonly point: number | null;
  readonly value: number | null;
  readonly table: UnitSums;
}

/** How the only axis of a sweep falls and rises: the steepest step, and those to both sides of the recipe's own value. */
export async function stepsAlong(
  axis: SweepAxis,
  places: readonly Place[],
  own: Place,
  measure: Measure,
  settings: PairedSettings | null,
): Promise<Pick<SweptSystem, 'steepest' | 'besideOwn' | 'cliff'>> {
  const between = (from: Place, to: Place): Promise<SweepStep | null> => stepOf(from, to, measure, settings);
  let steepest: { from: Place; to: Place; size: number } | null = null;
  for (const [at, to] of places.entries()) {
    const from = places[at - 1];
    if (from === undefined || from.value === null || to.value === null) continue;
    const size = Math.abs(differenceBetween(from.value, to.value));
    if (size > (steepest?.size ?? 0)) steepest = { from, to, size };
  }
  const besideOwn: SweepStep[] = [];
  for (const place of neighbours(axis, own.point)) {
    const step = await between(own, places[place]!);
    if (step !== null) besideOwn.push(step);
  }
  const values = places.flatMap(({ value }) => (value === null ? [] : [value]));
  const whole = Math.max(...values) - Math.min(...values);
  const lost = (step: SweepStep): number => {
    const to = places[step.to]!.value;
    return own.value === null || to === null || improvement(measure, own.value, to) >= 0 ? 0 : Math.abs(to - own.value);
  };
  const falls = besideOwn
    .filter((step) => step.shown && lost(step) >= CLIFF_SHARE * whole)
    .sort((a, b) => lost(b) - lost(a));
  return {
    steepest: steepest === null ? null : await between(steepest.from, steepest.to),
    besideOwn,
    cliff: places.length < 5 ? null : (falls[0] ?? null),
  };
}

/** The places just below and just above the recipe's own value. */
function neighbours({ numeric, values, own }: SweepAxis, point: number | null): number[] {
  if (!numeric || own === null || typeof own.value !== 'number') return [];
  const { value } = own;
  const below = point !== null ? point - 1 : values.findLastIndex((one) => Number(one) < value);
  const above = point !== null ? point + 1 : values.findIndex((one) => Number(one) > value);
  return [below, above].filter((at) => at >= 0 && at < values.length);
}

async function stepOf(
  from: Place,
  to: Place,
  measure: Measure,
  settings: PairedSettings | null,
): Promise<SweepStep | null> {
  if (from.value === null || to.value === null || to.point === null) return null;
  const ends = { from: from.point, to: to.point };
  const plain = differenceBetween(from.value, to.value);
  if (settings === null) return { ...ends, difference: plain, interval: null, noInterval: NOT_ASKED_FOR, shown: false };
  const [found] = await differencesFrom(from.table, [to.table], measure, settings);
  return { ...ends, ...found!, difference: found!.difference ?? plain };
}
