import { percentile } from '../../stats.ts';
import { boundsOf, keepsToBound, type ReachPool } from './constraints.ts';
import type { SweepPolicy } from './policies.ts';
import { type ObjectiveName, POLICY_SCORES, type ScoreReader } from './scores.ts';
import type { SweepGrid } from './sweep-grid.ts';

/** With fewer policies than this, percentiles say nothing that the smallest and largest do not. */
const FEW = 5;

export interface ObjectiveRange {
  readonly low: number;
  readonly high: number;
  readonly by: 'p05 to p95' | 'smallest to largest';
  /** False if policies hardly differ in it: then it has no say. */
  readonly used: boolean;
}

export interface Choice {
  /** Place of the chosen one among the points. */
  readonly chosen: number;
  readonly ranges: readonly ObjectiveRange[];
  /** Of every point, from the ideal corner: 0 is best, 1 is worst in everything. */
  readonly distances: Float64Array;
}

/**
 * Chooses the point closest to the ideal corner. Each objective (lower is better) is put on a scale from 0, the p05 of
 * all points, to 1, their p95, and cut off there; the distance is the root of the mean square. Of equally close points
 * the first objective decides, then the second, and so on, then the order of the points. So what is chosen is always on
 * the Pareto front. `leastSpread` is the least width of a range, by objective, for it to have a say.
 */
export function choosePolicy(points: readonly ArrayLike<number>[], leastSpread: readonly number[]): Choice {
  const ranges = leastSpread.map((least, objective) => rangeOf(points, objective, least));
  const distances = Float64Array.from(points, (point) => distanceOf(point, ranges));
  let chosen = 0;
  for (let at = 1; at < points.length; at += 1) {
    const difference = distances[at]! - distances[chosen]!;
    if (difference < 0 || (difference === 0 && comparePoints(points[at]!, points[chosen]!) < 0)) chosen = at;
  }
  return { chosen, ranges, distances };
}

function rangeOf(points: readonly ArrayLike<number>[], objective: number, least: number): ObjectiveRange {
  const sorted = Float64Array.from(points, (point) => point[objective]!).sort();
  const few = sorted.length < FEW;
  const low = few ? sorted[0]! : percentile(sorted, 0.05);
  const high = few ? sorted.at(-1)! : percentile(sorted, 0.95);
  const used = high - low >= least && high > low;
  return { low, high, by: few ? 'smallest to largest' : 'p05 to p95', used };
}

function distanceOf(point: ArrayLike<number>, ranges: readonly ObjectiveRange[]): number {
  let squares = 0;
  let used = 0;
  for (const [at, range] of ranges.entries()) {
    if (!range.used) continue;
    const off = Math.min(1, Math.max(0, (point[at]! - range.low) / (range.high - range.low)));
    squares += off * off;
    used += 1;
  }
  return used === 0 ? 0 : Math.sqrt(squares / used);
}

/**
 * Whether a is at least as good as b in every objective and better in one. Lower is better.
 *
 * @example dominates([1, 5], [1, 6]) // true
 */
export function dominates(a: ArrayLike<number>, b: ArrayLike<number>): boolean {
  let better = false;
  for (let at = 0; at < a.length; at += 1) {
    if (a[at]! > b[at]!) return false;
    if (a[at]! < b[at]!) better = true;
  }
  return better;
}

/**
 * Places of the points that no other point dominates, in their order (Pareto 1906). Lower is better in every objective;
 * of equal points, all are on the front.
 */
export function paretoFront(points: readonly ArrayLike<number>[]): number[] {
  // In this order a point can only be dominated by one before it, so one pass over the front so far suffices.
  const order = points.map((_, at) => at).sort((a, b) => comparePoints(points[a]!, points[b]!) || a - b);
  const front: number[] = [];
  for (const place of order) {
    const point = points[place]!;
    if (!front.some((other) => dominates(points[other]!, point))) front.push(place);
  }
  return front.sort((a, b) => a - b);
}

function comparePoints(a: ArrayLike<number>, b: ArrayLike<number>): number {
  for (let at = 0; at < a.length; at += 1) if (a[at] !== b[at]) return a[at]! - b[at]!;
  return 0;
}

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
