import { UsageError } from '../../data/problems.ts';
import { describe } from '../../data/record-fields.ts';
import { compareNatural } from '../../text/compare.ts';

/** What a rater said of an item: a class, a point on a scale, yes or no. */
export type Rating = string | number | boolean;

/** One row per item, one column per rater, null where a rater gave no rating. */
export type Ratings = readonly (readonly (Rating | null)[])[];

/** Ratings as category numbers, checked. */
export type CodedRatings = ReturnType<typeof codeRatings>;

export interface CodeSettings {
  readonly categories?: readonly Rating[];
  /** The order of the categories counts: texts have to be declared, since their order cannot be guessed. */
  readonly ordered?: boolean;
  /** The ratings are measurements: numbers, or numbers from 0 on. */
  readonly numbers?: 'any' | 'from-0' | undefined;
}

/** Turns ratings into category numbers; a rating that cannot be one is refused with its row and rater, counted from 1. */
export function codeRatings(ratings: Ratings, settings: CodeSettings = {}) {
  const raters = ratings[0]?.length ?? 0;
  const { categories: declared, ordered = false } = settings;
  if (declared !== undefined) checkDeclared(declared);
  const allowed = declared === undefined ? null : new Set<unknown>(declared);
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
      seen.add(checkedRating(rating, `row ${item + 1}, rater ${rater + 1}`, allowed, settings.numbers));
    }
  });
  const categories = declared ?? [...seen].sort(compareRatings);
  const isOrderKnown = categories.length <= 2 || categories.every((category) => typeof category === 'number');
  if (ordered && declared === undefined && !isOrderKnown)
    throw new UsageError(
      `the order of the categories is needed, and cannot be guessed from ${categories.slice(0, 5).map(describe).join(', ')}`,
      'declare them from low to high: categories, or --categories low,medium,high',
    );
  const codeOf = new Map<Rating | null, number>(categories.map((category, code) => [category, code]));
  /** For each item a number of each rater; −1 where the rating is missing. */
  const codes = ratings.map((row) => row.map((rating) => codeOf.get(rating) ?? -1));
  return { categories, raters, codes, notes: declared === undefined ? alikeNotes(categories) : [] };
}

/** Numbers by size, then false and true, then texts with their numbers by size: the same for every order of the input. */
export function compareRatings(a: Rating, b: Rating): number {
  if (typeof a === 'number' && typeof b === 'number') return a - b;
  if (typeof a === 'string' && typeof b === 'string') return compareNatural(a, b);
  const rank = (rating: Rating): number =>
    typeof rating === 'number' ? 0 : rating === false ? 1 : rating === true ? 2 : 3;
  return rank(a) - rank(b);
}

function checkedRating(
  rating: unknown,
  place: string,
  declared: ReadonlySet<unknown> | null,
  numbers: CodeSettings['numbers'],
): Rating {
  if (
    typeof rating !== 'string' &&
    typeof rating !== 'boolean' &&
    !(typeof rating === 'number' && Number.isFinite(rating))
  )
    throw new UsageError(
      `${place}: ${describe(rating)} is no rating`,
      'a text, a finite number, true or false; null where it is missing',
    );
  if (numbers !== undefined && typeof rating !== 'number')
    throw new UsageError(
      `${place}: ${describe(rating)} is not a number, as this metric needs`,
      'use the nominal or ordinal metric for categories',
    );
  if (numbers === 'from-0' && Number(rating) < 0)
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

function checkDeclared(categories: readonly Rating[]): void {
  if (categories.length === 0)
    throw new UsageError('categories: the list is empty', 'leave it out to take those that occur');
  const repeated = categories.find((category, at) => categories.indexOf(category) !== at);
  if (repeated !== undefined) throw new UsageError(`categories: ${describe(repeated)} is declared twice`);
}

/** Of categories that a reader would take for one: "Vata" and "vata ", 1 and "1". */
function alikeNotes(categories: readonly Rating[]): string[] {
  const groups = Map.groupBy(categories, (category) => String(category).normalize('NFC').trim().toLowerCase());
  return [...groups.values()]
    .filter((group) => group.length > 1)
    .map((group) => `${group.map(describe).join(' and ')} count as different categories: is one a slip for the other?`);
}
