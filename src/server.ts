/** The servers of runs, reviews and the Langfuse API. */

export { type Keys, serverKeys } from './server/langfuse/keys.ts';
export type { ServerOptions } from './server/langfuse/langfuse-server.ts';
export type { RunningServer } from './server/listen.ts';
export type { ReviewServerOptions } from './server/review/review-server.ts';
export { serverUrls } from './server/server-urls.ts';
export {
  type LiveServer,
  type LiveServerOptions,
  startHealthServer,
  startLiveServer,
  startReviewServer,
  startServer,
} from './server/start-servers.ts';
