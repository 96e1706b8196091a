import { onTestFinished } from 'vitest';

import { serveReviews } from '../../../src/server/review/review-server.ts';
import type { ReviewText } from '../../../src/store/review-records.ts';
import { temporaryFolder } from '../../cli/run-assay.ts';
import { makeConsultations, type TestReview } from './consultations.ts';

export interface Serving extends TestReview {
  readonly url: string;
  readonly linkTo: (name: string) => string;
}

/** The consultations behind a server on a port of its own; both are gone when the test ends. */
export async function servingConsultations(
  cases = 5,
  alsoReviewing: readonly string[] = [],
  texts: readonly ReviewText[] = [],
): Promise<Serving> {
  const review = makeConsultations(temporaryFolder(), cases, alsoReviewing, texts);
  onTestFinished(() => review.store.close());
  const server = await serveReviews({ store: review.store, log: () => {}, host: '127.0.0.1', port: 0 });
  onTestFinished(() => server.close());
  return { ...review, url: server.url, linkTo: (name) => review.link(name, server.url) };
}
