import { resampleSettings } from '../resample-settings.ts';
import { type Agreement, agreementOf, type AgreementOptions, SINGLE_CATEGORY, type Point } from './agreement.ts';
import { kappaParadox } from './pair-agreement.ts';
import { codeRatings, type Rating, type Ratings } from './rating.ts';
import { categoryTotals, sumOf, type Tallies, tallyItems, usedCategories } from './tallies.ts';

/** How far apart two ratings are. */
export type AlphaMetric = 'nominal' | 'ordinal' | 'interval' | 'ratio';

/** Expected disagreement by ratio compares every two values in every resample: from here on it would take minutes. */
const MOST_COMPARISONS = 2e10;

/**
 * α = 1 − Do / De, with Do the mean squared difference between the ratings of one item, De that between all ratings put
 * into one bag; higher is better, 1 is complete, 0 is chance. Any number of raters, gaps allowed: items with fewer than
 * two ratings leave. The metric sets how far apart two ratings are: `nominal` 1 unless equal, `ordinal` the ranks
 * between, `interval` the difference, `ratio` the difference over the sum. Undefined when no item has two ratings or
 * all ratings are the same. Krippendorff 2011, Computing Krippendorff's Alpha-Reliability, University of Pennsylvania.
 * `observed` and `expected` are disagreement here, Do and De, in the metric's own unit.
 * Example: his 4 observers of 12 units with gaps: nominal 0.743, ordinal 0.815, interval 0.849, ratio 0.797.
 */
export function krippendorffAlpha(
  ratings: Ratings,
  options: AgreementOptions & { readonly metric?: AlphaMetric } = {},
): Agreement {
  const { metric = 'nominal', interval } = options;
  const numbers = metric === 'interval' ? 'any' : metric === 'ratio' ? 'from-0' : undefined;
  const coded = codeRatings(ratings, { ...options, ordered: metric === 'ordinal', numbers });
  const { categories, codes } = coded;
  const tallies = tallyItems(coded, (count) => count >= 2);
  const disagreements = disagreementsOf(metric, tallies, categories);
  const drawn = new Float64Array(categories.length);
  const { resamples } = resampleSettings(options);
  const isTooMuch = metric === 'ratio' && (categories.length ** 2 * resamples) / 2 > MOST_COMPARISONS;
  const agreement = agreementOf(
    {
      coded,
      tallies,
      of: 'disagreement',
      pointOf: (times): Point => {
        const { observed, expected } = disagreements.of(times, categoryTotals(tallies, times, drawn));
        return {
          value: usedCategories(drawn) < 2 || expected === 0 ? null : 1 - observed / expected,
          // Squares of huge values are no numbers; alpha, a ratio of two, still is one.
          observed: finite(observed * disagreements.unit),
          expected: finite(expected * disagreements.unit),
        };
      },
      why: tallies.n > 0 ? SINGLE_CATEGORY : 'no item has two ratings',
      notes: ({ value, observed, expected }, totals) => {
        const agreed = { value, observed: 1 - (observed ?? NaN), expected: 1 - (expected ?? NaN) };
        return [
          tallies.left === 0
            ? null
            : `${tallies.left} of ${codes.length} items have fewer than two ratings and leave alpha`,
          metric === 'nominal' ? kappaParadox('alpha', agreed, tallies, categories, totals) : null,
        ];
      },
    },
    isTooMuch ? { ...options, interval: false } : options,
  );
  if (!isTooMuch || interval === false) return agreement;
  const why = `${categories.length} different values times ${resamples} resamples are too much to compare: round the values, or ask for fewer resamples`;
  return { ...agreement, noInterval: why };
}

const finite = (value: number): number | null => (Number.isFinite(value) ? value : null);

/** Observed and expected disagreement of items, each pattern occurring `times`, each category `totals` often. */
type Disagreements = ReturnType<typeof withinAndBetween>;

/**
 * Do = 1/n Σ over items of the squared differences of its ordered pairs / (m − 1); De = 1 / (n (n − 1)) Σ nc nk δ²ck
 * over all pairs of categories, for n ratings, m of them in an item (Krippendorff 2011).
 */
function disagreementsOf(metric: AlphaMetric, tallies: Tallies, categories: readonly Rating[]): Disagreements {
  const given = Float64Array.from(categories, metric === 'interval' || metric === 'ratio' ? Number : () => 0);
  const most = given.reduce((high, value) => Math.max(high, value), -Infinity);
  switch (metric) {
    case 'nominal':
      return withinAndBetween(
        tallies,
        (a, b) => (a === b ? 0 : 1),
        (totals, n) => n * n - totals.reduce((same, total) => same + total * total, 0),
      );
    case 'ordinal':
      return ordinalDisagreements(tallies, new Float64Array(categories.length));
    case 'interval': {
      // From −1 to 1, and what 1 stands for: the square of a huge number would be no number any more.
      const least = given.reduce((low, value) => Math.min(low, value), Infinity);
      const [middle, unit] = [least / 2 + most / 2, most / 2 - least / 2];
      const values = given.map((value) => (unit === 0 ? 0 : (value - middle) / unit));
      const distance = (a: number, b: number): number => (values[a]! - values[b]!) ** 2;
      return withinAndBetween(tallies, distance, (totals, n) => squaredBetween(totals, n, values), unit * unit);
    }
    case 'ratio': {
      // In parts of the largest: ratios stay the same, and no sum of two values is too large.
      const values = given.map((value) => (most === 0 ? 0 : value / most));
      const distance = (a: number, b: number): number => ((values[a]! - values[b]!) / (values[a]! + values[b]!)) ** 2;
      return withinAndBetween(tallies, distance, (totals) => ratioBetween(totals, values));
    }
  }
}

/** Differences within an item do not change from one resample to the next: they are worked out once for each pattern. */
function withinAndBetween(
  { size, from, category, count }: Tallies,
  distance: (a: number, b: number) => number,
  between: (totals: Float64Array, n: number) => number,
  unit = 1,
) {
  const within = size.map((m, pattern) => {
    let sum = 0;
    for (let a = from[pattern]!; a < from[pattern + 1]!; a += 1)
      for (let b = a + 1; b < from[pattern + 1]!; b += 1)
        sum += 2 * count[a]! * count[b]! * distance(category[a]!, category[b]!);
    return sum / (m - 1);
  });
  return {
    /** What 1 of them is in the metric's own unit. */
    unit,
    of(times: Float64Array, totals: Float64Array) {
      let observed = 0;
      for (let pattern = 0; pattern < within.length; pattern += 1) observed += times[pattern]! * within[pattern]!;
      const n = sumOf(totals);
      return { observed: observed / n, expected: between(totals, n) / (n * (n - 1)) };
    },
  };
}

/** Σ nc nk (vc − vk)² = 2 n Σ nc (vc − mean)². From the mean, because squares of close values lose their difference. */
function squaredBetween(totals: Float64Array, n: number, values: Float64Array): number {
  let mean = 0;
  for (let code = 0; code < totals.length; code += 1) mean += (totals[code]! / n) * values[code]!;
  let sum = 0;
  for (let code = 0; code < totals.length; code += 1) sum += totals[code]! * (values[code]! - mean) ** 2;
  return 2 * n * sum;
}

function ratioBetween(totals: Float64Array, values: Float64Array): number {
  const used = Int32Array.from(totals.keys()).filter((code) => totals[code]! > 0);
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
function ordinalDisagreements({ size, from, category, count }: Tallies, ranks: Float64Array): Disagreements {
  return {
    unit: 1,
    of(times, totals) {
      const n = sumOf(totals);
      let below = 0;
      for (let code = 0; code < totals.length; code += 1) {
        ranks[code] = below + totals[code]! / 2;
        below += totals[code]!;
      }
      let observed = 0;
      for (let pattern = 0; pattern < size.length; pattern += 1) {
        if (times[pattern] === 0) continue;
        const m = size[pattern]!;
        let [sum, squares] = [0, 0];
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
