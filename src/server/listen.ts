import { once } from 'node:events';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

import { getRequestListener } from '@hono/node-server';

import { UsageError } from '../data/problems.ts';
import { errorCode } from '../data/source.ts';
import { isClimbing } from './climbing-path.ts';
import { portTaken } from './port-taken.ts';
import { SECURITY_HEADERS } from './security-headers.ts';

/** How long a client may take, so that slow ones cannot hold all connections. */
export interface Patience {
  /** Until all headers are there. */
  readonly headersMs: number;
  /** Until the whole request is there. */
  readonly requestMs: number;
  /** Between requests of one connection. */
  readonly idleMs: number;
}

export interface ListenOptions {
  /** What answers, once a request can be read and its path does not climb. */
  readonly fetch: Parameters<typeof getRequestListener>[0];
  /** The body of a bad request, as JSON in the way of this server. */
  readonly badRequest: (message: string) => string;
  readonly host: string;
  /** 0 takes any that is free. */
  readonly port: number;
  readonly patience?: Patience | undefined;
  /** Gets a line for a request that was refused. */
  readonly log?: ((line: string) => void) | undefined;
}

export interface RunningServer {
  readonly url: string;
  /** Nothing new is taken; what is under way has a moment to end. */
  close(): Promise<void>;
}

const DEFAULT_PATIENCE: Patience = { headersMs: 10_000, requestMs: 60_000, idleMs: 30_000 };
const LONGEST_CLOSING_MS = 1000;
/** Clients such as the SDK send all that waits at once, each part over a connection of its own. */
const BACKLOG = 2048;
const MOST_CONNECTIONS = 4096;
const HEADERS = { ...SECURITY_HEADERS, 'content-type': 'application/json; charset=utf-8' };

/** Answers over HTTP until it is closed. */
export async function listen(options: ListenOptions): Promise<RunningServer> {
  const { host, port, badRequest, patience = DEFAULT_PATIENCE } = options;
  const answer = getRequestListener(options.fetch, {
    // The rest of this process keeps its own Request and Response.
    overrideGlobalObjects: false,
    errorHandler: () => new Response(badRequest('The request cannot be read.'), { status: 400, headers: HEADERS }),
  });
  const server = createServer(
    {
      headersTimeout: patience.headersMs,
      requestTimeout: patience.requestMs,
      keepAliveTimeout: patience.idleMs,
      connectionsCheckingInterval: Math.min(patience.headersMs, 5000),
    },
    (request, response) => {
      // Looked at as it came: what reads it next makes `/a/../b` into `/b`.
      if (isClimbing(request.url ?? '')) refuse(request, response, options);
      else void answer(request, response);
    },
  );
  server.maxConnections = MOST_CONNECTIONS;
  await listening(server, host, port);
  const { port: taken } = addressOf(server);
  return { url: urlOf(host, taken), close: () => closed(server) };
}

function refuse(request: IncomingMessage, response: ServerResponse, { badRequest, log }: ListenOptions): void {
  log?.(`${request.method ?? ''} a path that climbs 400`);
  response.writeHead(400, { ...HEADERS, connection: 'close' });
  response.end(badRequest('The path is not one that can be asked for.'));
}

async function listening(server: Server, host: string, port: number): Promise<void> {
  server.listen({ port, host, backlog: BACKLOG });
  try {
    await once(server, 'listening');
  } catch (error) {
    throw error instanceof Error ? await problemOf(error, host, port) : error;
  }
}

async function problemOf(error: Error, host: string, port: number): Promise<Error> {
  switch (errorCode(error)) {
    case 'EADDRINUSE':
      return portTaken(host, port);
    case 'EACCES':
      return new UsageError(`port ${port} may not be used by you`, 'Name one from 1024 on with --port.');
    case 'EADDRNOTAVAIL':
    case 'ENOTFOUND':
    case 'EAI_AGAIN':
      return new UsageError(`${host} is no address of this machine`, 'Leave --host away to listen on 127.0.0.1.');
    default:
      return error;
  }
}

/** Where a client of this machine finds it. */
function urlOf(host: string, port: number): string {
  const name = host === '0.0.0.0' ? '127.0.0.1' : host === '::' ? '::1' : host;
  return `http://${name.includes(':') ? `[${name}]` : name}:${port}`;
}

function addressOf(server: Server): AddressInfo {
  const address = server.address();
  if (address === null || typeof address === 'string') throw new Error('the server has no address');
  return address;
}

function closed(server: Server): Promise<void> {
  return new Promise((resolve) => {
    const force = setTimeout(() => server.closeAllConnections(), LONGEST_CLOSING_MS);
    server.close(() => {
      clearTimeout(force);
      resolve();
    });
    server.closeIdleConnections();
  });
}
