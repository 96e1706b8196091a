import type { ReviewField } from '../recipe/review-section.ts';
import type { Decision } from '../store/review-records.ts';
import { claimsOf } from './claims.ts';
import { type ReviewedItem, reviewedItem } from './committed-work.ts';
import { fieldOf } from './questions.ts';
import type { ReviewSnapshot } from './snapshot.ts';
import { isRating, noOutcome, type Outcome, quorumFor, ratingsOf, settle } from './vote.ts';

export type { ClaimOutcome } from './claims.ts';
export { claimsOf } from './claims.ts';
export type { How, Outcome } from './vote.ts';

/**
 * The outcome of a question about an item: a decision where there is one, else the vote of those who have committed. On a
 * scale whose differences go to the adjudicator, a majority is not enough. A comment has no outcome; what is labelled thing
 * by thing has one for each, by its place as part (`claimsOf` has them all).
 */
export function outcomeOf(snapshot: ReviewSnapshot, itemId: string, name: string, part: string | null): Outcome {
  const reviewed = reviewedItem(snapshot, itemId);
  const field = fieldOf(snapshot.form, name);
  if (reviewed === null || field === null) return noOutcome('the review has no such question');
  if (field.type === 'text') return noOutcome('a comment has no outcome');
  if (field.type === 'items') {
    const claim = claimsOf(snapshot, itemId, name).find((one) => one.part === part);
    if (claim === undefined) return noOutcome('nobody sees anything there');
    return { value: claim.label, how: claim.how, reason: claim.reason, votes: claim.votes, raters: claim.raters };
  }
  const settled = settle(ratingsOf(reviewed, name, part), quorumFor(snapshot.form, reviewed, name));
  const decision = decisionOn(reviewed, name, part);
  if (decision !== null && isRating(decision.value))
    return { ...settled, value: decision.value, how: 'adjudicated', reason: decision.because };
  if (field.type === 'scale' && isAdjudicated(field) && settled.votes.length > 1)
    return { ...settled, value: null, how: 'disputed', reason: 'the ratings differ, and differences are adjudicated' };
  return settled;
}

/** Whether differing answers go to the adjudicator: as the form sets it, else yes but for scales and texts. */
export function isAdjudicated(field: ReviewField): boolean {
  if (field.type === 'text') return false;
  return field.adjudicate ?? field.type !== 'scale';
}

/** The decision that holds on a question; null if absent. */
export function decisionOn({ decisions }: ReviewedItem, name: string, part: string | null): Decision | null {
  return decisions.find((decision) => decision.field === name && decision.part === part) ?? null;
}
