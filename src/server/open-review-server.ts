import type { RunningServer } from './listen.ts';
import type { ReviewServerOptions } from './review/start-review-server.ts';

/** The review app over a store. What it is made of is read only here: most who use the library never serve. */
export async function startReviewServer(options: ReviewServerOptions): Promise<RunningServer> {
  return (await import('./review/start-review-server.ts')).startReviewServer(options);
}
