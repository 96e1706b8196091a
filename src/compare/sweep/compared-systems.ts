import type { Plan } from '../../recipe/plan.ts';
import type { Breathe } from '../../stats/resample.ts';
import { flipsOf } from './flips.ts';
import { type PointTable, tablesOf } from './measure-points.ts';
import type { SweepSystem } from './options.ts';
import type { PlannedSweep } from './points.ts';
import type { Sweep, SweepDifference } from './result.ts';
import { pairedSettings } from './settings.ts';
import { pairCases, systemDifferences } from './system-differences.ts';
import { type TalliedSystem, tallyPoints } from './tally-points.ts';

export interface ComparedSystems extends Pick<Sweep, 'tests' | 'flips' | 'notices'> {
  readonly differences: readonly (readonly SweepDifference[])[];
}

export const NOT_COMPARED: ComparedSystems = { tests: null, flips: [], notices: [], differences: [] };

interface ToCompare {
  readonly planned: PlannedSweep;
  readonly plans: readonly Plan[];
  readonly given: readonly SweepSystem[];
  readonly tallied: readonly TalliedSystem[];
  readonly tables: readonly (readonly PointTable[])[];
  readonly candidates: readonly string[];
  readonly tested: readonly string[];
  readonly breathe: Breathe;
}

/** Every system beside the first over the cases that all of them have: the rest is added up in no difference. */
export async function comparedSystems(toCompare: ToCompare): Promise<ComparedSystems> {
  const { planned, plans, given, tallied, tables, candidates, tested, breathe } = toCompare;
  const { axes, points, base } = planned;
  const byKnown = new Map<unknown, ReturnType<typeof pairCases>>();
  const paired = plans.map((_, at) => {
    const [first, ...rest] = tallied.map(({ known }) => known[at]!);
    let found = byKnown.get(first);
    if (found === undefined) byKnown.set(first, (found = pairCases([first!, ...rest])));
    return found;
  });
  const leftOut = paired.some(({ all }) => !all);
  const common: (readonly PointTable[])[] = [];
  if (leftOut)
    for (const { sources } of given) {
      const { tallies } = await tallyPoints(plans, candidates, sources, (at) => paired[at]!.only);
      common.push(tablesOf(plans, tallies));
    }
  const settings = pairedSettings(base.interval);
  const own = (leftOut ? common : tables).map((system) => system.slice(0, points.length));
  const { differences, family, tooFewSwaps } = await systemDifferences(
    points.map(({ plan }) => plan),
    own,
    tested,
    settings,
    breathe,
  );
  const { level, resamples, seed } = settings;
  const sizes = points.map((_, at) => paired[at]!.ids.size);
  return {
    differences,
    flips: flipsOf(axes, differences),
    tests: { level, resamples, seed, family, measures: tested, paired: sizes },
    notices: [...(leftOut ? [leftOutNotice(sizes)] : []), ...(tooFewSwaps === null ? [] : [tooFewSwaps])],
  };
}

function leftOutNotice(sizes: readonly number[]): string {
  const [least, most] = [Math.min(...sizes), Math.max(...sizes)];
  const number = least === most ? String(least) : `${least} to ${most}`;
  return `Differences are over the ${number} cases that all systems have and none failed on; the values of a system are over all of its own.`;
}
