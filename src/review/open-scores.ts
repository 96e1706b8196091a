import type { Environment } from '../experiment/models/access.ts';
import type { Store } from '../store/store.ts';
import type { SentScores } from './send-scores.ts';
import type { ReviewSnapshot } from './snapshot.ts';

/** One score for each reviewer and answer, into the store's own scores. */
export async function keepReviewScores(store: Store, snapshot: ReviewSnapshot): Promise<SentScores> {
  return (await import('./send-scores.ts')).keepScores(store, snapshot);
}

/** The same to Langfuse, with its keys from the environment; its client is read only here. */
export async function sendReviewScores(environment: Environment, snapshot: ReviewSnapshot): Promise<SentScores> {
  return (await import('./send-scores.ts')).sendScores(environment, snapshot);
}
