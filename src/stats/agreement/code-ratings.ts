import { UsageError } from '../../data/problems.ts';
import { describe } from '../../data/record-fields.ts';
import { compareRatings, hasOrder, lookAlikes } from './category-order.ts';
import type { Rating, Ratings } from './rating.ts';

/** Ratings as category numbers, checked. */
export interface CodedRatings {
  /** Declared, or those that occur; in their order. */
  readonly categories: readonly Rating[];
  readonly items: number;
  readonly raters: number;
  /** Item after item, a number for each rater; −1 where the rating is missing. */
  readonly codes: Int32Array;
  /** What to mind about the categories. */
  readonly notes: readonly string[];
}

export interface CodeSettings {
  readonly categories?: readonly Rating[];
  /** The order of the categories counts: texts have to be declared, since their order cannot be guessed. */
  readonly ordered?: boolean;
  /** The ratings are measurements: numbers, or numbers from 0 on. */
  readonly numbers?: 'any' | 'from-0';
}

/** Turns ratings into category numbers; a rating that cannot be one is refused with its row and rater, counted from 1. */
export function codeRatings(ratings: Ratings, settings: CodeSettings = {}): CodedRatings {
  const raters = ratings[0]?.length ?? 0;
  const declared = settings.categories === undefined ? null : declaredCategories(settings.categories);
  const allowed = declared === null ? null : new Set<unknown>(declared);
  const seen = new Set<Rating>();
  ratings.forEach((row, item) => {
    const found = Array.isArray(row) ? String(row.length) : describe(row);
    if (found !== String(raters))
      throw new UsageError(
        `row ${item + 1}: expected ${raters} ratings as in row 1, found ${found}`,
        'every row has a place for every rater: null where one is missing',
      );
    // By index, because a hole in the list would be passed over and must not become a rating.
    for (let rater = 0; rater < raters; rater += 1) {
      const rating = row[rater];
      if (rating === null) continue;
      seen.add(checkedRating(rating, `row ${item + 1}, rater ${rater + 1}`, allowed, settings));
    }
  });
  const categories = declared ?? [...seen].sort(compareRatings);
  if (settings.ordered === true && declared === null && !hasOrder(categories))
    throw new UsageError(
      `the order of the categories is needed, and cannot be guessed from ${categories.slice(0, 5).map(describe).join(', ')}`,
      'declare them from low to high: categories, or --categories low,medium,high',
    );
  const codeOf = new Map(categories.map((category, code) => [category, code]));
  const codes = new Int32Array(ratings.length * raters).fill(-1);
  ratings.forEach((row, item) => {
    row.forEach((rating, rater) => {
      codes[item * raters + rater] = rating === null ? -1 : (codeOf.get(rating) ?? -1);
    });
  });
  return { categories, items: ratings.length, raters, codes, notes: declared === null ? alikeNotes(categories) : [] };
}

function checkedRating(
  rating: unknown,
  place: string,
  declared: ReadonlySet<unknown> | null,
  settings: CodeSettings,
): Rating {
  if (!isRating(rating))
    throw new UsageError(
      `${place}: ${describe(rating)} is no rating`,
      'a text, a finite number, true or false; null where it is missing',
    );
  if (settings.numbers !== undefined && typeof rating !== 'number')
    throw new UsageError(
      `${place}: ${describe(rating)} is no number, as this metric needs`,
      'use the nominal or ordinal metric for categories',
    );
  if (settings.numbers === 'from-0' && typeof rating === 'number' && rating < 0)
    throw new UsageError(
      `${place}: ${rating} is below 0, where the ratio metric has its zero`,
      'use the interval metric',
    );
  if (declared !== null && !declared.has(rating))
    throw new UsageError(
      `${place}: ${describe(rating)} is none of the declared categories (${[...declared].slice(0, 10).map(describe).join(', ')})`,
      'declare it, or correct the rating',
    );
  return rating;
}

function isRating(value: unknown): value is Rating {
  return (
    typeof value === 'string' || typeof value === 'boolean' || (typeof value === 'number' && Number.isFinite(value))
  );
}

function declaredCategories(given: readonly Rating[]): readonly Rating[] {
  if (given.length === 0)
    throw new UsageError('categories: the list is empty', 'leave it out to take those that occur');
  const repeated = given.find((category, at) => given.indexOf(category) !== at);
  if (repeated !== undefined) throw new UsageError(`categories: ${describe(repeated)} is declared twice`);
  return given;
}

function alikeNotes(categories: readonly Rating[]): string[] {
  return lookAlikes(categories).map(
    (group) => `${group.map(describe).join(' and ')} count as different categories: is one a slip for the other?`,
  );
}
