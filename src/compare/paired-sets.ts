import { isDeepStrictEqual } from 'node:util';

import { UsageError } from '../data/problems.ts';
import { distanceFromBest, isCounter, type Measure } from '../measure/measure.ts';
import type { CaseResult, Sureness } from '../measure/results.ts';
import { SumLog } from '../measure/sum-log.ts';
import { Tally } from '../measure/tally.ts';
import { sumsAt, totals, type UnitSums } from '../measure/unit-sums.ts';
import type { SchemeVerdicts } from '../score/score-case.ts';
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

/** One of several runs, systems or recipes over the same cases: its cases by id, and what each adds to its sums. */
export interface CaseSet {
  readonly cases: ReadonlyMap<string, PairableCase>;
  readonly tally: Tally;
}

/** A case as one of several sets has it. */
export type ScoredRow = Pick<SchemeVerdicts, 'case' | 'verdicts'>;

/** Adds a case to every set; by set, what it was scored as there. */
export function addToSets(
  sets: readonly { add(row: ScoredRow): unknown }[],
  scored: readonly (readonly ScoredRow[])[],
): void {
  for (const [at, rows] of scored.entries()) for (const row of rows) sets[at]!.add(row);
}

/** A set that is added to case by case; those that are known to have the same cases can share one map of them. */
export function makeSet(measures: readonly Measure[], cluster: string | null, cases = new Map<string, CaseResult>()) {
  const tally = new Tally(measures, [], cluster);
  return {
    cases,
    tally,
    add({ case: given, verdicts }: ScoredRow): CaseResult {
      const result = tally.addCase(given, null, verdicts);
      cases.set(given.id, result);
      return result;
    },
  };
}

/**
 * A set of which only the values over all cases are wanted, however many they are: whole numbers are added up as one case,
 * since what each case added to them can be forgotten. Other measures depend on the order of adding and keep their cases.
 */
export function makeTotals(measures: readonly Measure[], cluster: string | null) {
  const whole = measures.filter(isOfWholeNumbers);
  const others = measures.filter((measure) => !whole.includes(measure));
  const kept = others.length === 0 ? null : new Tally(others, [], cluster);
  const all = whole.flatMap(({ counters, beside = [] }) => [...counters, ...beside].filter(isCounter));
  const counters = [...new Map(all.map((counter) => [counter.key, counter])).values()];
  const log = new SumLog(new Map(counters.map(({ key }, at) => [key, at])));
  return {
    add({ case: given, verdicts }: ScoredRow): void {
      kept?.addCase(given, null, verdicts);
      log.addVerdicts(counters, verdicts);
    },
    /** Once all cases are added: the whole numbers, and the value of each measure. */
    result() {
      log.keep('all');
      const table = log.byUnit();
      const sums = sumsAt(table, totals(table));
      const values = new Map(kept?.values().map(({ name, value }) => [name, value]));
      const valueOf = (measure: Measure): number | null =>
        whole.includes(measure) ? measure.value(sums).value : (values.get(measure.name) ?? null);
      return { sums, valueOf };
    },
  };
}

/** Counters, by how their keys begin, that only ever add whole numbers: weights of verdicts, and credits in millionths. */
const WHOLE_NUMBERS =
  /^(credit|hit|missed|spurious|excused-(gold|predicted)|attributes(-right)?|quotes(-found)?|verdicts|total):/;

/** Whether nothing but whole numbers goes into a measure, so that no order of adding can change a bit of it. */
export function isOfWholeNumbers({ counters, beside = [] }: Measure): boolean {
  return [...counters, ...beside].every((counter) => isCounter(counter) && WHOLE_NUMBERS.test(counter.key));
}

export type PairedCases = Readonly<ReturnType<typeof pairCases>>;

/**
 * The cases of several sets, brought together by their ids: those that all have and none failed on, and the others with
 * the places of the sets that lack them and of those that failed on them. `clustered` is the first set that says which
 * cases belong together, −1 where none does; `clusterOf` is what a case belongs to in that set.
 */
export function pairCases(sets: readonly Pick<CaseSet, 'cases'>[]) {
  const ids = new Set<string>();
  const leftOut: { readonly case: string; readonly lacking: number[]; readonly failed: number[] }[] = [];
  const places = [...sets.keys()];
  for (const id of new Set(sets.flatMap(({ cases }) => [...cases.keys()]))) {
    const lacking = places.filter((at) => !sets[at]!.cases.has(id));
    const failed = places.filter((at) => (sets[at]!.cases.get(id)?.failed ?? null) !== null);
    if (lacking.length === 0 && failed.length === 0) ids.add(id);
    else leftOut.push({ case: id, lacking, failed });
  }
  const clustered = sets.findIndex(({ cases }) => cases.values().some(({ cluster }) => (cluster ?? null) !== null));
  const clusterOf = (id: string): string | null => sets[clustered]?.cases.get(id)?.cluster ?? null;
  return { ids, leftOut, clustered, clusterOf };
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
export interface SetDifference extends Sureness {
  /** to − from; null where one of them has no value. */
  readonly difference: number | null;
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
  const isOfWhole = measure.byLabel && measure.meanOfCases !== true;
  const batches: UnitSums[][] =
    isOfWhole && distinct.every(({ units }) => isDeepStrictEqual(units, from.units))
      ? [[from, ...distinct].map((table) => ({ ...table, labels: [], columns: table.columns.slice(0, table.width) }))]
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

function differenceOf(
  from: UnitSums,
  to: UnitSums,
  measure: Measure,
  resampled: ResampledDifference | null,
): SetDifference {
  const valueIn = (table: UnitSums): number | null => measure.value(sumsAt(table, totals(table))).value;
  const [before, after] = [valueIn(from), valueIn(to)];
  const none = (noInterval: string): SetDifference => ({ difference: null, interval: null, noInterval, shown: false });
  if (before === null || after === null) return none('there is no difference');
  const difference = differenceBetween(before, after);
  if (resampled === null) return { ...none('there is one unit only: nothing to resample'), difference };
  const { interval, noInterval, standardError } = resampled;
  const shown = leavesOutZero({ interval, constant: standardError === 0, difference });
  return { difference, interval, noInterval, shown };
}
