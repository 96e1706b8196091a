import type { CodedRatings } from './rating.ts';

/**
 * Items that got the same are one pattern, so that a resample of a thousand items is a count over a few dozen patterns.
 * Patterns have their own order: the order of the items never shows in a result. `rows`: what an item of each
 * pattern got; `times`: how many items have it.
 */
export interface Patterns {
  readonly rows: readonly (readonly number[])[];
  readonly times: Float64Array;
  /** The pattern of each item; −1 for one that was left out. */
  readonly patternOf: Int32Array;
}

/** Puts equal lists together; null is left out. */
export function groupPatterns(items: readonly (readonly number[] | null)[]): Patterns {
  const groups = Map.groupBy(items.keys(), (item) => items[item]?.join() ?? null);
  groups.delete(null);
  const sorted = [...groups.values()].sort((a, b) => compareLists(items[a[0]!]!, items[b[0]!]!));
  const patternOf = new Int32Array(items.length).fill(-1);
  for (const [pattern, own] of sorted.entries()) for (const item of own) patternOf[item] = pattern;
  return {
    rows: sorted.map((own) => items[own[0]!]!),
    times: Float64Array.from(sorted, (own) => own.length),
    patternOf,
  };
}

/** Items by how often they got each category, who gave it forgotten: neither does the order of the raters show. */
export type Tallies = ReturnType<typeof tallyItems>;

/** Tallies of the items whose number of ratings is wanted. */
export function tallyItems({ codes }: CodedRatings, wanted: (ratings: number) => boolean) {
  const patterns = groupPatterns(
    codes.map((row) => {
      const own = row.filter((code) => code >= 0).sort((a, b) => a - b);
      return wanted(own.length) ? own : null;
    }),
  );
  const { rows, times } = patterns;
  const counts = rows.map((row) => [...Map.groupBy(row, (code) => code)]);
  const from = new Int32Array(rows.length + 1);
  for (const [pattern, own] of counts.entries()) from[pattern + 1] = from[pattern]! + own.length;
  const n = sumOf(times);
  return {
    ...patterns,
    /** How many ratings an item of each pattern has. */
    size: Float64Array.from(rows, (row) => row.length),
    /** Pattern p has the categories `category[from[p]]` up to `category[from[p + 1] - 1]`, each `count` times. */
    from,
    category: Int32Array.from(counts.flat(), ([code]) => code),
    count: Float64Array.from(counts.flat(), ([, same]) => same.length),
    n,
    left: codes.length - n,
  };
}

/** How often each category was given, each pattern occurring `times`; with `perItem` each item counts 1 in all. */
export function categoryTotals(
  tallies: Tallies,
  times: Float64Array,
  into: Float64Array,
  perItem = false,
): Float64Array {
  const { size, from, category, count } = tallies;
  into.fill(0);
  for (let pattern = 0; pattern < size.length; pattern += 1) {
    const weight = times[pattern]!;
    if (weight === 0) continue;
    const below = perItem ? size[pattern]! : 1;
    for (let at = from[pattern]!; at < from[pattern + 1]!; at += 1)
      into[category[at]!]! += (weight * count[at]!) / below;
  }
  return into;
}

/** How many categories were given at all. */
export function usedCategories(totals: Float64Array): number {
  return totals.reduce((used, count) => (count > 0 ? used + 1 : used), 0);
}

export function sumOf(values: Float64Array): number {
  let sum = 0;
  for (const value of values) sum += value;
  return sum;
}

/** By the first number that differs; of two that begin alike the shorter comes first. */
export function compareLists(a: ArrayLike<number>, b: ArrayLike<number>): number {
  for (let at = 0; at < Math.min(a.length, b.length); at += 1) if (a[at] !== b[at]) return a[at]! - b[at]!;
  return a.length - b.length;
}
