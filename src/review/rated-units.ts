import type { Interval } from '../measure/results.ts';
import type { Agreement, AgreementOptions } from '../stats/agreement/agreement.ts';
import { cohenKappa } from '../stats/agreement/cohen-kappa.ts';
import { krippendorffAlpha } from '../stats/agreement/krippendorff-alpha.ts';
import { fleissKappa } from '../stats/agreement/pair-agreement.ts';
import type { Rating, Ratings } from '../stats/agreement/rating.ts';
import { answersWanted } from './assignments.ts';
import { alignedLists } from './outcomes.ts';
import { listsOf, type ReviewedItem, reviewedItems } from './review-work.ts';
import { fieldOf } from './questions.ts';
import type { ReviewSnapshot } from './snapshot.ts';
import { isRating } from './vote.ts';

/** The ratings of one item: a row for each part or thing, a column for each rater. What is resampled is the item. */
export interface RatedUnit {
  /** Its place in the order of cases: resamples are drawn in it, so that nobody's pace changes an interval. */
  readonly place?: number;
  /** When the last of those who rated it committed it. */
  readonly at: string;
  readonly rows: readonly (readonly (Rating | null)[])[];
  /** How many ratings the form wants of each, if it sets a number. */
  readonly wanted?: number | null;
  /** They are labels of claims, spans or objects. */
  readonly ofThings?: boolean | undefined;
}

export interface RatedUnits {
  /** In the order in which they were done. */
  readonly units: readonly RatedUnit[];
  readonly raters: number;
  readonly notes: readonly string[];
}

/** The committed answers to a question, or to some parts of it, by those who answered any. */
export function ratedUnits(snapshot: ReviewSnapshot, name: string, parts: readonly (string | null)[]): RatedUnits {
  return inOrder(snapshot, name, (reviewed) => {
    const rows = parts.map((part) =>
      reviewed.done.flatMap((work) => {
        const rating = work.answer(name, part);
        return isRating(rating) ? [{ person: work.person.id, rating }] : [];
      }),
    );
    return rows.filter((row) => row.length > 0);
  });
}

/**
 * The labels of things that all who labelled an item see at the same place; the others cannot be compared, and are counted.
 * If nothing can be compared at all, the labels as they are, each by itself: the caller learns who has answered.
 */
export function labelledUnits(snapshot: ReviewSnapshot, name: string): RatedUnits {
  let aligned = 0;
  let apart = 0;
  const together = inOrder(snapshot, name, (reviewed) => {
    const lists = alignedLists(reviewed, name);
    if (lists.people.length < 2) return [];
    const same = lists.segments.filter((segment) => segment.aligned);
    aligned += same.length;
    apart += lists.segments.length - same.length;
    return same.map(({ lists: own }) =>
      own.flatMap(([one], at) =>
        one === undefined || one.label === null ? [] : [{ person: lists.people[at]!, rating: one.label }],
      ),
    );
  });
  const found = together.units.length > 0 ? together : inOrder(snapshot, name, (reviewed) => lonely(reviewed, name));
  const units = found.units.map((unit) => ({ ...unit, ofThings: true }));
  if (apart === 0) return { ...found, units };
  const note = `${apart} of ${aligned + apart} stretches are cut differently by different people, or not seen by all: they cannot be compared and leave`;
  return { ...found, units, notes: [note] };
}

function lonely(reviewed: ReviewedItem, name: string): Given[][] {
  return listsOf(reviewed, name).flatMap(({ work, answers }) =>
    answers.flatMap(({ label }) => (label === null ? [] : [[{ person: work.person.id, rating: label }]])),
  );
}

interface Given {
  readonly person: string;
  readonly rating: Rating;
}

function inOrder(
  snapshot: ReviewSnapshot,
  name: string,
  rowsOf: (reviewed: ReviewedItem) => readonly (readonly Given[])[],
): RatedUnits {
  const field = fieldOf(snapshot.form, name);
  const wanted = field === null ? null : answersWanted(snapshot.form, field);
  const found = reviewedItems(snapshot)
    .map((reviewed, place) => ({ at: lastAt(reviewed), rows: rowsOf(reviewed), place }))
    .filter(({ rows }) => rows.length > 0);
  const given = new Set(found.flatMap(({ rows }) => rows.flat().map(({ person }) => person)));
  const column = new Map(
    snapshot.people
      .map(({ id }) => id)
      .filter((id) => given.has(id))
      .map((id, at) => [id, at]),
  );
  const units = found.map(({ at, rows, place }) => ({
    at,
    place,
    rows: rows.map((row) => {
      const own: (Rating | null)[] = Array.from({ length: column.size }, () => null);
      for (const { person, rating } of row) own[column.get(person)!] = rating;
      return own;
    }),
    wanted,
  }));
  // Stable, so that items of one moment stay in the order of the cases.
  units.sort((a, b) => (a.at < b.at ? -1 : a.at > b.at ? 1 : 0));
  return { units, raters: column.size, notes: [] };
}

function lastAt({ done }: ReviewedItem): string {
  return done.reduce((last, { state }) => (state.updatedAt > last ? state.updatedAt : last), '');
}

/** A coefficient by its name. */
export interface NamedCoefficient {
  readonly name: string;
  of(ratings: Ratings, options: AgreementOptions): Agreement;
}

export const ORDINAL_ALPHA: NamedCoefficient = {
  name: 'Krippendorff’s alpha (ordinal)',
  of: (ratings, options) => krippendorffAlpha(ratings, { ...options, metric: 'ordinal' }),
};

export const COHEN: NamedCoefficient = { name: 'Cohen’s kappa', of: cohenKappa };

export const WEIGHTED_COHEN: NamedCoefficient = {
  name: 'Cohen’s kappa (quadratic weights)',
  of: (ratings, options) => cohenKappa(ratings, { ...options, weights: 'quadratic' }),
};

/** Cohen's kappa of two people; Fleiss' of more, on things with as many ratings as the form wants of each. */
export function kappaFor(units: readonly RatedUnit[], raters: number): NamedCoefficient {
  if (raters <= 2) return COHEN;
  const perItem = ratingsWanted(units);
  return {
    name: 'Fleiss’ kappa',
    of: (ratings, options) => fleissKappa(ratings, perItem < 2 ? options : { ...options, perItem }),
  };
}

/** As many as the form wants, if any thing has as many; else the most that any has, as for ratings without a form. */
function ratingsWanted(units: readonly RatedUnit[]): number {
  const given = new Set(units.flatMap(({ rows }) => rows.map(ratingsIn)));
  const wanted = units.map((unit) => unit.wanted ?? 0).find((number) => number >= 2 && given.has(number));
  return wanted ?? Math.max(0, ...given);
}

function ratingsIn(row: readonly unknown[]): number {
  return row.filter((rating) => rating !== null).length;
}

interface UnitAgreement {
  readonly value: number | null;
  readonly undefined: string | null;
  readonly n: number;
  readonly interval: Interval | null;
  readonly noInterval: string | null;
  readonly notes: readonly string[];
}

/**
 * A coefficient over the rows of all items, its interval from resamples of whole items: the parts and things of one item
 * hang together, and to draw them one by one would make the interval too narrow.
 */
export function agreementOfUnits(
  given: readonly RatedUnit[],
  coefficient: NamedCoefficient,
  options: AgreementOptions,
): UnitAgreement {
  const units = given.toSorted((a, b) => (a.place ?? 0) - (b.place ?? 0));
  const rows = units.flatMap((unit) => unit.rows);
  const alone = whyNone(units, rows);
  if (alone !== null)
    return { value: null, undefined: alone, n: 0, interval: null, noInterval: 'there is no value', notes: [] };
  const clusters = units.flatMap((unit, at) => unit.rows.map(() => at));
  return coefficient.of(rows, { ...options, clusters });
}

/** Why nothing can be compared; null if something can. */
function whyNone(units: readonly RatedUnit[], rows: readonly RatedUnit['rows'][number][]): string | null {
  if (rows.length === 0) return 'nobody has committed an answer to it yet';
  const people = new Set(rows.flatMap((row) => row.flatMap((rating, at) => (rating === null ? [] : [at]))));
  if (people.size === 1) return 'one person only has answered: nobody to compare with';
  if (rows.some((row) => ratingsIn(row) >= 2)) return null;
  return units.some(({ ofThings }) => ofThings === true)
    ? 'no claim is labelled by two people'
    : 'no item is answered by two people';
}
