import type { RunningServer } from '../langfuse/server/listen.ts';
import type { ReviewServerOptions } from './server/start-review-server.ts';

/** The review app over a store. What it is made of is read only here: most who use the library never serve. */
export async function startReviewServer(options: ReviewServerOptions): Promise<RunningServer> {
  return (await import('./server/start-review-server.ts')).startReviewServer(options);
}
