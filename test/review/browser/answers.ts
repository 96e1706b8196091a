import { randomUUID } from 'node:crypto';

import { reviewSection } from '../../../src/recipe/review-section.ts';
import type { ReviewContent } from '../../../src/review/content.ts';
import { fieldsFor, partsOf } from '../../../src/review/questions.ts';
import {
  type CellValue,
  COMMIT_FIELD,
  type ItemAnswer,
  type ReviewItemRecord,
} from '../../../src/store/review-records.ts';
import { NAME, type TestReview } from './consultations.ts';

/** What somebody says to a question about an item; undefined leaves it to the usual answer. */
export type Says = (field: string, part: string | null, item: ReviewItemRecord) => CellValue | undefined;

/** Answers and commits all of a person's queue straight in the store, as if they had used the app. */
export function answerAll({ store, people }: TestReview, name: string, says: Says): void {
  const review = store.reviews.find(NAME)!;
  const form = reviewSection.parse(review.form);
  const person = people.get(name)!;
  for (const { itemId } of store.reviews.queue(person.id)) {
    const item = store.reviews.item(review.id, itemId)!;
    const cells = fieldsFor(form, person.groups, item).flatMap((field) => {
      const question = form.fields[field]!;
      return partsOf(question).map((part) => ({
        field,
        part,
        value: says(field, part, item) ?? usual(question.type, field, item),
      }));
    });
    const events = [...cells.filter(({ value }) => value !== null), { field: COMMIT_FIELD, part: null, value: true }];
    store.reviews.append(
      events.map((cell) => ({ ...cell, id: randomUUID(), itemId, personId: person.id, origin: 'app' as const })),
    );
  }
}

function usual(type: string, field: string, item: ReviewItemRecord): CellValue {
  switch (type) {
    case 'scale':
      return 4;
    case 'choice':
      return 'vata';
    case 'checklist':
      return true;
    case 'items':
      return labelled(item, field, () => 'grounded');
    default:
      return null;
  }
}

/** The claims as they were proposed, each with its label. */
export function labelled(item: ReviewItemRecord, field: string, label: (index: number) => string): ItemAnswer[] {
  const { proposed } = item.content as ReviewContent;
  return (proposed[field] ?? []).map(({ id, start, end, text }, index) => ({
    id,
    start,
    end,
    text,
    label: label(index),
    from: [id],
  }));
}
