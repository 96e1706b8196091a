import type { CodedRatings } from './code-ratings.ts';

/**
 * Items by how often they got each category, who gave it forgotten. Items that got the same are one pattern, so that a
 * resample of a thousand items is a count over a few dozen patterns. Patterns stand in an order of their own: the order
 * of the items and of the raters never shows in a result.
 */
export interface Tallies {
  readonly patterns: number;
  /** How many items have each pattern. */
  readonly times: Float64Array;
  /** How many ratings an item of each pattern has. */
  readonly size: Float64Array;
  /** Pattern p has the categories `category[from[p]]` up to `category[from[p + 1] - 1]`, each `count` times. */
  readonly from: Int32Array;
  readonly category: Int32Array;
  readonly count: Float64Array;
  /** The pattern of each item; −1 for one that was left out. */
  readonly patternOf: Int32Array;
  /** How many items are in the patterns, and how many were left out. */
  readonly n: number;
  readonly left: number;
}

/** Tallies of the items whose number of ratings is wanted. */
export function tallyItems({ codes, items, raters }: CodedRatings, wanted: (ratings: number) => boolean): Tallies {
  const groups = new Map<string, { codes: number[]; times: number; items: number[] }>();
  const patternOf = new Int32Array(items).fill(-1);
  let n = 0;
  for (let item = 0; item < items; item += 1) {
    const own: number[] = [];
    for (let at = item * raters; at < (item + 1) * raters; at += 1) if (codes[at]! >= 0) own.push(codes[at]!);
    if (!wanted(own.length)) continue;
    n += 1;
    own.sort((a, b) => a - b);
    const key = own.join();
    const group = groups.get(key);
    if (group === undefined) groups.set(key, { codes: own, times: 1, items: [item] });
    else {
      group.times += 1;
      group.items.push(item);
    }
  }
  const sorted = [...groups.values()].sort((a, b) => compareCodes(a.codes, b.codes));
  const from = new Int32Array(sorted.length + 1);
  const category: number[] = [];
  const count: number[] = [];
  sorted.forEach(({ codes: own, items: same }, pattern) => {
    for (const item of same) patternOf[item] = pattern;
    own.forEach((code, at) => {
      if (at > 0 && own[at - 1] === code) count[count.length - 1]! += 1;
      else {
        category.push(code);
        count.push(1);
      }
    });
    from[pattern + 1] = category.length;
  });
  return {
    patterns: sorted.length,
    times: Float64Array.from(sorted, ({ times }) => times),
    size: Float64Array.from(sorted, ({ codes: own }) => own.length),
    from,
    category: Int32Array.from(category),
    count: Float64Array.from(count),
    patternOf,
    n,
    left: items - n,
  };
}

/** The share of pairs of ratings that agree, within an item of each pattern: Σ c (c − 1) / (m (m − 1)). */
export function agreeingPairs({ patterns, size, from, count }: Tallies): Float64Array {
  return Float64Array.from({ length: patterns }, (_, pattern) => {
    const m = size[pattern]!;
    let pairs = 0;
    for (let at = from[pattern]!; at < from[pattern + 1]!; at += 1) pairs += count[at]! * (count[at]! - 1);
    return m < 2 ? 0 : pairs / (m * (m - 1));
  });
}

/** How often each category was given, `times` being how often each pattern occurs. */
export function categoryTotals(tallies: Tallies, times: Float64Array, into: Float64Array): Float64Array {
  const { patterns, from, category, count } = tallies;
  into.fill(0);
  for (let pattern = 0; pattern < patterns; pattern += 1) {
    const weight = times[pattern]!;
    if (weight === 0) continue;
    for (let at = from[pattern]!; at < from[pattern + 1]!; at += 1) into[category[at]!]! += weight * count[at]!;
  }
  return into;
}

function compareCodes(a: readonly number[], b: readonly number[]): number {
  const shared = Math.min(a.length, b.length);
  for (let at = 0; at < shared; at += 1) if (a[at] !== b[at]) return a[at]! - b[at]!;
  return a.length - b.length;
}
