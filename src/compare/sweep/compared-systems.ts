import { improvement } from '../../measure/measure.ts';
import type { UnitSums } from '../../measure/unit-sums.ts';
import type { Plan } from '../../recipe/plan.ts';
import { alignTables } from '../../stats/align-tables.ts';
import { comparePaired, type PairedSettings } from '../../stats/paired-comparison.ts';
import type { Breathe } from '../../stats/resample.ts';
import { aboutMeasure, judgedFamily, pairedSettings, swapsFor } from '../compare-verdict.ts';
import type { ComparisonVerdict, MeasureComparison } from '../comparison.ts';
import { expectPairs, pairCases, type PairedCases } from '../paired-sets.ts';
import { objectNumbers } from '../variants/score-variants.ts';
import type { SweepAxis } from './axes.ts';
import type { PlannedSweep } from './points.ts';
import { measuresIn, type SystemSums } from './system-sums.ts';

/** A system beside the first, as `compare` puts it; the correction goes over all tests of the sweep. */
export type SweepDifference = Omit<MeasureComparison, 'slice' | 'family' | 'sameAs'>;

/** Every system beside the first over the cases that all of them have: the rest is added up in no difference. */
export async function comparedSystems(
  { axes, points, base }: PlannedSweep,
  systems: readonly SystemSums[],
  tested: readonly string[],
  breathe: Breathe,
) {
  if (systems.length < 2) return { tests: null, flips: [], notices: [], differences: [] };
  const paired: PairedCases[] = [];
  let isPart = false;
  const first = systems[0]!.sets;
  for (const places of Map.groupBy(first.keys(), (at) => first[at]!.cases).values()) {
    const sets = systems.map((system) => system.sets[places[0]!]!);
    const found = pairCases(sets);
    expectPairs(found, 'systems', 'give the answers of each system to the same cases');
    const isElsewhere = sets.some(({ cases }) =>
      cases.entries().some(([id, { cluster }]) => (cluster ?? null) !== found.clusterOf(id)),
    );
    isPart ||= found.leftOut.length > 0 || isElsewhere;
    for (const at of places) paired[at] = found;
  }
  const tables = systems.map((system) => system.tables(paired));
  const settings = pairedSettings(base.interval);
  const plans = points.map(({ plan }) => plan);
  const { differences, family, swaps } = await differencesAt(plans, tables, tested, settings, breathe);
  const { level, resamples, seed } = settings;
  const sizes = plans.map((_, at) => paired[at]!.ids.size);
  const ends = [...new Set([Math.min(...sizes), Math.max(...sizes)])].join(' to ');
  const partNotice = `Differences are over the ${ends} cases that all systems have and none failed on; the values of a system are over all its cases.`;
  return {
    differences,
    flips: flipsOf(axes, differences),
    /** `family`: tests that Holm's correction went over, points where nothing changes being one; `swaps`: of each. */
    tests: { level, resamples, swaps, seed, family, measures: tested, paired: sizes },
    notices: isPart ? [partNotice] : [],
  };
}

/**
 * Every system beside the first, at every point, for the measures named. Points at which both count the same as at an
 * earlier one are the same test and are corrected for once.
 */
async function differencesAt(
  plans: readonly Plan[],
  [first, ...others]: readonly (readonly UnitSums[])[],
  names: readonly string[],
  settings: PairedSettings,
  breathe: Breathe,
): Promise<{ differences: SweepDifference[][]; family: number; swaps: number }> {
  const numberOf = objectNumbers();
  const rows = new Map<string, Omit<SweepDifference, 'adjusted' | 'verdict' | 'needed'>>();
  const keysAt = plans.map((): string[] => []);
  const work = others.flatMap((own, other) =>
    plans.map((plan, at) => {
      const [from, to, system, measures] = [first![at]!, own[at]!, other + 1, measuresIn(plan, names)];
      const keys = measures.map(({ name }) => `${system} ${numberOf(from)} ${numberOf(to)} ${name}`);
      keysAt[at]!.push(...keys);
      return { from, to, system, measures, keys };
    }),
  );
  const swaps = swapsFor(new Set(keysAt.flat()).size, settings);
  for (const [done, { from, to, system, measures, keys }] of work.entries()) {
    if (keys.every((key) => rows.has(key))) continue;
    const parts = measures.map((measure) => ({ measure, label: -1, swaps }));
    const found = await comparePaired(...alignTables(from, to), parts, settings, (share) =>
      breathe((done + share) / work.length),
    );
    for (const [place, difference] of found.entries())
      rows.set(keys[place]!, { ...aboutMeasure(measures[place]!), system, ...difference });
  }
  const { rows: all, tests } = judgedFamily([...rows.values()], settings);
  const byKey = new Map(rows.keys().map((key, at) => [key, all[at]!]));
  return { differences: keysAt.map((keys) => keys.map((key) => byKey.get(key)!)), family: tests, swaps };
}

export type SweepFlips = ReturnType<typeof flipsOf>[number];

/** The places on the first axis at which a conclusion between two systems changes, for each value of the second. */
function flipsOf([first, second]: readonly SweepAxis[], differences: readonly (readonly SweepDifference[])[]) {
  const along = first!.texts.length;
  const pairs = Map.groupBy(differences.flat(), ({ system, name }) => `${system} ${name}`);
  return [...pairs.values()].flatMap(([pair]) =>
    Array.from({ length: second?.texts.length ?? 1 }, (_, row) => {
      const { system, name: measure } = pair!;
      const line = differences
        .slice(row * along, (row + 1) * along)
        .map((point) => point.find((one) => one.system === system && one.name === measure));
      const place = second === undefined ? null : row;
      return { system, measure, row: place, stretches: stretchesOf(line), turns: turnsOf(line) };
    }),
  );
}

type Line = readonly (SweepDifference | undefined)[];
/** Neighbouring points with the same verdict: places on the first axis. */
export type SweepStretch = { verdict: ComparisonVerdict; from: number; to: number };

function stretchesOf(line: Line): SweepStretch[] {
  const found: SweepStretch[] = [];
  for (const [at, difference] of line.entries()) {
    const verdict = difference?.verdict ?? 'too little data';
    const last = found.at(-1);
    if (last?.verdict === verdict) last.to = at;
    else found.push({ verdict, from: at, to: at });
  }
  return found;
}

/** Between the last point where the one is ahead and the next where the other is, `to`; a tie is neither. */
function turnsOf(line: Line): { after: number; before: number; to: 'first' | 'other' }[] {
  const ahead = line.flatMap((one, at) => {
    const sign =
      one === undefined || (one.difference ?? 0) === 0 ? 0 : improvement(one, one.baseline ?? 0, one.other ?? 0);
    return sign === 0 ? [] : [{ at, sign }];
  });
  return ahead.flatMap(({ at, sign }, place) => {
    const last = ahead[place - 1] ?? { at, sign };
    return last.sign === sign ? [] : [{ after: last.at, before: at, to: sign > 0 ? 'other' : 'first' }];
  });
}
