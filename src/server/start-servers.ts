import type { HealthServerOptions } from './health-server.ts';
import type { ServerOptions } from './langfuse/langfuse-server.ts';
import type { RunningServer } from './listen.ts';
import type { ReviewServerOptions } from './review/review-server.ts';

/*
 * The servers of the library. What they are made of is loaded only here: most programs that use the library never serve.
 */

/** A Langfuse-compatible subset over a store. */
export async function startServer(options: ServerOptions): Promise<RunningServer> {
  return (await import('./langfuse/langfuse-server.ts')).serveLangfuse(options);
}

/** The review app over a store. */
export async function startReviewServer(options: ReviewServerOptions): Promise<RunningServer> {
  return (await import('./review/review-server.ts')).serveReviews(options);
}

/** Health and metrics of a worker. */
export async function startHealthServer(options: HealthServerOptions): Promise<RunningServer> {
  return (await import('./health-server.ts')).serveHealth(options);
}

export interface LiveServerOptions extends Omit<ServerOptions, 'parts'> {
  /** The folder of runs that is shown, with the folders below it. */
  readonly runs: string;
  /** Whether only this machine can reach it, so that nobody needs the link: true for 127.0.0.1 and the like. */
  readonly open: boolean;
}

/** A server with its screens, and the link that opens them. */
export interface LiveServer extends RunningServer {
  readonly link: string;
}

/** Runs, experiments and reviews in a browser, as `assay serve` shows them, with the Langfuse-compatible subset. */
export async function startLiveServer({ runs, open, ...options }: LiveServerOptions): Promise<LiveServer> {
  const { runsPart, viewToken } = await import('./runs/runs-part.ts');
  const { store, keys } = options;
  const token = open ? null : viewToken(keys.secretKey);
  const server = await startServer({ ...options, parts: [runsPart({ store, keys, runs, token })] });
  return { ...server, link: token === null ? server.url : `${server.url}/#${token}` };
}
