import { UsageError } from '../../data/problems.ts';
import { shorten, visible } from '../../data/visible.ts';
import type { CellValue, ItemAnswer, ReviewCell, ReviewItemRecord, ReviewPerson } from '../../store/review-records.ts';
import { contentOf, proposedFor, type ReviewContent } from '../content.ts';
import { fieldsFor, isAnswerList } from '../questions.ts';
import { workState } from '../review-progress.ts';
import type { ReviewSnapshot } from '../snapshot.ts';

/** One item of a person's queue, with what they have said of it. */
export interface WorkItem {
  readonly record: ReviewItemRecord;
  readonly content: ReviewContent;
  readonly asked: readonly string[];
  readonly committed: boolean;
  readonly version: number;
  readonly cells: readonly ReviewCell[];
  answer(field: string, part: string | null): CellValue;
}

/** What one person has to do, in the order of their queue. */
export interface PersonWork {
  readonly person: ReviewPerson;
  readonly items: readonly WorkItem[];
}

export function workOf(snapshot: ReviewSnapshot, personId: string): PersonWork {
  const person = snapshot.people.find(({ id }) => id === personId);
  if (person === undefined) throw new UsageError(`there is no person ${visible(shorten(personId))} in this review`);
  const records = new Map(snapshot.items.map((item) => [item.id, item]));
  const states = new Map(
    snapshot.states.flatMap((state) => (state.personId === personId ? [[state.itemId, state] as const] : [])),
  );
  const items = snapshot.assignments
    .filter((assignment) => assignment.personId === personId)
    .sort((a, b) => a.position - b.position)
    .flatMap(({ itemId }): WorkItem[] => {
      const record = records.get(itemId);
      if (record === undefined) return [];
      const state = states.get(itemId);
      const cells = new Map(state?.cells.map(({ field, part, value }) => [cellKey(field, part), value]));
      return [
        {
          record,
          content: contentOf(record),
          asked: fieldsFor(snapshot.form, person.groups, record),
          committed: workState(state) === 'done',
          version: state?.version ?? 0,
          cells: state?.cells ?? [],
          answer: (field, part) => cells.get(cellKey(field, part)) ?? null,
        },
      ];
    });
  return { person, items };
}

export function cellKey(field: string, part: string | null): string {
  return JSON.stringify([field, part]);
}

/** The claims as they stand: what was proposed, until the person has changed something. */
export function currentClaims(item: WorkItem, field: string): readonly ItemAnswer[] {
  const value = item.answer(field, null);
  return isAnswerList(value) ? value : proposedClaims(item, field);
}

export function proposedClaims(item: WorkItem, field: string): ItemAnswer[] {
  return proposedFor(item.record, field).map(({ id, start, end, text }) => ({
    id,
    start,
    end,
    text,
    label: null,
    from: [id],
  }));
}
