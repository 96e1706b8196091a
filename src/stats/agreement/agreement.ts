import type { Interval } from '../../measure/results.ts';
import { resampleSettings, type ResampleSettings } from '../resample-settings.ts';
import type { CodedRatings } from './code-ratings.ts';
import { categoryTotals, type Tallies } from './tallies.ts';
import type { Rating } from './rating.ts';
import { clusteredSureness, surenessOf } from './sureness.ts';

export interface AgreementOptions extends Partial<ResampleSettings> {
  /** All categories there are, from low to high where they have an order. Without it those that occur. */
  readonly categories?: readonly Rating[];
  /** What each item belongs to, by any number, where items hang together: these are drawn and not single items. */
  readonly clusters?: readonly number[];
  /** False: no bootstrap, which is quicker. */
  readonly interval?: boolean;
}

/** How often a category was given. */
export interface Prevalence {
  readonly category: Rating;
  readonly share: number;
  readonly count: number;
}

/** A coefficient of agreement with all that is needed to report it. */
export interface Agreement {
  readonly value: number | null;
  /** Why there is no value. */
  readonly undefined: string | null;
  /** Items used, and items left out because they have too few ratings. */
  readonly n: number;
  readonly left: number;
  readonly raters: number;
  /** Agreement as observed and as chance would give it; for Krippendorff's alpha disagreement, as `of` says. */
  readonly observed: number | null;
  readonly expected: number | null;
  readonly of: 'agreement' | 'disagreement';
  /** Over the ratings of the items used, in the order of the categories; empty where there are none. */
  readonly prevalence: readonly Prevalence[];
  readonly categories: readonly Rating[];
  readonly interval: Interval | null;
  /** Why there is no interval. */
  readonly noInterval: string | null;
  readonly notes: readonly string[];
}

/** A coefficient for one set of items, each pattern of them occurring so many times; null where it is undefined. */
export interface Point {
  readonly value: number | null;
  readonly observed: number | null;
  readonly expected: number | null;
}

export interface Coefficient {
  readonly coded: CodedRatings;
  /** The items that it looks at. */
  readonly tallies: Tallies;
  /** How often each pattern occurs, where it is not the patterns of `tallies` that are drawn. */
  readonly times?: Float64Array;
  readonly patternOf?: Int32Array;
  readonly of?: 'agreement' | 'disagreement';
  pointOf(times: Float64Array): Point;
  /** What to say when there is no item or the point has no value. */
  readonly why: string;
  /** What to mind, `totals` being how often each category was given; null where there is nothing. */
  notes(point: Point, totals: Float64Array): readonly (string | null)[];
}

/** The coefficient of the items with its interval, and in words why it has none. */
export function agreementOf(coefficient: Coefficient, options: AgreementOptions): Agreement {
  const { coded, tallies, times = tallies.times, patternOf = tallies.patternOf, of = 'agreement' } = coefficient;
  const { n, left } = tallies;
  const totals = categoryTotals(tallies, tallies.times, new Float64Array(coded.categories.length));
  const settings = resampleSettings(options);
  const reason = withoutRaters(coded) ?? (n === 0 ? coefficient.why : null);
  const point = reason === null ? coefficient.pointOf(times) : { value: null, observed: null, expected: null };
  const sureness =
    options.interval === false
      ? { interval: null, noInterval: 'it was not asked for', notes: [] }
      : options.clusters === undefined
        ? surenessOf(times, point.value, settings, (drawn) => coefficient.pointOf(drawn).value, 'item')
        : clusteredSureness(
            options.clusters,
            patternOf,
            times.length,
            point.value,
            settings,
            (drawn) => coefficient.pointOf(drawn).value,
          );
  return {
    ...point,
    undefined: reason ?? (point.value === null ? coefficient.why : null),
    n,
    left,
    raters: coded.raters,
    of,
    prevalence: prevalenceOf(coded.categories, totals),
    categories: coded.categories,
    interval: sureness.interval,
    noInterval: sureness.noInterval,
    notes: [
      ...coded.notes,
      ...(reason === null ? coefficient.notes(point, totals).filter((note) => note !== null) : []),
      ...sureness.notes,
    ],
  };
}

/** Why there is nobody or nothing to compare; null where there is. */
function withoutRaters({ items, raters }: CodedRatings): string | null {
  if (items === 0) return 'there are no items';
  if (raters === 0) return 'there are no raters';
  return raters === 1 ? 'there is one rater only: nobody to agree with' : null;
}

function prevalenceOf(categories: readonly Rating[], totals: Float64Array): Prevalence[] {
  const all = totals.reduce((sum, one) => sum + one, 0);
  if (all === 0) return [];
  return categories.map((category, code) => ({ category, share: totals[code]! / all, count: totals[code]! }));
}

/** How many categories were given at all. */
export function usedCategories(totals: Float64Array): number {
  return totals.reduce((used, count) => (count > 0 ? used + 1 : used), 0);
}

export const ONE_CATEGORY =
  'only one category was ever used: agreement by chance would be complete too, and nothing is left to measure';
