import { boundsOf, keepsToBound, type ReachPool } from './constraints.ts';
import type { SweepPolicy } from './policies.ts';
import { type ObjectiveName, type ScoreReader, POLICY_SCORES } from './scores.ts';
import type { SweepGrid } from './sweep-grid.ts';

/** What the choice is made from. */
export interface Candidates {
  readonly grid: SweepGrid;
  readonly policies: readonly SweepPolicy[];
  readonly reader: ScoreReader;
  readonly pool: ReachPool;
  /** By policy: the place of the first one that does the same everywhere. */
  readonly alike: Int32Array;
}

/** A policy that keeps to every constraint, with its objectives turned so that lower is better. */
export interface Survivor {
  readonly place: number;
  readonly point: readonly number[];
}

/** The policies that keep to every constraint and have a value in every objective, each case counted `times` times. */
export function survivorsOf({ grid, policies, reader, pool, alike }: Candidates, times: Float64Array): Survivor[] {
  const bounds = boundsOf(grid, pool, times);
  const { objectives } = grid.selection;
  const points: (readonly number[] | null)[] = [];
  const survivors: Survivor[] = [];
  for (const [place, policy] of policies.entries()) {
    const first = alike[place]!;
    if (first === place) {
      const keeps = bounds.every((bound) => keepsToBound(bound, policy, reader.score(bound.score, place, times)));
      points[place] = keeps ? objectives.map((name) => turned(name, reader.score(name, place, times))) : null;
      if (points[place]?.some(Number.isNaN) === true) points[place] = null;
    } else points[place] = points[first]!;
    const point = points[place] ?? null;
    if (point !== null) survivors.push({ place, point });
  }
  return survivors;
}

/** So that lower is better; turns a turned value back, too. */
export function turned(name: ObjectiveName, value: number): number {
  return POLICY_SCORES[name].better === 'higher' ? -value : value;
}

export function leastSpreads({ selection }: SweepGrid): number[] {
  return selection.objectives.map((name) => {
    const { unit } = POLICY_SCORES[name];
    return unit === 'cases' ? 0 : selection.least_spread[unit];
  });
}
