import { UsageError } from '../../data/problems.ts';
import type { Plan } from '../../recipe/plan.ts';
import { alignTables } from '../../stats/align-tables.ts';
import type { Breathe } from '../../stats/resample.ts';
import { comparePaired, type PairedSettings } from '../../stats/paired-comparison.ts';
import { judged, thresholdOf } from '../compare-verdict.ts';
import type { PointTable } from './measure-points.ts';
import type { SweepDifference } from './result.ts';
import type { KnownCases, OnlyCases } from './tally-points.ts';

/** Cases that all systems have and none failed on, with what they belong to. */
export interface PairedCases {
  readonly ids: ReadonlySet<string>;
  readonly only: OnlyCases;
  /** Whether every system has exactly these, and says the same of what they belong to. */
  readonly all: boolean;
}

/** As `compare` pairs runs: by id, and clustered as the first system that clusters says. */
export function pairCases(systems: readonly KnownCases[]): PairedCases {
  const common = [...systems[0]!.keys()].filter((id) => systems.every((own) => own.has(id)));
  const ids = new Set(common.filter((id) => systems.every((own) => own.get(id)!.failed === null)));
  if (ids.size === 0)
    throw new UsageError(
      common.length === 0
        ? 'the systems have no case in common'
        : 'every case that the systems share failed in one of them',
      'cases are aligned by their id: give the answers of each system to the same cases',
    );
  const clustered = systems.find((own) => [...own.values()].some(({ cluster }) => cluster !== null));
  const clusterOf = (id: string): string | null => clustered?.get(id)?.cluster ?? null;
  const all = systems.every(
    (own) => own.size === ids.size && [...own].every(([id, { cluster }]) => cluster === clusterOf(id)),
  );
  return { ids, only: { has: (id) => ids.has(id), clusterOf }, all };
}

export interface TestedSystems {
  /** By point. */
  readonly differences: readonly (readonly SweepDifference[])[];
  readonly family: number;
  readonly tooFewSwaps: string | null;
}

/**
 * Every system beside the first, at every point, for the measures named. Points at which both count the same as at an
 * earlier one are the same test and are corrected for once.
 */
export async function systemDifferences(
  plans: readonly Plan[],
  systems: readonly (readonly PointTable[])[],
  names: readonly string[],
  settings: PairedSettings,
  breathe: Breathe,
): Promise<TestedSystems> {
  const [first, ...others] = systems;
  const rows = new Map<string, Parameters<typeof judged>[0][number]>();
  const keysAt = plans.map((): string[] => []);
  const work = others.flatMap((own, other) => plans.map((plan, at) => ({ own, system: other + 1, plan, at })));
  for (const [done, { own, system, plan, at }] of work.entries()) {
    const [from, to] = [first![at]!, own[at]!];
    const measures = plan.measures.filter(({ name }) => names.includes(name));
    const pair = `${system} ${from.number} ${to.number}`;
    const keys = measures.map(({ name }) => `${pair} ${name}`);
    keysAt[at]!.push(...keys);
    if (keys.every((key) => rows.has(key))) continue;
    const parts = measures.map((measure) => ({ measure, label: -1 }));
    const [a, b] = alignTables(from.table, to.table);
    const found = await comparePaired(a, b, parts, settings, (share) => breathe((done + share) / work.length));
    for (const [place, difference] of found.entries()) {
      const { name, direction, best } = measures[place]!;
      rows.set(keys[place]!, {
        name,
        slice: {},
        direction,
        ...(best === undefined ? {} : { best }),
        system,
        ...difference,
      });
    }
  }
  const all = judged([...rows.values()], settings.level);
  const byKey = new Map([...rows.keys()].map((key, at) => [key, withoutSlice(all[at]!)]));
  const tests = all.filter(({ adjusted }) => adjusted !== null).length;
  const resampled = all.some(({ permutation }) => permutation.method === 'resampled');
  return {
    differences: keysAt.map((keys) => keys.map((key) => byKey.get(key)!)),
    family: tests,
    tooFewSwaps: resampled ? tooFew(tests, settings) : null,
  };
}

function withoutSlice<Row extends { readonly slice: unknown }>({ slice: _, ...row }: Row): Omit<Row, 'slice'> {
  return row;
}

/** Random swaps give no p value below 1 / (1 + swaps); a large family then leaves no room for any difference. */
function tooFew(tests: number, { level, resamples }: PairedSettings): string | null {
  const least = tests / (1 + resamples);
  if (least < thresholdOf(level)) return null;
  return (
    `${resamples} random swaps are too few for ${tests} tests: no corrected p value can be below ` +
    `${Number(Math.min(1, least).toPrecision(3))}. Ask for ${Math.ceil(tests / thresholdOf(level))} resamples or more ` +
    '(--set interval.resamples=…), for fewer points or for fewer measures.'
  );
}
