import { UsageError } from '../../data/problems.ts';
import type { ResampleSettings } from '../resample-settings.ts';
import { type NotedSureness, surenessOf } from './sureness.ts';

/**
 * The interval of a value from resamples of clusters: whatever belongs together (the claims of an answer) is drawn together,
 * since to draw its items one by one would make the interval too narrow. Clusters of which no item is used are not drawn.
 */
export function clusteredSureness(
  clusters: readonly number[],
  patternOf: Int32Array,
  patterns: number,
  value: number | null,
  settings: ResampleSettings,
  valueOf: (times: Float64Array) => number | null,
): NotedSureness {
  if (clusters.length !== patternOf.length)
    throw new UsageError(`clusters: expected one for each of the ${patternOf.length} items, found ${clusters.length}`);
  const members = new Map<number, number[]>();
  for (const [item, cluster] of clusters.entries()) {
    const pattern = patternOf[item]!;
    if (pattern < 0) continue;
    const own = members.get(cluster);
    if (own === undefined) members.set(cluster, [pattern]);
    else own.push(pattern);
  }
  // By their content, so that the order of the items never shows in an interval.
  const lists = [...members.values()].map((own) => Int32Array.from(own).sort()).sort(compareLists);
  const times = new Float64Array(patterns);
  const ones = new Float64Array(lists.length).fill(1);
  const drawnValue = (drawn: Float64Array): number | null => {
    times.fill(0);
    for (const [cluster, own] of lists.entries())
      if (drawn[cluster]! > 0) for (const pattern of own) times[pattern]! += drawn[cluster]!;
    return valueOf(times);
  };
  return surenessOf(ones, value, settings, drawnValue, 'cluster');
}

function compareLists(a: Int32Array, b: Int32Array): number {
  for (let at = 0; at < Math.min(a.length, b.length); at += 1) if (a[at] !== b[at]) return a[at]! - b[at]!;
  return a.length - b.length;
}
