import { improvement } from '../../measure/measure.ts';
import type { UnitSums } from '../../measure/unit-sums.ts';
import type { Plan } from '../../recipe/plan.ts';
import { alignTables } from '../../stats/align-tables.ts';
import { comparePaired, type PairedSettings } from '../../stats/paired-comparison.ts';
import type { Breathe } from '../../stats/resample.ts';
import { aboutMeasure, judgedFamily, pairedSettings } from '../compare-verdict.ts';
import { expectPairs, pairCases, type PairedCases } from '../paired-sets.ts';
import { objectNumbers } from '../variants/score-variants.ts';
import type { PlannedSweep } from './points.ts';
import type { Sweep, SweepAxis, SweepDifference, SweepFlips, SweepStretch, SweepSystem } from './result.ts';
import { type SystemSums, sumSystem } from './system-sums.ts';

export interface ComparedSystems extends Pick<Sweep, 'tests' | 'flips' | 'notices'> {
  /** By point. */
  readonly differences: readonly (readonly SweepDifference[])[];
}

export const NOT_COMPARED: ComparedSystems = { tests: null, flips: [], notices: [], differences: [] };

interface ToCompare {
  readonly planned: PlannedSweep;
  readonly plans: readonly Plan[];
  readonly given: readonly SweepSystem[];
  readonly sums: readonly SystemSums[];
  readonly candidates: readonly string[];
  readonly tested: readonly string[];
  readonly breathe: Breathe;
}

/** Every system beside the first over the cases that all of them have: the rest is added up in no difference. */
export async function comparedSystems(toCompare: ToCompare): Promise<ComparedSystems> {
  const { planned, plans, given, sums, candidates, tested, breathe } = toCompare;
  const { axes, points, base } = planned;
  const byKnown = new Map<unknown, PairedCases>();
  const paired = plans.map((_, at) => {
    const sets = sums.map(({ known }) => known[at]!);
    const found = byKnown.get(sets[0]) ?? pairCases(sets);
    byKnown.set(sets[0], found);
    expectPairs(found, 'systems', 'give the answers of each system to the same cases');
    return found;
  });
  const leftOut = paired.some(({ leftOut: out, clusterOf }, at) => {
    const isElsewhere = sums.some(({ known }) =>
      known[at]!.entries().some(([id, { cluster }]) => (cluster ?? null) !== clusterOf(id)),
    );
    return out.length > 0 || isElsewhere;
  });
  const systems: (readonly UnitSums[])[] = [];
  for (const [at, { sources }] of given.entries())
    systems.push((leftOut ? await sumSystem(plans, candidates, sources, (plan) => paired[plan]!) : sums[at]!).tables);
  const settings = pairedSettings(base.interval);
  const compared = await differencesAt(
    points.map(({ plan }) => plan),
    systems,
    tested,
    settings,
    breathe,
  );
  const { level, resamples, seed } = settings;
  const sizes = points.map((_, at) => paired[at]!.ids.size);
  return {
    differences: compared.differences,
    flips: flipsOf(axes, compared.differences),
    tests: { level, resamples, seed, family: compared.family, measures: tested, paired: sizes },
    notices: [...(leftOut ? [leftOutNotice(sizes)] : []), ...compared.notices],
  };
}

function leftOutNotice(sizes: readonly number[]): string {
  const [least, most] = [Math.min(...sizes), Math.max(...sizes)];
  const number = least === most ? String(least) : `${least} to ${most}`;
  return `Differences are over the ${number} cases that all systems have and none failed on; the values of a system are over all of its own.`;
}

/**
 * Every system beside the first, at every point, for the measures named. Points at which both count the same as at an
 * earlier one are the same test and are corrected for once.
 */
async function differencesAt(
  plans: readonly Plan[],
  systems: readonly (readonly UnitSums[])[],
  names: readonly string[],
  settings: PairedSettings,
  breathe: Breathe,
): Promise<{ differences: SweepDifference[][]; family: number; notices: string[] }> {
  const [first, ...others] = systems;
  const numberOf = objectNumbers();
  const rows = new Map<string, Parameters<typeof judgedFamily>[0][number]>();
  const keysAt = plans.map((): string[] => []);
  const work = others.flatMap((own, other) => plans.map((plan, at) => ({ own, system: other + 1, plan, at })));
  for (const [done, { own, system, plan, at }] of work.entries()) {
    const [from, to] = [first![at]!, own[at]!];
    const measures = plan.measures.filter(({ name }) => names.includes(name));
    const keys = measures.map(({ name }) => `${system} ${numberOf(from)} ${numberOf(to)} ${name}`);
    keysAt[at]!.push(...keys);
    if (keys.every((key) => rows.has(key))) continue;
    const parts = measures.map((measure) => ({ measure, label: -1 }));
    const [a, b] = alignTables(from, to);
    const found = await comparePaired(a, b, parts, settings, (share) => breathe((done + share) / work.length));
    for (const [place, difference] of found.entries())
      rows.set(keys[place]!, { ...aboutMeasure(measures[place]!), slice: {}, system, ...difference });
  }
  const instead = ' (--set interval.resamples=…), for fewer points or for fewer measures';
  const { rows: all, tests, notices } = judgedFamily([...rows.values()], settings, instead);
  const byKey = new Map([...rows.keys()].map((key, at) => [key, withoutSlice(all[at]!)]));
  return { differences: keysAt.map((keys) => keys.map((key) => byKey.get(key)!)), family: tests, notices };
}

function withoutSlice<Row extends { readonly slice: unknown }>({ slice: _, ...row }: Row): Omit<Row, 'slice'> {
  return row;
}

/** Where along the first axis a conclusion between two systems changes, for each value of the second. */
function flipsOf(axes: readonly SweepAxis[], differences: readonly (readonly SweepDifference[])[]): SweepFlips[] {
  const along = axes[0]!.texts.length;
  const rows = axes[1]?.texts.length ?? 1;
  const pairs = new Map(differences.flat().map((one) => [`${one.system} ${one.name}`, one]));
  return [...pairs.values()].flatMap(({ system, name }) =>
    Array.from({ length: rows }, (_, row): SweepFlips => {
      const line = Array.from({ length: along }, (__, at) =>
        differences[row * along + at]!.find((one) => one.system === system && one.name === name),
      );
      return {
        system,
        measure: name,
        row: axes.length === 1 ? null : row,
        stretches: stretchesOf(line),
        turns: turnsOf(line),
      };
    }),
  );
}

type Line = readonly (SweepDifference | undefined)[];

function stretchesOf(line: Line): SweepStretch[] {
  const found: SweepStretch[] = [];
  for (const [at, difference] of line.entries()) {
    const verdict = difference?.verdict ?? 'too little data';
    const last = found.at(-1);
    if (last?.verdict === verdict) found[found.length - 1] = { ...last, to: at };
    else found.push({ verdict, from: at, to: at });
  }
  return found;
}

/** Between the last point where the one is ahead and the next where the other is; a tie is neither. */
function turnsOf(line: Line): SweepFlips['turns'] {
  const turns: { after: number; before: number; to: 'first' | 'other' }[] = [];
  let last: { at: number; sign: number } | null = null;
  for (const [at, one] of line.entries()) {
    if (one === undefined || one.difference === null || one.difference === 0) continue;
    const sign = improvement(one, one.baseline ?? 0, one.other ?? 0);
    if (sign === 0) continue;
    if (last !== null && last.sign !== sign)
      turns.push({ after: last.at, before: at, to: sign > 0 ? 'other' : 'first' });
    last = { at, sign };
  }
  return turns;
}
