import { isDeepStrictEqual } from 'node:util';

import { distanceFromBest, improvement, type Measure, NOT_ASKED_FOR } from '../../measure/measure.ts';
import type { Sureness } from '../../measure/results.ts';
import { sumsAt, totals, type UnitSums } from '../../measure/unit-sums.ts';
import { alignTables, onlyPairs } from '../../stats/align-tables.ts';
import { inGroups, USUAL_GROUPS_ABOVE } from '../../stats/in-groups.ts';
import type { PairedSettings } from '../../stats/paired-comparison.ts';
import { differenceBetween, pairedBootstrap, type ResampledDifference } from '../../stats/paired-difference.ts';
import type { Breathe } from '../../stats/resample.ts';
import { leavesOutZero } from '../compare-verdict.ts';
import type { SweepAxis } from './axes.ts';
import type { PlannedSweep } from './points.ts';

/** A step that loses this share of all that the sweep moves is a cliff, where its interval leaves out 0. */
const CLIFF_SHARE = 0.25;

/** What changes in a measure from one setting of a system to another, over the same cases. */
export interface SettingDifference extends Sureness {
  /** to − from; null where one of them has no value. */
  readonly difference: number | null;
  /** Whether there is a difference that chance does not explain away: the interval leaves out 0. */
  readonly shown: boolean;
}

/** From and to are points; null: the recipe as it stands, which is no point. */
export type SweepStep = SettingDifference & Readonly<{ from: number | null; to: number; difference: number }>;

export type SweepBest = NonNullable<Awaited<ReturnType<typeof bestPoint>>>;

/** One system by one measure. */
export interface Curve {
  readonly measure: Measure;
  /** By plan. */
  readonly values: readonly (number | null)[];
  readonly tables: readonly UnitSums[];
  /** Null: without intervals. */
  readonly settings: PairedSettings | null;
  /** Why the points cannot be told from the best; null where they can. */
  readonly notPaired: string | null;
}

/** The best point of one system, and how the only axis falls and rises. */
export async function shapeOf({ axes, points, own }: PlannedSweep, curve: Curve, breathe: Breathe) {
  const best = await bestPoint(curve, points.length, breathe);
  if (axes.length > 1 || curve.notPaired !== null) return { best, steepest: null, besideOwn: [], cliff: null };
  return { best, ...(await stepsAlong(curve, axes[0]!, points.length, own)) };
}

/**
 * The point with the best value, and those that cannot be told from it: the same cases are drawn for both, again and
 * again, and the interval of the difference holds 0. Of equal points, the `ties`, the one closest to the
 * middle of them.
 */
async function bestPoint(curve: Curve, points: number, breathe: Breathe) {
  const { measure, settings, notPaired } = curve;
  const [values, tables] = [curve.values.slice(0, points), curve.tables.slice(0, points)];
  const [top] = values.filter((value) => value !== null).sort((a, b) => improvement(measure, a, b));
  if (top === undefined) return null;
  const ties = [...values.keys()].filter((at) => values[at] !== null && differenceBetween(top, values[at]!) === 0);
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

/**
 * Along the only axis: the steepest step from one point to the next, the steps to both sides of the recipe's own value,
 * and the one of these that loses so much that this value stands on a cliff.
 */
async function stepsAlong(
  { measure, values, tables, settings }: Curve,
  axis: SweepAxis,
  points: number,
  own: number | null,
) {
  const change = (from: number, to: number): number | null =>
    (values[from] ?? null) === null || (values[to] ?? null) === null
      ? null
      : differenceBetween(values[from]!, values[to]!);
  const stepOf = async (from: number, to: number): Promise<SweepStep | null> => {
    const difference = change(from, to);
    if (difference === null) return null;
    const ends = { from: from < points ? from : null, to };
    if (settings === null) return { ...ends, difference, interval: null, noInterval: NOT_ASKED_FOR, shown: false };
    const [found] = await differencesFrom(tables[from]!, [tables[to]!], measure, settings);
    return { ...ends, ...found!, difference: found!.difference ?? difference };
  };
  const stands = own ?? points;
  const besideOwn: SweepStep[] = [];
  for (const place of neighbours(axis, own)) {
    const step = await stepOf(stands, place);
    if (step !== null) besideOwn.push(step);
  }
  const sizes = Array.from({ length: points }, (_, at) => Math.abs(change(at - 1, at) ?? 0));
  const largest = Math.max(...sizes);
  const shown = values.slice(0, points).filter((value) => value !== null);
  const whole = Math.max(...shown) - Math.min(...shown);
  const lost = ({ to }: SweepStep): number =>
    improvement(measure, values[stands]!, values[to]!) >= 0 ? 0 : Math.abs(values[to]! - values[stands]!);
  const falls = besideOwn
    .filter((step) => step.shown && lost(step) >= CLIFF_SHARE * whole)
    .sort((a, b) => lost(b) - lost(a));
  return {
    steepest: largest === 0 ? null : await stepOf(sizes.indexOf(largest) - 1, sizes.indexOf(largest)),
    besideOwn,
    cliff: points < 5 ? null : (falls[0] ?? null),
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

/**
 * The difference of each table from one of them. Tables of the same units share their draws where the measure looks at
 * the whole only; the others are drawn pair by pair.
 */
export async function differencesFrom(
  from: UnitSums,
  others: readonly UnitSums[],
  given: Measure,
  settings: PairedSettings,
  breathe: Breathe = () => undefined,
): Promise<SettingDifference[]> {
  const measure = distanceFromBest(given);
  const part = { measure, label: -1 };
  const { groupsAbove = USUAL_GROUPS_ABOVE } = settings;
  const distinct = [...new Set(others)];
  const isOfWhole = measure.byLabel && measure.meanOfCases !== true;
  const batches: UnitSums[][] =
    isOfWhole && distinct.every(({ units }) => isDeepStrictEqual(units, from.units))
      ? [[from, ...distinct].map((table) => ({ ...table, labels: [], columns: table.columns.slice(0, table.width) }))]
      : distinct.map((other) => onlyPairs(...alignTables(from, other), [part]));
  const found: SettingDifference[] = [];
  for (const [at, batch] of batches.entries()) {
    const [before, ...after] = batch.map((table) => measure.value(sumsAt(table, totals(table))).value);
    const [drawn, ...drawnAfter] = batch.map((table) => inGroups(table, groupsAbove));
    const breatheAt: Breathe = (share) => breathe((at + share) / batches.length);
    const isOne = batch[0]!.units.length < 2;
    const resampled = isOne ? [] : await pairedBootstrap(drawn!, drawnAfter, [part], settings, breatheAt);
    found.push(...after.map((value, place) => settingDifference(before ?? null, value, resampled[place]?.[0])));
  }
  const byTable = new Map(distinct.map((table, at) => [table, found[at]!]));
  return others.map((table) => byTable.get(table)!);
}

function settingDifference(
  before: number | null,
  after: number | null,
  resampled: ResampledDifference | undefined,
): SettingDifference {
  const difference = before === null || after === null ? null : differenceBetween(before, after);
  const without = (noInterval: string) => ({ difference, interval: null, noInterval, shown: false });
  if (difference === null) return without('there is no difference');
  if (resampled === undefined) return without('there is one unit only: nothing to resample');
  const { interval, noInterval, standardError } = resampled;
  const shown = leavesOutZero({ interval, constant: standardError === 0, difference });
  return { difference, interval, noInterval, shown };
}
