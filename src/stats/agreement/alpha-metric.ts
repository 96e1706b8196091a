import type { Rating } from './rating.ts';
import type { Tallies } from './tallies.ts';

/** How far apart two ratings are. */
export type AlphaMetric = 'nominal' | 'ordinal' | 'interval' | 'ratio';

/** Observed and expected disagreement of items, each pattern occurring `times`, each category `totals` often. */
export interface Disagreements {
  of(times: Float64Array, totals: Float64Array): { readonly observed: number; readonly expected: number };
  /** What 1 of them is in the metric's own unit. */
  readonly unit: number;
}

/**
 * Do = 1/n Σ over items of the squared differences of its ordered pairs / (m − 1); De = 1 / (n (n − 1)) Σ nc nk δ²ck
 * over all pairs of categories, for n ratings, m of them in an item (Krippendorff 2011).
 */
export function disagreementsOf(metric: AlphaMetric, tallies: Tallies, categories: readonly Rating[]): Disagreements {
  switch (metric) {
    case 'nominal':
      return withinAndBetween(tallies, (a, b) => (a === b ? 0 : 1), nominalBetween);
    case 'ordinal':
      return ordinalDisagreements(tallies);
    case 'interval': {
      const { values, unit } = withinOne(categories);
      const distance = (a: number, b: number): number => (values[a]! - values[b]!) ** 2;
      return withinAndBetween(tallies, distance, (totals, n) => squaredBetween(totals, n, values), unit * unit);
    }
    case 'ratio': {
      const values = shareOfLargest(categories);
      return withinAndBetween(tallies, ratioDistance(values), (totals) => ratioBetween(totals, values));
    }
  }
}

/** Differences within an item do not change from one resample to the next: they are worked out once for each pattern. */
function withinAndBetween(
  { patterns, size, from, category, count }: Tallies,
  distance: (a: number, b: number) => number,
  between: (totals: Float64Array, n: number) => number,
  unit = 1,
): Disagreements {
  const within = Float64Array.from({ length: patterns }, (_, pattern) => {
    let sum = 0;
    for (let a = from[pattern]!; a < from[pattern + 1]!; a += 1)
      for (let b = a + 1; b < from[pattern + 1]!; b += 1)
        sum += 2 * count[a]! * count[b]! * distance(category[a]!, category[b]!);
    return sum / (size[pattern]! - 1);
  });
  return {
    unit,
    of(times, totals) {
      let observed = 0;
      for (let pattern = 0; pattern < patterns; pattern += 1) observed += times[pattern]! * within[pattern]!;
      const n = sumOf(totals);
      return { observed: observed / n, expected: between(totals, n) / (n * (n - 1)) };
    },
  };
}

function nominalBetween(totals: Float64Array, n: number): number {
  let same = 0;
  for (const total of totals) same += total * total;
  return n * n - same;
}

/** Σ nc nk (vc − vk)² = 2 n Σ nc (vc − mean)². From the mean, because squares of close values lose their difference. */
function squaredBetween(totals: Float64Array, n: number, values: Float64Array): number {
  let mean = 0;
  for (let code = 0; code < totals.length; code += 1) mean += (totals[code]! / n) * values[code]!;
  let sum = 0;
  for (let code = 0; code < totals.length; code += 1) sum += totals[code]! * (values[code]! - mean) ** 2;
  return 2 * n * sum;
}

function ratioDistance(values: Float64Array): (a: number, b: number) => number {
  return (a, b) => ((values[a]! - values[b]!) / (values[a]! + values[b]!)) ** 2;
}

function ratioBetween(totals: Float64Array, values: Float64Array): number {
  const used: number[] = [];
  for (let code = 0; code < totals.length; code += 1) if (totals[code]! > 0) used.push(code);
  let sum = 0;
  for (let i = 0; i < used.length; i += 1) {
    const a = values[used[i]!]!;
    let own = 0;
    for (let j = i + 1; j < used.length; j += 1) {
      const b = values[used[j]!]!;
      const apart = (a - b) / (a + b);
      own += totals[used[j]!]! * apart * apart;
    }
    sum += totals[used[i]!]! * own;
  }
  return 2 * sum;
}

/**
 * δck = Σ from c to k of ng − (nc + nk) / 2 is the difference of the two categories' middle ranks, so ordinal
 * disagreement is interval disagreement of the ranks, which change with every resample.
 */
function ordinalDisagreements({ patterns, size, from, category, count }: Tallies): Disagreements {
  let ranks = new Float64Array(0);
  return {
    unit: 1,
    of(times, totals) {
      if (ranks.length !== totals.length) ranks = new Float64Array(totals.length);
      const n = sumOf(totals);
      let below = 0;
      for (let code = 0; code < totals.length; code += 1) {
        ranks[code] = below + totals[code]! / 2;
        below += totals[code]!;
      }
      let observed = 0;
      for (let pattern = 0; pattern < patterns; pattern += 1) {
        if (times[pattern] === 0) continue;
        const m = size[pattern]!;
        let sum = 0;
        let squares = 0;
        for (let at = from[pattern]!; at < from[pattern + 1]!; at += 1) {
          const rank = ranks[category[at]!]!;
          sum += count[at]! * rank;
          squares += count[at]! * rank * rank;
        }
        // Ranks are halves of whole numbers, so this difference is exact.
        observed += (times[pattern]! * 2 * (m * squares - sum * sum)) / (m - 1);
      }
      return { observed: observed / n, expected: squaredBetween(totals, n, ranks) / (n * (n - 1)) };
    },
  };
}

/** Values from −1 to 1 and what 1 stands for: the square of a huge number would be no number any more. */
function withinOne(categories: readonly Rating[]): { readonly values: Float64Array; readonly unit: number } {
  const values = Float64Array.from(categories, Number);
  const least = values.reduce((low, value) => Math.min(low, value), Infinity);
  const most = values.reduce((high, value) => Math.max(high, value), -Infinity);
  const middle = least / 2 + most / 2;
  const unit = most / 2 - least / 2;
  return { values: values.map((value) => (unit === 0 ? 0 : (value - middle) / unit)), unit };
}

/** Ratios stay the same, and no sum of two values is too large. */
function shareOfLargest(categories: readonly Rating[]): Float64Array {
  const values = Float64Array.from(categories, Number);
  const most = values.reduce((high, value) => Math.max(high, value), 0);
  return values.map((value) => (most === 0 ? 0 : value / most));
}

function sumOf(totals: Float64Array): number {
  let sum = 0;
  for (const total of totals) sum += total;
  return sum;
}
