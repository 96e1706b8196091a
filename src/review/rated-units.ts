import type { ReviewSection } from '../recipe/review-section.ts';
import type { Rating } from '../stats/agreement/rating.ts';
import { ratersWanted } from './assignments.ts';
import { alignedLists } from './claims.ts';
import { listsOf, type ReviewedItem, reviewedItems } from './committed-work.ts';
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
  /** How many ratings the form wants of each; not there where it does not say. */
  readonly wanted?: number | undefined;
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
 * Where nothing can be compared at all, the labels as they are, each by itself: whoever asks learns who has answered.
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
  const wanted = wantedOf(snapshot.form, name);
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

/** What the form wants of the question's groups, all in all. */
function wantedOf(form: ReviewSection, name: string): number | undefined {
  const groups = fieldOf(form, name)?.by ?? [];
  const wanted = groups.reduce((sum, group) => sum + ratersWanted(form, group), 0);
  return groups.length > 0 && Number.isFinite(wanted) ? wanted : undefined;
}

function lastAt({ done }: ReviewedItem): string {
  return done.reduce((last, { state }) => (state.updatedAt > last ? state.updatedAt : last), '');
}
