import { type AppOptions, langfuseApp } from './app.ts';
import { listen, type Patience, type RunningServer } from '../listen.ts';
import { refusalBody } from '../refusal.ts';

export type { Patience, RunningServer } from '../listen.ts';

export interface ServerOptions extends AppOptions {
  /** 0 takes any that is free. */
  readonly port: number;
  readonly patience?: Patience;
}

export function startServer(options: ServerOptions): Promise<RunningServer> {
  const { host = '127.0.0.1', port, patience, log } = options;
  return listen({
    fetch: langfuseApp({ ...options, host }).fetch,
    badRequest: (message) => refusalBody(400, message),
    host,
    port,
    patience,
    log,
  });
}
