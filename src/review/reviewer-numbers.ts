import { hash } from 'node:crypto';

import type { ReviewPerson } from '../store/review-records.ts';

/**
 * What reviewers are called before others: `Reviewer 1` and so on. The order is by a hash of review and person, the same
 * at every look, and follows neither names nor the order in which people were entered.
 */
export function reviewerNumbers(people: readonly ReviewPerson[]): ReadonlyMap<string, string> {
  const keyed = people
    .filter(({ role }) => role === 'reviewer')
    .map(({ id, reviewId }) => ({ id, key: hash('sha256', JSON.stringify([reviewId, id])) }))
    .toSorted((a, b) => (a.key < b.key ? -1 : 1));
  return new Map(keyed.map(({ id }, at) => [id, `Reviewer ${at + 1}`]));
}
