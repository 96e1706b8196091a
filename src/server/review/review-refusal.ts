import type { Refused } from '../../review/api.ts';

export type ReviewRefusalStatus = 400 | 401 | 403 | 404 | 405 | 409 | 413 | 415 | 422 | 429 | 500 | 503;

export interface RefusalDetails {
  /** What whoever reads it can do. */
  readonly next?: string | null;
  /** What the log says, where that is more than the message or has to be less; never anything secret. */
  readonly reason?: string;
  readonly missing?: Refused['missing'];
}

/** Why a request is not answered as asked; message and next step are for the person in front of the app. */
export class ReviewRefusal extends Error {
  readonly status: ReviewRefusalStatus;
  readonly details: RefusalDetails;

  constructor(status: ReviewRefusalStatus, message: string, details: RefusalDetails = {}) {
    super(message);
    this.name = 'ReviewRefusal';
    this.status = status;
    this.details = details;
  }
}

export function refusedBody({ message, details }: ReviewRefusal): string {
  const { next = null, missing } = details;
  const body: Refused = { error: { message, next }, ...(missing === undefined ? {} : { missing }) };
  return JSON.stringify(body);
}

/** One answer for what never was, what is another's and what belongs to another review. */
export function notHere(what: 'item' | 'conflict'): ReviewRefusal {
  return new ReviewRefusal(404, `This ${what} is not here.`, {
    next: what === 'item' ? 'Go back to your queue.' : 'Go back to the list; it may have been settled meanwhile.',
    reason: `no such ${what} for this person`,
  });
}
