import type { ItemState, ReviewPerson } from '../store/review-records.ts';
import type { Store } from '../store/store.ts';
import type { ReviewSnapshot } from './snapshot.ts';

/** How far a reviewer is with an item. */
export type WorkState = 'open' | 'begun' | 'done';

/** An item in the queue of a reviewer. */
export interface QueuedItem {
  readonly person: ReviewPerson;
  readonly itemId: string;
  readonly state: WorkState;
}

export interface ProgressCounts {
  readonly total: number;
  readonly begun: number;
  readonly done: number;
}

/** Done once the reviewer has finished the item, whatever there was to answer; begun once it has an answer. */
export function workState(state: Pick<ItemState, 'cells' | 'committed'> | null | undefined): WorkState {
  if (state?.committed === true) return 'done';
  return state?.cells.some(({ value }) => value !== null) === true ? 'begun' : 'open';
}

/** The queues of all reviewers. A reviewer whose link was withdrawn counts for finished items only. */
export function queuedItems({
  people,
  assignments,
  states,
}: Pick<ReviewSnapshot, 'people' | 'assignments' | 'states'>): QueuedItem[] {
  const reviewers = new Map(people.flatMap((person) => (person.role === 'reviewer' ? [[person.id, person]] : [])));
  const byKey = new Map(states.map((state) => [`${state.personId} ${state.itemId}`, state]));
  return assignments.flatMap(({ personId, itemId }): QueuedItem[] => {
    const person = reviewers.get(personId);
    if (person === undefined) return [];
    const state = workState(byKey.get(`${personId} ${itemId}`));
    return person.revokedAt === null || state === 'done' ? [{ person, itemId, state }] : [];
  });
}

export function countQueued(queued: readonly Pick<QueuedItem, 'state'>[]): ProgressCounts {
  const count = (wanted: WorkState): number => queued.filter(({ state }) => state === wanted).length;
  return { total: queued.length, begun: count('begun'), done: count('done') };
}

/** Progress of a review of the store, for lists of reviews. */
export function reviewProgress({ reviews }: Pick<Store, 'reviews'>, id: string) {
  const people = reviews.people(id);
  const queued = queuedItems({ people, assignments: reviews.assignments(id), states: reviews.states(id) });
  return { items: reviews.items(id).length, people: people.length, ...countQueued(queued) };
}
