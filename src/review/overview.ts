import type { ReviewPerson } from '../store/review-records.ts';
import { agreementFigures, type FigureOptions } from './agreement-figures.ts';
import type { Overview } from './api.ts';
import { reviewedItems } from './committed-work.ts';
import { conflictsOf } from './conflicts.ts';
import { dividedItems } from './divided.ts';
import { judgeFigures } from './judge-agreement.ts';
import type { ReviewSnapshot } from './snapshot.ts';

/**
 * What the owner of a review sees of it. An item is done when everybody to whom it was given has committed it. For a page
 * that somebody waits for, figures are `quick`; otherwise they are those of the report.
 */
export function overviewOf(snapshot: ReviewSnapshot, { quick = true }: FigureOptions = {}): Overview {
  const { items, assignments } = snapshot;
  const committed = new Set(
    reviewedItems(snapshot).flatMap(({ item, done }) => done.map(({ person }) => pair(person.id, item.id))),
  );
  const given = Map.groupBy(assignments, ({ itemId }) => itemId);
  const conflicts = conflictsOf(snapshot);
  const decided = conflicts.filter(({ decision }) => decision !== null).length;
  return {
    people: snapshot.people.map((person) => progressOf(snapshot, person, committed)),
    items: {
      total: items.length,
      done: items.filter(({ id }) => given.get(id)?.every(({ personId }) => committed.has(pair(personId, id))) ?? false)
        .length,
    },
    conflicts: { open: conflicts.length - decided, decided },
    agreement: agreementFigures(snapshot, { quick }),
    divided: dividedItems(snapshot),
    judge: judgeFigures(snapshot, { quick }),
  };
}

function progressOf(
  { states, assignments, decisions }: ReviewSnapshot,
  { id, name, role, groups }: ReviewPerson,
  committed: ReadonlySet<string>,
): Overview['people'][number] {
  const own = new Map(states.filter((state) => state.personId === id).map((state) => [state.itemId, state]));
  const given = assignments.filter(({ personId }) => personId === id);
  const times = [
    ...[...own.values()].map(({ updatedAt }) => updatedAt),
    ...decisions.filter(({ personId }) => personId === id).map(({ at }) => at),
  ];
  return {
    name,
    role,
    groups,
    done: given.filter(({ itemId }) => committed.has(pair(id, itemId))).length,
    begun: given.filter(({ itemId }) => {
      const state = own.get(itemId);
      return state !== undefined && !state.committed && state.cells.some(({ value }) => value !== null);
    }).length,
    total: given.length,
    lastAt: times.reduce<string | null>((last, at) => (last === null || at > last ? at : last), null),
  };
}

function pair(personId: string, itemId: string): string {
  return `${personId} ${itemId}`;
}
