import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

import type { FastClock } from './fast-clock.ts';
import { answerOf, type Kept } from './recording-answers.ts';

export const PUBLIC_KEY = 'pk-lf-recording-12345678';
export const SECRET_KEY = 'sk-lf-recording-87654321';

const REQUEST_MS = 20;

export interface SeenRequest {
  readonly method: string;
  /** Without `/api/public`, names as they were sent. */
  readonly path: string;
  readonly query: URLSearchParams;
  readonly body: Readonly<Record<string, unknown>>;
  readonly headers: IncomingMessage['headers'];
}

/**
 * What may go wrong: the connection ends without a word, nothing comes, a status, or the request is answered as if all
 * were well and is lost.
 */
export type Misdeed =
  | { readonly do: 'drop' | 'silence' | 'lose' }
  /** The connection ends, but what was asked was done. */
  | { readonly do: 'drop-after' }
  | { readonly do: 'answer'; readonly status: number; readonly body?: unknown; readonly retryAfter?: string };

export interface Rule {
  readonly on: RegExp;
  readonly times: number;
  readonly misdeed: Misdeed;
}

export interface Behaviour {
  readonly generation?: 3 | 4 | 'both';
  /** Langfuse 3 before 2026 has no `/v3/scores`. */
  readonly scoresV3?: boolean;
  /** Traces and scores are shown only after a while. */
  readonly showAfterMs?: number;
  /** So many scores a second become visible, in the order in which they come. */
  readonly scoresPerSecond?: number;
  /** Rows are listed twice for so long. */
  readonly mergesAfterMs?: number;
  /** Reads beyond so many in a minute are refused, with the seconds to the next one. */
  readonly readsPerMinute?: number;
  /** Taken, and never shown. */
  readonly losesScore?: (id: string, name: unknown) => boolean;
  /** A span with another start time is another row. */
  readonly keysByStart?: boolean;
  /** What all of these times are measured by. */
  readonly clock?: FastClock;
  /** On `METHOD path`; each is used up by its number of times. */
  readonly rules?: readonly Rule[];
}

export interface RecordingLangfuse {
  readonly url: string;
  readonly environment: Readonly<Record<string, string>>;
  readonly requests: readonly SeenRequest[];
  readonly kept: Kept;
  count(on: RegExp): number;
  /** How many requests were answered with 429. */
  refused(): number;
  close(): Promise<void>;
}

/** A small server that answers like Langfuse of either generation, keeps what it is sent, and misbehaves as told. */
export async function recordingLangfuse(behaviour: Behaviour = {}): Promise<RecordingLangfuse> {
  const requests: SeenRequest[] = [];
  const left = new Map((behaviour.rules ?? []).map((rule) => [rule, rule.times]));
  const kept: Kept = {
    datasets: new Map(),
    items: [],
    runItems: [],
    spans: new Map(),
    scores: new Map(),
    prompts: [],
    clock: 0,
    lastShown: 0,
  };
  const minute = { began: -Infinity, reads: 0, refused: 0 };
  const misdeedFor = (request: SeenRequest): Misdeed | null => {
    const { readsPerMinute } = behaviour;
    if (readsPerMinute !== undefined && request.method === 'GET') {
      const now = behaviour.clock?.now() ?? Date.now();
      if (now >= minute.began + 60_000) Object.assign(minute, { began: now, reads: 0 });
      minute.reads += 1;
      const retryAfter = String(Math.ceil((minute.began + 60_000 - now) / 1000));
      if (minute.reads > readsPerMinute) {
        minute.refused += 1;
        return { do: 'answer', status: 429, retryAfter };
      }
    }
    for (const [rule, times] of left) {
      if (times <= 0 || !rule.on.test(`${request.method} ${request.path}`)) continue;
      left.set(rule, times - 1);
      return rule.misdeed;
    }
    return null;
  };
  const server = createServer((request, response) => {
    void bodyOf(request).then((text) => {
      const url = new URL(request.url ?? '', 'http://localhost');
      const seen: SeenRequest = {
        method: request.method ?? '',
        path: url.pathname.replace('/api/public', ''),
        query: url.searchParams,
        body: text === '' ? {} : (JSON.parse(text) as SeenRequest['body']),
        headers: request.headers,
      };
      requests.push(seen);
      behaviour.clock?.advance(REQUEST_MS);
      respond(response, seen, misdeedFor(seen));
    });
  });
  const respond = (response: ServerResponse, seen: SeenRequest, misdeed: Misdeed | null): void => {
    if (misdeed?.do === 'drop') return void response.socket?.destroy();
    if (misdeed?.do === 'silence') return;
    if (misdeed?.do === 'answer') {
      const headers = misdeed.retryAfter === undefined ? {} : { 'retry-after': misdeed.retryAfter };
      return send(response, misdeed.status, misdeed.body ?? { message: 'as told' }, headers);
    }
    const credentials = Buffer.from(`${PUBLIC_KEY}:${SECRET_KEY}`).toString('base64');
    if (seen.headers.authorization !== `Basic ${credentials}`)
      return send(response, 401, { message: `Invalid credentials ${seen.headers.authorization ?? ''}` });
    const { status, body } = answerOf(seen, kept, behaviour, misdeed?.do === 'lose');
    if (misdeed?.do === 'drop-after') return void response.socket?.destroy();
    send(response, status, body);
  };
  await new Promise<void>((resolve) => {
    server.listen(0, '127.0.0.1', resolve);
  });
  const { port } = server.address() as AddressInfo;
  const url = `http://127.0.0.1:${port}`;
  return {
    url,
    environment: { LANGFUSE_BASE_URL: url, LANGFUSE_PUBLIC_KEY: PUBLIC_KEY, LANGFUSE_SECRET_KEY: SECRET_KEY },
    requests,
    kept,
    refused: () => minute.refused,
    count: (on) => requests.filter(({ method, path }) => on.test(`${method} ${path}`)).length,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

function send(
  response: ServerResponse,
  status: number,
  body: unknown,
  headers: Readonly<Record<string, string>> = {},
): void {
  const type = typeof body === 'string' ? 'text/html' : 'application/json';
  response
    .writeHead(status, { 'content-type': type, ...headers })
    .end(typeof body === 'string' ? body : JSON.stringify(body));
}

async function bodyOf(request: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk as Buffer);
  return Buffer.concat(chunks).toString();
}
