import { listen, type Patience, type RunningServer } from '../listen.ts';
import { reviewApp, type ReviewAppOptions } from './app.ts';
import { type CheckpointPace, Checkpoints } from './checkpoints.ts';
import { groupedWrites } from './grouped-writes.ts';
import { ReviewRefusal, refusedBody } from './review-refusal.ts';

export interface ReviewServerOptions extends ReviewAppOptions {
  /** 0 takes any that is free. */
  readonly port: number;
  readonly patience?: Patience;
  /** How soon the file of the store has what was saved: a second after the last save, unless told. */
  readonly checkpoints?: CheckpointPace;
}

/** Serves all reviews of a store over HTTP. */
export async function startReviewServer(options: ReviewServerOptions): Promise<RunningServer> {
  const { host, port, patience, log, store } = options;
  const checkpoints = new Checkpoints(store, options.checkpoints);
  const write = checkpoints.after(options.write ?? groupedWrites(store));
  const server = await listen({
    fetch: reviewApp({ ...options, write }).fetch,
    badRequest: (message) => refusedBody(new ReviewRefusal(400, message)),
    host,
    port,
    patience,
    log,
  });
  return {
    url: server.url,
    async close() {
      await server.close();
      checkpoints.stop();
    },
  };
}
