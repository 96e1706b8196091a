import { UsageError } from '../../data/problems.ts';
import type { Interval } from '../../measure/results.ts';
import { none } from '../interval.ts';
import { resampleSettings, type ResampleSettings } from '../resample-settings.ts';
import type { CodedRatings, Rating } from './rating.ts';
import { type NotedSureness, surenessOf } from './sureness.ts';
import { categoryTotals, compareLists, type Patterns, sumOf, type Tallies } from './tallies.ts';

export interface AgreementOptions extends Partial<ResampleSettings> {
  /** All categories there are, from low to high where they have an order. Without it those that occur. */
  readonly categories?: readonly Rating[];
  /** What each item belongs to, by any number, where items hang together: these are drawn and not single items. */
  readonly clusters?: readonly number[];
  /** False: no bootstrap, which is quicker. */
  readonly interval?: boolean;
}

/** A coefficient for one set of items, each pattern of them occurring so many times; null where it is undefined. */
export interface Point {
  readonly value: number | null;
  /** Agreement as observed and as chance would give it; for Krippendorff's alpha disagreement. */
  readonly observed: number | null;
  readonly expected: number | null;
}

/** A coefficient of agreement with all that is needed to report it. */
export interface Agreement extends Point {
  readonly undefined: string | null;
  /** Items used, and items left out because they have too few ratings. */
  readonly n: number;
  readonly left: number;
  readonly raters: number;
  readonly of: 'agreement' | 'disagreement';
  /** How often each category was given, over the items used, in the order of the categories; empty where there are none. */
  readonly prevalence: readonly { readonly category: Rating; readonly share: number; readonly count: number }[];
  readonly categories: readonly Rating[];
  readonly interval: Interval | null;
  readonly noInterval: string | null;
  readonly notes: readonly string[];
}

export interface Coefficient {
  readonly coded: CodedRatings;
  readonly tallies: Tallies;
  /** What is drawn, where it is not the patterns of `tallies`. */
  readonly patterns?: Patterns;
  readonly of?: Agreement['of'];
  readonly pointOf: (times: Float64Array) => Point;
  /** What to say when there is no item or the point has no value. */
  readonly why: string;
  /** What to mind, `totals` being how often each category was given; null where there is nothing. */
  readonly notes: (point: Point, totals: Float64Array) => readonly (string | null)[];
}

export const SINGLE_CATEGORY =
  'only one category was ever used: agreement by chance would be complete too, and nothing is left to measure';

/** The coefficient of the items with its interval, and in words why it has none. */
export function agreementOf(coefficient: Coefficient, options: AgreementOptions): Agreement {
  const { coded, tallies, patterns = tallies, of = 'agreement', why } = coefficient;
  const { categories, raters, notes } = coded;
  const totals = categoryTotals(tallies, tallies.times, new Float64Array(categories.length));
  const all = sumOf(totals);
  const reason =
    coded.codes.length === 0
      ? 'there are no items'
      : raters === 0
        ? 'there are no raters'
        : raters === 1
          ? 'there is one rater only: nobody to agree with'
          : tallies.n === 0
            ? why
            : null;
  const point = reason === null ? coefficient.pointOf(patterns.times) : { value: null, observed: null, expected: null };
  const sure = drawnSureness(coefficient, patterns, point.value, options);
  return {
    ...point,
    undefined: reason ?? (point.value === null ? why : null),
    n: tallies.n,
    left: tallies.left,
    raters,
    of,
    prevalence:
      all === 0
        ? []
        : categories.map((category, code) => ({ category, share: totals[code]! / all, count: totals[code]! })),
    categories,
    interval: sure.interval,
    noInterval: sure.noInterval,
    notes: [
      ...notes,
      ...(reason === null ? coefficient.notes(point, totals).filter((note) => note !== null) : []),
      ...sure.notes,
    ],
  };
}

/**
 * The interval of a value from resamples of items, or of clusters: whatever belongs together (the claims of an answer) is
 * drawn together, since to draw its items one by one would make the interval too narrow. Clusters of which no item is
 * used are not drawn.
 */
function drawnSureness(
  { pointOf }: Coefficient,
  { times, patternOf }: Patterns,
  value: number | null,
  options: AgreementOptions,
): NotedSureness {
  const settings = resampleSettings(options);
  const { clusters, interval } = options;
  if (interval === false) return { ...none('it was not asked for'), notes: [] };
  if (clusters === undefined) return surenessOf(times, value, settings, (drawn) => pointOf(drawn).value, 'item');
  if (clusters.length !== patternOf.length)
    throw new UsageError(`clusters: expected one for each of the ${patternOf.length} items, found ${clusters.length}`);
  const used = patternOf.keys().filter((item) => patternOf[item]! >= 0);
  // By their content, so that the order of the items never shows in an interval.
  const members = [...Map.groupBy(used, (item) => clusters[item]!).values()]
    .map((items) => Int32Array.from(items, (item) => patternOf[item]!).sort())
    .sort(compareLists);
  const summed = new Float64Array(times.length);
  const drawnValue = (drawn: Float64Array): number | null => {
    summed.fill(0);
    for (const [cluster, own] of members.entries())
      if (drawn[cluster]! > 0) for (const pattern of own) summed[pattern]! += drawn[cluster]!;
    return pointOf(summed).value;
  };
  return surenessOf(new Float64Array(members.length).fill(1), value, settings, drawnValue, 'cluster');
}
