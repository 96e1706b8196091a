import type { ReviewSection } from '../recipe/review-section.ts';
import { majorityVote } from '../stats/agreement/majority-vote.ts';
import type { Rating } from '../stats/agreement/rating.ts';
import type { CellValue } from '../store/review-records.ts';
import { answersWanted } from './assignments.ts';
import type { ReviewedItem } from './review-work.ts';
import { fieldOf } from './questions.ts';

/**
 * How an answer came about. `agreed`: as many as it takes said the same and nobody anything else; `majority`: as many as
 * it takes, others differ; `adjudicated`: an adjudicator decided; `single`: one answer was wanted, and is there;
 * `disputed`: answers differ and nothing has settled it; `undecided`: too few have answered.
 */
export type How = 'agreed' | 'majority' | 'adjudicated' | 'single' | 'disputed' | 'undecided';

export interface ReviewOutcome {
  readonly value: Rating | null;
  readonly how: How;
  /** Why there is no value; of a decision, what the adjudicator wrote. */
  readonly reason: string | null;
  /** Most votes first. */
  readonly votes: readonly { readonly value: Rating; readonly count: number }[];
  readonly raters: number;
}

/** How many are to answer, of which more than half have to agree: as many as the form wants, or else all who were asked. */
export function quorumFor(form: ReviewSection, reviewed: ReviewedItem, name: string): number {
  const field = fieldOf(form, name);
  return (field === null ? null : answersWanted(form, field)) ?? reviewed.asked(name).people;
}

/**
 * The answer that more than half of those gave whom the form wants (2 of 3, 2 of 2), if no other has as many votes.
 * More answers than are wanted raise what it takes. One answer is an outcome only where one is wanted.
 */
export function tallyVotes(ratings: readonly Rating[], wanted: number): ReviewOutcome {
  if (ratings.length === 0) return noOutcome('nobody has committed an answer to it');
  const of = Math.max(wanted, ratings.length);
  const [vote] = majorityVote([ratings], { quorum: Math.floor(of / 2) + 1, of }).items;
  const { label, disputed, reason, votes } = vote!;
  const counted = { votes: votes.map((one) => ({ value: one.label, count: one.count })), raters: ratings.length };
  if (of === 1) return { ...counted, value: ratings[0]!, how: 'single', reason: null };
  if (label === null) return { ...counted, value: null, how: disputed ? 'disputed' : 'undecided', reason };
  return { ...counted, value: label, how: votes.length === 1 ? 'agreed' : 'majority', reason: null };
}

export function noOutcome(reason: string): ReviewOutcome {
  return { value: null, how: 'undecided', reason, votes: [], raters: 0 };
}

export function committedRatings({ done }: ReviewedItem, name: string, part: string | null): Rating[] {
  return done.map((work) => work.answer(name, part)).filter(isRating);
}

export function isRating(value: CellValue): value is Rating {
  return typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean';
}
