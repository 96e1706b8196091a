import { isDeepStrictEqual } from 'node:util';

import { UsageError } from '../data/problems.ts';
import { distanceFromBest, type Measure } from '../measure/measure.ts';
import type { Interval } from '../measure/results.ts';
import { sumsAt, totals, type UnitSums } from '../measure/unit-sums.ts';
import { alignTables, onlyPairs } from '../stats/align-tables.ts';
import { inGroups, USUAL_GROUPS_ABOVE } from '../stats/in-groups.ts';
import type { PairedSettings } from '../stats/paired-comparison.ts';
import { differenceBetween, pairedBootstrap, type ResampledDifference } from '../stats/paired-difference.ts';
import type { Breathe } from '../stats/resample.ts';
import { leavesOutZero } from './compare-verdict.ts';

/** What pairing has to know of a case. */
export interface PairableCase {
  readonly failed?: string | null | undefined;
  readonly cluster?: string | null | undefined;
}

/** The cases of several runs, systems or recipes, brought together by their ids. */
export interface PairedCases {
  /** Those that all have and none failed on. */
  readonly ids: ReadonlySet<string>;
  /** The others, with the places of the sets that lack them and of those that failed on them. */
  readonly leftOut: readonly {
    readonly case: string;
    readonly lacking: readonly number[];
    readonly failed: readonly number[];
  }[];
  /** The first set that says which cases belong together; −1 where none does. */
  readonly clustered: number;
  /** What a case belongs to, as that set has it. */
  readonly clusterOf: (id: string) => string | null;
}

export function pairCases(sets: readonly ReadonlyMap<string, PairableCase>[]): PairedCases {
  const ids = new Set<string>();
  const leftOut: PairedCases['leftOut'][number][] = [];
  const places = [...sets.keys()];
  for (const id of new Set(sets.flatMap((cases) => [...cases.keys()]))) {
    const lacking = places.filter((at) => !sets[at]!.has(id));
    const failed = places.filter((at) => (sets[at]!.get(id)?.failed ?? null) !== null);
    if (lacking.length === 0 && failed.length === 0) ids.add(id);
    else leftOut.push({ case: id, lacking, failed });
  }
  const clustered = sets.findIndex((cases) => cases.values().some(({ cluster }) => (cluster ?? null) !== null));
  return { ids, leftOut, clustered, clusterOf: (id) => sets[clustered]?.get(id)?.cluster ?? null };
}

/** Refuses sets that have nothing to compare; `next` says what to do about it. */
export function expectPairs({ ids, leftOut }: PairedCases, sets: 'runs' | 'systems', next: string): void {
  if (ids.size > 0) return;
  const isShared = leftOut.some(({ lacking }) => lacking.length === 0);
  throw new UsageError(
    isShared ? `every case that the ${sets} share failed in one of them` : `the ${sets} have no case in common`,
    `cases are aligned by their id: ${next}`,
  );
}

/** The tables, those that hold the same being one object; equal `keys` say that all else about them is equal. */
export function sharedTables(tables: readonly UnitSums[], keys: readonly string[]): UnitSums[] {
  const known = new Map<string, UnitSums[]>();
  return tables.map((table, at) => {
    const whole = `${keys[at]!} ${table.units.length} ${totals(table).join()}`;
    const alike = known.get(whole) ?? [];
    const same = alike.find((other) => isDeepStrictEqual(other, table));
    if (same === undefined) known.set(whole, [...alike, table]);
    return same ?? table;
  });
}

/** What changes in a measure from one set to another, over the same cases. */
export interface SetDifference {
  /** to − from; null where one of them has no value. */
  readonly difference: number | null;
  readonly interval: Interval | null;
  readonly noInterval: string | null;
  /** Whether there is a difference that chance does not explain away: the interval leaves out 0. */
  readonly shown: boolean;
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
): Promise<SetDifference[]> {
  const measure = distanceFromBest(given);
  const part = { measure, label: -1 };
  const { groupsAbove = USUAL_GROUPS_ABOVE } = settings;
  const distinct = [...new Set(others)];
  const batches: UnitSums[][] = canShareDraws(from, distinct, measure)
    ? [[from, ...distinct].map(wholeOnly)]
    : distinct.map((other) => onlyPairs(...alignTables(from, other), [part]));
  const found: SetDifference[] = [];
  for (const [at, [before, ...after]] of batches.entries()) {
    const [drawn, ...drawnAfter] = [before!, ...after].map((table) => inGroups(table, groupsAbove));
    const resampled =
      before!.units.length < 2
        ? []
        : await pairedBootstrap(drawn!, drawnAfter, [part], settings, (share) =>
            breathe((at + share) / batches.length),
          );
    found.push(...after.map((table, place) => differenceOf(before!, table, measure, resampled[place]?.[0] ?? null)));
  }
  const placeOf = new Map(distinct.map((table, at) => [table, at]));
  return others.map((table) => found[placeOf.get(table)!]!);
}

function canShareDraws(from: UnitSums, others: readonly UnitSums[], measure: Measure): boolean {
  return (
    measure.byLabel && measure.meanOfCases !== true && others.every(({ units }) => isDeepStrictEqual(units, from.units))
  );
}

function wholeOnly(table: UnitSums): UnitSums {
  return { ...table, labels: [], columns: table.columns.slice(0, table.width) };
}

function differenceOf(
  from: UnitSums,
  to: UnitSums,
  measure: Measure,
  resampled: ResampledDifference | null,
): SetDifference {
  const valueIn = (table: UnitSums): number | null => measure.value(sumsAt(table, totals(table), -1)).value;
  const [before, after] = [valueIn(from), valueIn(to)];
  const none = (noInterval: string): SetDifference => ({ difference: null, interval: null, noInterval, shown: false });
  if (before === null || after === null) return none('there is no difference');
  const difference = differenceBetween(before, after);
  if (resampled === null) return { ...none('there is one unit only: nothing to resample'), difference };
  const { interval, noInterval, standardError } = resampled;
  const shown = leavesOutZero({ interval, constant: standardError === 0, difference });
  return { difference, interval, noInterval, shown };
}
