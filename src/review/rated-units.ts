import type { Rating } from '../stats/agreement/rating.ts';
import { alignedLists } from './claims.ts';
import { type ReviewedItem, reviewedItems } from './committed-work.ts';
import type { ReviewSnapshot } from './snapshot.ts';
import { isRating } from './vote.ts';

/** The ratings of one item: a row for each part or thing, a column for each rater. What is resampled is the item. */
export interface RatedUnit {
  /** When the last of those who rated it committed it. */
  readonly at: string;
  readonly rows: readonly (readonly (Rating | null)[])[];
}

export interface RatedUnits {
  /** In the order in which they were done. */
  readonly units: readonly RatedUnit[];
  readonly raters: number;
  readonly notes: readonly string[];
}

/** The committed answers to a question, or to some parts of it, by those who answered any. */
export function ratedUnits(snapshot: ReviewSnapshot, name: string, parts: readonly (string | null)[]): RatedUnits {
  return inOrder(
    snapshot,
    (reviewed) => {
      const rows = parts.map((part) =>
        reviewed.done.flatMap((work) => {
          const rating = work.answer(name, part);
          return isRating(rating) ? [{ person: work.person.id, rating }] : [];
        }),
      );
      return rows.filter((row) => row.length > 0);
    },
    [],
  );
}

/** The labels of things that all who labelled an item see at the same place; the others cannot be compared, and are counted. */
export function labelledUnits(snapshot: ReviewSnapshot, name: string): RatedUnits {
  let aligned = 0;
  let apart = 0;
  const units = inOrder(
    snapshot,
    (reviewed) => {
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
    },
    [],
  );
  if (apart === 0) return units;
  const note = `${apart} of ${aligned + apart} stretches are cut differently by different people, or not seen by all: they cannot be compared and leave`;
  return { ...units, notes: [note] };
}

interface Given {
  readonly person: string;
  readonly rating: Rating;
}

function inOrder(
  snapshot: ReviewSnapshot,
  rowsOf: (reviewed: ReviewedItem) => readonly (readonly Given[])[],
  notes: readonly string[],
): RatedUnits {
  const found = reviewedItems(snapshot)
    .map((reviewed) => ({ at: lastAt(reviewed), rows: rowsOf(reviewed) }))
    .filter(({ rows }) => rows.length > 0);
  const given = new Set(found.flatMap(({ rows }) => rows.flat().map(({ person }) => person)));
  const column = new Map(
    snapshot.people
      .map(({ id }) => id)
      .filter((id) => given.has(id))
      .map((id, at) => [id, at]),
  );
  const units = found.map(({ at, rows }) => ({
    at,
    rows: rows.map((row) => {
      const own: (Rating | null)[] = Array.from({ length: column.size }, () => null);
      for (const { person, rating } of row) own[column.get(person)!] = rating;
      return own;
    }),
  }));
  // Stable, so that items of one moment stay in the order of the cases.
  units.sort((a, b) => (a.at < b.at ? -1 : a.at > b.at ? 1 : 0));
  return { units, raters: column.size, notes };
}

function lastAt({ done }: ReviewedItem): string {
  return done.reduce((last, { state }) => (state.updatedAt > last ? state.updatedAt : last), '');
}
