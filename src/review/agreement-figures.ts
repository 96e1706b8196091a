import type { Interval } from '../measure/results.ts';
import type { ReviewField } from '../recipe/review-section.ts';
import { againstTarget } from '../stats/agreement/against-target.ts';
import type { Agreement, AgreementOptions } from '../stats/agreement/agreement.ts';
import { cohenKappa } from '../stats/agreement/cohen-kappa.ts';
import { krippendorffAlpha } from '../stats/agreement/krippendorff-alpha.ts';
import { fleissKappa } from '../stats/agreement/pair-agreement.ts';
import type { Rating, Ratings } from '../stats/agreement/rating.ts';
import type { AgreementFigure } from './api.ts';
import { answersWanted } from './assignments.ts';
import { alignedLists, isRating } from './outcomes.ts';
import { partsOf, titleOfPart } from './questions.ts';
import { listsOf, type ReviewedItem, reviewedItems } from './review-work.ts';
import type { ReviewSnapshot } from './snapshot.ts';

/** The ratings of one item: a row for each part or thing, a column for each rater. What is resampled is the item. */
export interface RatedUnit {
  /** Its place in the order of cases: resamples are drawn in it, so that nobody's pace changes an interval. */
  readonly place: number;
  readonly at: string;
  readonly rows: readonly (readonly (Rating | null)[])[];
}

interface RatedUnits {
  readonly units: readonly RatedUnit[];
  readonly raters: number;
  readonly notes: readonly string[];
  /** Why there is nothing to compare although reviewers have finished items. */
  readonly unrated?: string;
}

/** Of the points before the last: they show how the interval closes, and the last shows how sure the figure is. */
const GROWTH_RESAMPLES = 100;

/**
 * How far people agree on each question that somebody is asked, over the committed answers and before any decision: of a
 * choice or a tick Cohen's kappa of two people and Fleiss' of more, of a scale Krippendorff's alpha for ordered points, of
 * things the kappa of labels given to what all see at the same place. For a question with parts the whole comes first, all
 * ratings put together, then each part. n is the number of things rated: items, or parts or claims of items. `quick` is
 * for a page that somebody waits for: fewer resamples, and fewer points of growth.
 */
export function agreementFigures(snapshot: ReviewSnapshot, { quick = false } = {}): AgreementFigure[] {
  const resamples = quick ? 200 : 1000;
  return Object.entries(snapshot.form.fields).flatMap(([name, field]) => {
    if (field.type === 'text' || !reviewedItems(snapshot).some((reviewed) => reviewed.asked(name).people > 0))
      return [];
    const parts = partsOf(field);
    const figure = (part: string | null, rated: RatedUnits, points: number): AgreementFigure =>
      figureOf({ name, part, field, wanted: answersWanted(snapshot.form, field) }, rated, { resamples, points });
    const whole = field.type === 'items' ? labelledUnits(snapshot, name) : ratedUnits(snapshot, name, parts);
    const first = figure(parts.length === 1 ? parts[0]! : null, whole, quick ? 8 : 12);
    if (parts.length === 1) return [first];
    return [first, ...parts.map((part) => figure(part, ratedUnits(snapshot, name, [part]), quick ? 5 : 12))];
  });
}

interface AskedPart {
  readonly name: string;
  readonly part: string | null;
  readonly field: ReviewField;
  /** How many answers the form wants; null if it does not say. */
  readonly wanted: number | null;
}

function figureOf(
  { name, part, field, wanted }: AskedPart,
  { units, raters, notes, unrated }: RatedUnits,
  effort: { readonly resamples: number; readonly points: number },
): AgreementFigure {
  const coefficient = field.type === 'scale' ? ORDINAL_ALPHA : kappaFor(units, raters, wanted);
  const noun = field.type === 'items' ? 'claim is labelled' : 'item is answered';
  const agreement = (of: readonly RatedUnit[], resamples: number): UnitAgreement =>
    agreementOfUnits(of, coefficient, { resamples }, noun);
  const { value, n, interval, noInterval, undefined: why, notes: ours } = agreement(units, effort.resamples);
  const target = field.target ?? null;
  const result = target === null ? null : againstTarget({ value, interval, noInterval }, target);
  // The first so many items in the order in which they were done, at last all.
  const sizes = Array.from({ length: effort.points - 1 }, (_, at) =>
    Math.ceil(((at + 1) * units.length) / effort.points),
  );
  const before = [...new Set(sizes)]
    .filter((size) => size > 0 && size < units.length)
    .map((size) => agreement(units.slice(0, size), GROWTH_RESAMPLES));
  return {
    field: name,
    part,
    title: titleOfPart(field, part),
    coefficient: coefficient.name,
    value,
    undefined: unrated ?? why,
    n,
    raters,
    interval,
    noInterval,
    target,
    met: result === null || result.result === 'inconclusive' ? null : result.result === 'met',
    growth: [...before, { value, n, interval }].flatMap((point) =>
      point.value === null
        ? []
        : [{ n: point.n, value: point.value, low: point.interval?.low ?? null, high: point.interval?.high ?? null }],
    ),
    notes: [...notes, ...ours, ...(result === null ? [] : [`target above ${result.target}: ${result.why}`])],
  };
}

interface PersonRating {
  readonly person: string;
  readonly rating: Rating;
}

/** The committed answers to a question, or to some parts of it, by those who answered any. */
function ratedUnits(snapshot: ReviewSnapshot, name: string, parts: readonly (string | null)[]): RatedUnits {
  return inOrder(snapshot, (reviewed) => {
    const rows = parts.map((part) =>
      reviewed.done.flatMap((work): PersonRating[] => {
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
function labelledUnits(snapshot: ReviewSnapshot, name: string): RatedUnits {
  let [all, apart] = [0, 0];
  const together = inOrder(snapshot, (reviewed) => {
    const { people, segments } = alignedLists(reviewed, name);
    if (people.length < 2) return [];
    const same = segments.filter((segment) => segment.aligned);
    all += segments.length;
    apart += segments.length - same.length;
    return same.map(({ lists }) =>
      lists.flatMap(([answer], at) =>
        answer === undefined || answer.label === null ? [] : [{ person: people[at]!, rating: answer.label }],
      ),
    );
  });
  const alone = (reviewed: ReviewedItem): PersonRating[][] =>
    listsOf(reviewed, name).flatMap(({ work, answers }) =>
      answers.flatMap(({ label }) => (label === null ? [] : [[{ person: work.person.id, rating: label }]])),
    );
  const rated = together.units.length > 0 ? together : inOrder(snapshot, alone);
  if (rated.units.length === 0 && reviewedItems(snapshot).some((reviewed) => listsOf(reviewed, name).length > 0))
    return { ...rated, unrated: 'reviewers have finished without labelling anything: there is nothing to compare' };
  const note = `${apart} of ${all} stretches are cut differently by different people, or not seen by all: they cannot be compared and leave`;
  return { ...rated, notes: apart === 0 ? [] : [note] };
}

function inOrder(
  snapshot: ReviewSnapshot,
  rowsOf: (reviewed: ReviewedItem) => readonly (readonly PersonRating[])[],
): RatedUnits {
  const answered = reviewedItems(snapshot)
    .map((reviewed, place) => ({ place, at: lastAt(reviewed), rows: rowsOf(reviewed) }))
    .filter(({ rows }) => rows.length > 0);
  const raters = new Set(answered.flatMap(({ rows }) => rows.flat().map(({ person }) => person)));
  const people = snapshot.people.flatMap(({ id }) => (raters.has(id) ? [id] : []));
  const units = answered.map(({ rows, ...unit }) => ({
    ...unit,
    rows: rows.map((row) => people.map((id) => row.find(({ person }) => person === id)?.rating ?? null)),
  }));
  // Stable, so that items of one moment stay in the order of the cases.
  units.sort((a, b) => (a.at < b.at ? -1 : a.at > b.at ? 1 : 0));
  return { units, raters: people.length, notes: [] };
}

function lastAt({ done }: ReviewedItem): string {
  return done.reduce((last, { state }) => (state.updatedAt > last ? state.updatedAt : last), '');
}

interface NamedCoefficient {
  readonly name: string;
  of(ratings: Ratings, options: AgreementOptions): Agreement;
}

const ORDINAL_ALPHA: NamedCoefficient = {
  name: 'Krippendorff’s alpha (ordinal)',
  of: (ratings, options) => krippendorffAlpha(ratings, { ...options, metric: 'ordinal' }),
};

export const COHEN: NamedCoefficient = { name: 'Cohen’s kappa', of: cohenKappa };

export const WEIGHTED_COHEN: NamedCoefficient = {
  name: 'Cohen’s kappa (quadratic weights)',
  of: (ratings, options) => cohenKappa(ratings, { ...options, weights: 'quadratic' }),
};

/**
 * Cohen's kappa of two people; Fleiss' of more, on things with as many ratings as the form wants of each. If none has as
 * many: the most that any has, as for ratings without a form.
 */
function kappaFor(units: readonly RatedUnit[], raters: number, wanted: number | null): NamedCoefficient {
  if (raters <= 2) return COHEN;
  const sizes = new Set(units.flatMap(({ rows }) => rows.map(ratingsIn)));
  const perItem = wanted !== null && wanted >= 2 && sizes.has(wanted) ? wanted : Math.max(0, ...sizes);
  return {
    name: 'Fleiss’ kappa',
    of: (ratings, options) => fleissKappa(ratings, perItem < 2 ? options : { ...options, perItem }),
  };
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
  unordered: readonly RatedUnit[],
  coefficient: NamedCoefficient,
  options: AgreementOptions,
  noun = 'item is answered',
): UnitAgreement {
  const units = unordered.toSorted((a, b) => a.place - b.place);
  const rows = units.flatMap((unit) => unit.rows);
  const why = whyNone(rows, noun);
  if (why !== null)
    return { value: null, undefined: why, n: 0, interval: null, noInterval: 'there is no value', notes: [] };
  return coefficient.of(rows, { ...options, clusters: units.flatMap((unit, at) => unit.rows.map(() => at)) });
}

function whyNone(rows: RatedUnit['rows'], noun: string): string | null {
  if (rows.length === 0) return 'nobody has committed an answer to it yet';
  const people = new Set(rows.flatMap((row) => row.flatMap((rating, at) => (rating === null ? [] : [at]))));
  if (people.size === 1) return 'one person only has answered: nobody to compare with';
  return rows.some((row) => ratingsIn(row) >= 2) ? null : `no ${noun} by two people`;
}
