import { listen, type Patience, type RunningServer } from '../../langfuse/server/listen.ts';
import { reviewApp, type ReviewAppOptions } from './app.ts';
import { ReviewRefusal, refusedBody } from './review-refusal.ts';

export interface ReviewServerOptions extends ReviewAppOptions {
  /** 0 takes any that is free. */
  readonly port: number;
  readonly patience?: Patience;
}

/** Serves all reviews of a store over HTTP. */
export function startReviewServer(options: ReviewServerOptions): Promise<RunningServer> {
  const { host, port, patience, log } = options;
  return listen({
    fetch: reviewApp(options).fetch,
    badRequest: (message) => refusedBody(new ReviewRefusal(400, message)),
    host,
    port,
    patience,
    log,
  });
}
