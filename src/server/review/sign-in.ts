import { getConnInfo } from '@hono/node-server/conninfo';
import type { Context } from 'hono';

import { hashToken } from '../../review/review-access.ts';
import type { ReviewPerson, ReviewRole } from '../../store/review-records.ts';
import type { Store } from '../../store/store.ts';
import { refuseOtherSites } from '../guard.ts';
import { REVIEW_REALM } from '../listen.ts';
import { Refusal, type RefusalDetails } from '../refusal.ts';
import type { RouteGate } from '../server-app.ts';
import { type FrozenReview, frozenReviews } from './frozen-reviews.ts';
import type { Write } from './grouped-writes.ts';

/** Who asks, and the review that their link is for: of no other review does anything get to them. */
export interface Signed {
  readonly person: ReviewPerson;
  readonly review: FrozenReview;
}

/** Lets in the links of one role, or of any. */
type SignIn = (role?: ReviewRole) => RouteGate<Signed>;

/** What routes work with. */
export interface ReviewServing {
  readonly store: Store;
  readonly write: Write;
  readonly bodyLimit: number;
  readonly signIn: SignIn;
}

const LONGEST_TOKEN = 200;
const MOST_FAILED_A_MINUTE = 30;
const MINUTE_MS = 60_000;
/** So that nobody can fill the memory by coming from ever other addresses. */
const MOST_ADDRESSES = 10_000;

const ROLES: Readonly<Record<ReviewRole, string>> = {
  reviewer: 'reviewers',
  adjudicator: 'adjudicators',
  owner: 'the owner of the review',
};

export function signIn(store: Store, now: () => Date): SignIn {
  const isTooMany = failedSignIns(MOST_FAILED_A_MINUTE, now);
  const frozen = frozenReviews(store);
  return (role) => (context) => {
    refuseOtherSites(context);
    const person = personOf(context);
    const signed = { person, review: frozen(person.reviewId) };
    if (role === undefined || person.role === role) return signed;
    throw new Refusal(403, `This is for ${ROLES[role]}, and your link is for ${ROLES[person.role]}.`, {
      next: 'Go back to the page that your link opens.',
      reason: `a link for ${ROLES[person.role]}`,
    });
  };

  function personOf(context: Context): ReviewPerson {
    try {
      return signedIn(store, context.req.header('authorization'), now());
    } catch (error) {
      if (!(error instanceof Refusal) || !isTooMany(addressOf(context))) throw error;
      throw new Refusal(429, 'Too many links from your address were refused within a minute.', {
        next: 'Wait a minute, then open the newest link that was sent to you.',
        reason: 'too many failed sign-ins from one address',
        headers: { 'retry-after': '60' },
      });
    }
  }
}

/** Whose token an Authorization header has. Nothing reveals how close a wrong one came. */
function signedIn(store: Store, header: string | undefined, now: Date): ReviewPerson {
  const token = /^Bearer ([\w-]+)$/i.exec(header ?? '')?.[1];
  if (token === undefined)
    throw notSignedIn('The link that opened this page has no key.', {
      next: 'Open the whole link that was sent to you, with everything after the #.',
      reason: header === undefined ? 'no token' : 'no token that could be one',
    });
  const person = token.length > LONGEST_TOKEN ? null : store.reviews.personByToken(hashToken(token));
  if (person === null)
    throw notSignedIn('This link is not, or no longer, a link to a review.', {
      next: 'Open the newest link that was sent to you, or ask for a new one.',
      reason: 'a token of nobody',
    });
  const owner = store.reviews.people(person.reviewId).find(({ role, id }) => role === 'owner' && id !== person.id);
  const ask = `ask ${owner?.name ?? 'the person who sent it to you'} for a new one.`;
  if (person.revokedAt !== null)
    throw notSignedIn(`This link has been withdrawn; ${ask}`, { reason: 'a token that was withdrawn' });
  if (!(now.getTime() < Date.parse(person.expiresAt)))
    throw notSignedIn(`This link has expired; ${ask}`, {
      next: 'Nothing that you saved is lost.',
      reason: 'a token that has expired',
    });
  return person;
}

function notSignedIn(message: string, details: RefusalDetails): Refusal {
  return new Refusal(401, message, { ...details, headers: { 'www-authenticate': REVIEW_REALM } });
}

function addressOf(context: Context): string {
  try {
    return getConnInfo(context).remote.address ?? '';
  } catch {
    // Not over a socket.
    return '';
  }
}

/**
 * Counts the links that were refused, by address, and gives whether one more is too many for a minute. A good link is let in
 * whatever others do from the same address: many reviewers may share one.
 */
export function failedSignIns(most: number, now: () => Date): (address: string) => boolean {
  const counts = new Map<string, { readonly since: number; count: number }>();
  return (address) => {
    const at = now().getTime();
    const known = counts.get(address);
    const entry = known !== undefined && at - known.since < MINUTE_MS ? known : { since: at, count: 0 };
    entry.count += 1;
    if (entry === known) return entry.count > most;
    // Those that began first come first, and are forgotten first.
    counts.delete(address);
    if (counts.size >= MOST_ADDRESSES) counts.delete(counts.keys().next().value ?? '');
    counts.set(address, entry);
    return entry.count > most;
  };
}
