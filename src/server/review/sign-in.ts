import type { ReviewPerson } from '../../store/review-records.ts';
import type { Store } from '../../store/store.ts';
import { hashToken } from '../../review/tokens.ts';
import { ReviewRefusal } from './review-refusal.ts';

const LONGEST_TOKEN = 200;

/** Whom the token of an Authorization header belongs to. Nobody learns how near a wrong one came. */
export function signedIn(store: Store, header: string | undefined, now: Date): ReviewPerson {
  const token = /^Bearer ([\w-]+)$/i.exec(header ?? '')?.[1];
  if (token === undefined) {
    throw new ReviewRefusal(401, 'The link that opened this page carries no key.', {
      next: 'Open the whole link that was sent to you, with everything after the #.',
      reason: header === undefined ? 'no token' : 'no token that could be one',
    });
  }
  const person = token.length > LONGEST_TOKEN ? null : store.reviews.personByToken(hashToken(token));
  if (person === null) {
    throw new ReviewRefusal(401, 'This link is not, or no longer, a link to a review.', {
      next: 'Open the newest link that was sent to you, or ask for a new one.',
      reason: 'a token of nobody',
    });
  }
  if (person.revokedAt !== null) {
    throw new ReviewRefusal(401, `This link has been withdrawn; ask ${ownerOf(store, person)} for a new one.`, {
      reason: 'a token that was withdrawn',
    });
  }
  if (!(now.getTime() < Date.parse(person.expiresAt))) {
    throw new ReviewRefusal(401, `This link has expired; ask ${ownerOf(store, person)} for a new one.`, {
      next: 'Nothing that you saved is lost.',
      reason: 'a token that has expired',
    });
  }
  return person;
}

function ownerOf(store: Store, { reviewId, id }: ReviewPerson): string {
  const owner = store.reviews.people(reviewId).find((one) => one.role === 'owner' && one.id !== id);
  return owner?.name ?? 'whoever sent it to you';
}
