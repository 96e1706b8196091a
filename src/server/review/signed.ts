import type { Context, Hono } from 'hono';

import type { ReviewPerson, ReviewRole } from '../../store/review-records.ts';
import type { Store } from '../../store/store.ts';
import type { FrozenReview } from './frozen-reviews.ts';
import type { Write } from './grouped-writes.ts';
import { ReviewRefusal } from './review-refusal.ts';

/** Who asks, and the review that their link is for: of no other review does anything get to them. */
export interface Signed {
  readonly person: ReviewPerson;
  readonly review: FrozenReview;
}

export interface SignedEnv {
  readonly Variables: { signed: Signed };
}
export type SignedApp = Hono<SignedEnv>;
export type SignedContext = Context<SignedEnv>;

/** What routes work with. */
export interface Serving {
  readonly store: Store;
  readonly write: Write;
  readonly bodyLimit: number;
  readonly now: () => Date;
}

const ROLES: Readonly<Record<ReviewRole, string>> = {
  reviewer: 'reviewers',
  adjudicator: 'adjudicators',
  owner: 'the owner of the review',
};

export function signedAs(context: SignedContext, role: ReviewRole): Signed {
  const signed = context.get('signed');
  if (signed.person.role === role) return signed;
  throw new ReviewRefusal(403, `This is for ${ROLES[role]}, and your link is for ${ROLES[signed.person.role]}.`, {
    next: 'Go back to the page that your link opens.',
    reason: `a link for ${ROLES[signed.person.role]}`,
  });
}
