import type { RunningServer, ServerOptions } from '../langfuse/start-server.ts';

export interface LiveServerOptions extends Omit<ServerOptions, 'more'> {
  /** The folder of runs that is shown, also those further down. */
  readonly runs: string;
  /** Whether only this machine can reach it, so that nobody needs the link: true for 127.0.0.1 and the like. */
  readonly open: boolean;
}

/** A server with its screens, and the link that opens them. */
export interface LiveServer extends RunningServer {
  readonly link: string;
}

/**
 * Runs, experiments and reviews in a browser, as `assay serve` shows them, beside the Langfuse-compatible part. What it is
 * made of is read only here: most who use the library never serve.
 */
export async function startLiveServer({ runs, open, ...options }: LiveServerOptions): Promise<LiveServer> {
  const [{ startServer }, { serveLive }, { viewToken }] = await Promise.all([
    import('../langfuse/start-server.ts'),
    import('./live-app.ts'),
    import('./entry.ts'),
  ]);
  const token = open ? null : viewToken(options.keys.secretKey);
  const { store, log } = options;
  const more: NonNullable<ServerOptions['more']> = (app) =>
    serveLive(app, { store, runs, token, ...(log === undefined ? {} : { log }) });
  const server = await startServer({ ...options, more });
  return { ...server, link: token === null ? server.url : `${server.url}/#${token}` };
}
