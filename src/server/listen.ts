import { once } from 'node:events';
import { createServer } from 'node:http';

import { getRequestListener } from '@hono/node-server';
import type { Hono } from 'hono';
import { z } from 'zod';

import { UsageError } from '../data/problems.ts';
import { errorCode } from '../data/source.ts';
import { isClimbing, SECURITY_HEADERS } from './guard.ts';
import { Refusal } from './refusal.ts';
import { JSON_TYPE } from './server-app.ts';
import { addressUrl } from './server-urls.ts';

/** How long a client may take, so that slow ones cannot hold all connections. */
export interface ClientPatience {
  /** Until all headers are there. */
  readonly headersMs: number;
  /** Until the whole request is there. */
  readonly requestMs: number;
  /** Between requests of one connection. */
  readonly idleMs: number;
}

export interface ListenOptions {
  readonly app: Pick<Hono, 'fetch'>;
  readonly refusalBody: (refusal: Refusal) => string;
  readonly host: string;
  /** 0 takes any that is free. */
  readonly port: number;
  /** Flag that names another port. */
  readonly portFlag?: string;
  readonly patience?: ClientPatience | undefined;
  readonly log: (line: string) => void;
}

export interface RunningServer {
  readonly url: string;
  /** Takes no further requests; those under way have a moment to end. */
  close(): Promise<void>;
}

const DEFAULT_PATIENCE: ClientPatience = { headersMs: 10_000, requestMs: 60_000, idleMs: 30_000 };
const LONGEST_CLOSING_MS = 1000;
/** Clients such as the SDK send all that waits at once, each part over a separate connection. */
const BACKLOG = 2048;
const MOST_CONNECTIONS = 4096;
const HEADERS = { ...SECURITY_HEADERS, ...JSON_TYPE };

/** What a review server asks of requests without a link. */
export const REVIEW_REALM = 'Bearer realm="assay review"';
/** Follows our version where Langfuse has its own, so that clients can see what answers. */
export const SERVED_SUFFIX = '+assay';
const PROBE_MS = 500;

/** Answers over HTTP until it is closed. */
export async function listen(options: ListenOptions): Promise<RunningServer> {
  const { app, host, port, portFlag = '--port', refusalBody, log, patience = DEFAULT_PATIENCE } = options;
  const badRequest = (message: string): string => refusalBody(new Refusal(400, message));
  const answer = getRequestListener(app.fetch, {
    // The rest of this process keeps its own Request and Response.
    overrideGlobalObjects: false,
    errorHandler: () => new Response(badRequest('The request cannot be read.'), { status: 400, headers: HEADERS }),
  });
  const timeouts = {
    headersTimeout: patience.headersMs,
    requestTimeout: patience.requestMs,
    keepAliveTimeout: patience.idleMs,
    connectionsCheckingInterval: Math.min(patience.headersMs, 5000),
  };
  const server = createServer(timeouts, (request, response) => {
    // Checked as it came over the wire: what reads it next turns `/a/../b` into `/b`.
    if (!isClimbing(request.url ?? '')) return void answer(request, response);
    log(`${request.method ?? ''} a path that climbs 400`);
    response.writeHead(400, { ...HEADERS, connection: 'close' });
    response.end(badRequest('The path is not one that can be asked for.'));
  });
  server.maxConnections = MOST_CONNECTIONS;
  try {
    server.listen({ port, host, backlog: BACKLOG });
    await once(server, 'listening');
  } catch (error) {
    throw await listenProblem(error, host, port, portFlag);
  }
  const address = server.address();
  if (address === null || typeof address === 'string') throw new Error('the server has no address');
  return {
    url: urlOf(host, address.port),
    close: () =>
      new Promise((resolve) => {
        const force = setTimeout(() => server.closeAllConnections(), LONGEST_CLOSING_MS);
        server.close(() => {
          clearTimeout(force);
          resolve();
        });
        server.closeIdleConnections();
      }),
  };
}

async function listenProblem(error: unknown, host: string, port: number, flag: string): Promise<unknown> {
  switch (errorCode(error)) {
    case 'EADDRINUSE': {
      const program = await programAt(urlOf(host, port));
      const also =
        program === 'assay review serve'
          ? 'It serves all reviews of its data folder, also those created since it started. '
          : '';
      return new UsageError(
        `port ${port} of ${host} is taken${program === null ? ' by another program' : `: another ${program} runs there`}`,
        `${also}Name another port with ${flag}, or take any free one with ${flag} 0.`,
      );
    }
    case 'EACCES':
      return new UsageError(`you may not use port ${port}`, `Name one from 1024 on with ${flag}.`);
    case 'EADDRNOTAVAIL':
    case 'ENOTFOUND':
    case 'EAI_AGAIN':
      return new UsageError(`${host} is not an address of this machine`, 'Leave out --host to listen on 127.0.0.1.');
    default:
      return error;
  }
}

/** Which of our programs answers there; null for any other. */
async function programAt(url: string): Promise<string | null> {
  try {
    const signal = AbortSignal.timeout(PROBE_MS);
    const answer = await fetch(`${url}/api/public/health`, { signal, redirect: 'error' });
    if (answer.headers.get('www-authenticate') === REVIEW_REALM) return 'assay review serve';
    const { version } = z.object({ version: z.string() }).parse(await answer.json());
    return version.endsWith(SERVED_SUFFIX) ? 'assay serve' : null;
  } catch {
    return null;
  }
}

/** Where a client on this machine finds it. */
function urlOf(host: string, port: number): string {
  return addressUrl(host === '0.0.0.0' ? '127.0.0.1' : host === '::' ? '::1' : host, port);
}
