import type { NewReviewEvent, ReviewCell, ReviewItemRecord } from '../../src/store/review-records.ts';
import type { PersonSave, ReviewInit } from '../../src/store/reviews.ts';

export function itemOf(id: string, given: Partial<ReviewItemRecord> = {}): Omit<ReviewItemRecord, 'reviewId'> {
  return {
    id,
    kind: 'answer',
    caseId: `case of ${id}`,
    system: 'first',
    language: 'en',
    content: { title: id },
    hidden: { gold: 'vata' },
    ...given,
  };
}

export function personOf(id: string, given: Partial<PersonSave> = {}): PersonSave {
  return {
    id,
    name: `name of ${id}`,
    role: 'reviewer',
    groups: ['expert'],
    generation: 1,
    tokenHash: `hash of ${id}`,
    expiresAt: '2030-01-01T00:00:00.000Z',
    revokedAt: null,
    ...given,
  };
}

/** Anna has b and then a to look at, Ben has a alone; c is nobody's. */
export const PILOT: ReviewInit = {
  name: 'pilot',
  seed: 42,
  task: 'consult',
  form: { title: 'Review', fields: {} },
  origin: { recipe: 'consult/ayurmind' },
  items: [itemOf('a'), itemOf('b'), itemOf('c', { kind: 'case', system: null, language: null })],
  people: [personOf('anna'), personOf('ben'), personOf('jo', { role: 'adjudicator', groups: [] })],
  assignments: [
    { personId: 'anna', itemId: 'a', position: 1 },
    { personId: 'anna', itemId: 'b', position: 0 },
    { personId: 'ben', itemId: 'a', position: 0 },
  ],
};

/** A review beside it, of which nothing may be seen in the first. */
export const OTHER: ReviewInit = {
  name: 'other',
  seed: 7,
  task: 'pii',
  form: null,
  origin: null,
  items: [itemOf('x')],
  people: [personOf('zoe')],
  assignments: [{ personId: 'zoe', itemId: 'x', position: 0 }],
};

/** `said('e1', 'a', 'anna', 'rating/safety', 4)`: no slash means no part. */
export function said(
  id: string,
  itemId: string,
  personId: string,
  question: string,
  value: ReviewCell['value'],
): NewReviewEvent {
  const [field = '', part = null] = question.split('/');
  return { id, itemId, personId, field, part, value, origin: 'app' };
}
