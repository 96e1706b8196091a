import { COMMIT_FIELD, type ItemState, type NewReviewEvent } from '../../store/review-records.ts';
import type { ReviewSnapshot } from '../snapshot.ts';
import { cellKey } from './person-work.ts';

/** A review as it would stand after events that were not kept: one sheet may complete what another began. */
export function afterEvents(snapshot: ReviewSnapshot, events: readonly NewReviewEvent[]): ReviewSnapshot {
  const states = new Map(snapshot.states.map((state) => [keyOf(state), state]));
  for (const event of events) {
    const { itemId, personId, field, part, value } = event;
    const before = states.get(keyOf(event));
    const isCommit = field === COMMIT_FIELD;
    const others = (before?.cells ?? []).filter((cell) => cellKey(cell.field, cell.part) !== cellKey(field, part));
    states.set(keyOf(event), {
      itemId,
      personId,
      cells: isCommit || value === null ? others : [...others, { field, part, value }],
      committed: isCommit ? value === true : (before?.committed ?? false),
      version: (before?.version ?? 0) + 1,
      updatedAt: before?.updatedAt ?? '',
    });
  }
  return { ...snapshot, states: [...states.values()] };
}

function keyOf({ itemId, personId }: Pick<ItemState, 'itemId' | 'personId'>): string {
  return JSON.stringify([itemId, personId]);
}
