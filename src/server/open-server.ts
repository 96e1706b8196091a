import type { RunningServer, ServerOptions } from './langfuse/start-server.ts';

/** The embedded server over a store. What it is made of is read only here: most who use the library never serve. */
export async function startServer(options: ServerOptions): Promise<RunningServer> {
  return (await import('./langfuse/start-server.ts')).startServer(options);
}
