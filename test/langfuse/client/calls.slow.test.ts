import { createServer as createHttpServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { createServer } from 'node:net';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { gzipSync } from 'node:zlib';

import { describe, expect, it, onTestFinished, vi } from 'vitest';

import { UsageError } from '../../../src/data/problems.ts';
import { isSameHost } from '../../../src/langfuse/client/bounded-fetch.ts';
import { quickBackend, server } from './quick-backend.ts';
import { PUBLIC_KEY, SECRET_KEY, type Misdeed } from './recording-langfuse.ts';

const DATASETS = /^GET \/v2\/datasets$/;

function always(misdeed: Misdeed, on = DATASETS, times = 99) {
  return { rules: [{ on, times, misdeed }] };
}

async function failureOf(promise: Promise<unknown>): Promise<UsageError> {
  const error: unknown = await promise.then(
    () => null,
    (reason: unknown) => reason,
  );
  expect(error).toBeInstanceOf(UsageError);
  const failure = error as UsageError;
  const pair = Buffer.from(`${PUBLIC_KEY}:${SECRET_KEY}`).toString('base64');
  for (const key of [PUBLIC_KEY, SECRET_KEY, pair])
    expect(`${failure.message} ${failure.next ?? ''}`).not.toContain(key);
  return failure;
}

describe('calls to Langfuse', () => {
  it.each<[string, Misdeed]>([
    ['a dropped connection', { do: 'drop' }],
    ['a server in trouble', { do: 'answer', status: 503 }],
    ['a server that gave up waiting', { do: 'answer', status: 408 }],
  ])('are made again after %s', async (_, misdeed) => {
    const langfuse = await server(always(misdeed, DATASETS, 2));
    expect(await (await quickBackend(langfuse)).datasets()).toEqual([]);
    expect(langfuse.count(DATASETS)).toBe(3);
  });

  it('are given up after a few attempts, with the place and what to do', async () => {
    const langfuse = await server(always({ do: 'drop' }));
    const failure = await failureOf((await quickBackend(langfuse)).datasets());
    expect(failure.message).toBe(
      `cannot list datasets: Langfuse at ${langfuse.url} cannot be reached after 3 attempts (no connection, or it was dropped)`,
    );
    expect(failure.next).toContain('LANGFUSE_BASE_URL');
    expect(langfuse.count(DATASETS)).toBe(3);
    const troubled = await server(always({ do: 'answer', status: 500, body: { message: 'out of disk' } }));
    expect((await failureOf((await quickBackend(troubled)).datasets())).message).toBe(
      `cannot list datasets: Langfuse at ${troubled.url} answers with HTTP 500 after 3 attempts: out of disk`,
    );
  });

  it('wait as long as a server asks that is asked too often, and all of them wait', async () => {
    const rules = [{ on: /^POST \/dataset-items$/, times: 1, misdeed: limited('1') }];
    const langfuse = await server({ rules });
    const backend = await quickBackend(langfuse);
    await backend.saveDataset({ name: 'people' });
    const begun = Date.now();
    await backend.saveItems(
      'people',
      Array.from({ length: 30 }, (_, index) => ({ id: `i${index}`, input: index })),
    );
    expect(Date.now() - begun).toBeGreaterThanOrEqual(900);
    expect(langfuse.kept.items).toHaveLength(30);
    expect(langfuse.count(/^POST \/dataset-items$/)).toBe(31);
  });

  it('do not wait for longer than a minute', async () => {
    const langfuse = await server(always(limited('3600')));
    const failure = await failureOf((await quickBackend(langfuse)).datasets());
    expect(failure.message).toContain('HTTP 429, and asks to wait 3600 s');
    expect(langfuse.count(DATASETS)).toBe(1);
  });

  it('are not made again when they are refused', async () => {
    const langfuse = await server(always({ do: 'answer', status: 400, body: { message: 'limit: too many' } }));
    expect((await failureOf((await quickBackend(langfuse)).datasets())).message).toBe(
      `cannot list datasets: Langfuse at ${langfuse.url} refuses with HTTP 400: limit: too many`,
    );
    expect(langfuse.count(DATASETS)).toBe(1);
  });

  it('end after their time, also when the answer stops half-way', async () => {
    const silent = await server(always({ do: 'silence' }));
    const patience = { timeoutMs: 80, attempts: 2 };
    expect((await failureOf((await quickBackend(silent, { patience })).datasets())).message).toContain(
      'cannot be reached after 2 attempts (no answer within 0.08 s)',
    );
    const halfway = createServer((socket) => {
      socket.on('error', () => undefined);
      socket.write('HTTP/1.1 200 OK\r\ncontent-type: application/json\r\ncontent-length: 100\r\n\r\n{"data":');
    });
    await new Promise<void>((resolve) => {
      halfway.listen(0, '127.0.0.1', resolve);
    });
    const { port } = halfway.address() as AddressInfo;
    const environment = { ...silent.environment, LANGFUSE_BASE_URL: `http://127.0.0.1:${port}` };
    const failure = await failureOf(quickBackend({ environment }, { patience }));
    expect(failure.message).toContain('no answer within');
    halfway.close();
  });

  it('say when an answer does not come from a Langfuse', async () => {
    for (const body of ['<html>Welcome</html>', { hello: 'world' }, []]) {
      const langfuse = await server(always({ do: 'answer', status: 200, body }));
      const failure = await failureOf((await quickBackend(langfuse)).datasets());
      expect(failure.message).toMatch(/^cannot list datasets: the answer of .* is not what Langfuse sends/);
    }
  });

  it('say that the keys are wrong when the backend is opened, without showing them', async () => {
    const langfuse = await server();
    const environment = { ...langfuse.environment, LANGFUSE_SECRET_KEY: 'sk-lf-another-secret' };
    const failure = await failureOf(quickBackend({ environment }));
    expect(failure.message).toContain(`Langfuse at ${langfuse.url} refuses the keys (HTTP 401`);
    const sent = Buffer.from(`${PUBLIC_KEY}:sk-lf-another-secret`).toString('base64');
    expect(failure.message).not.toContain(sent);
    expect(failure.next).toContain('LANGFUSE_PUBLIC_KEY and LANGFUSE_SECRET_KEY');
  });

  it('say that nobody is there when the backend is opened', async () => {
    const gone = await server();
    await gone.close();
    const failure = await failureOf(quickBackend(gone));
    expect(failure.message).toContain(`cannot reach Langfuse: Langfuse at ${gone.url} cannot be reached`);
  });
});

describe('answers of a server', () => {
  const TOO_LONG = 'its answer is longer than 16 MiB and was not read';

  it('that decompress to more than 16 MiB are not read, and not asked for again', async () => {
    const bomb = gzipSync(Buffer.alloc(64 << 20, ' '));
    expect(bomb.length).toBeLessThan(1 << 20);
    const { environment, asked } = await raw((_, response) => {
      response.writeHead(200, { 'content-type': 'application/json', 'content-encoding': 'gzip' }).end(bomb);
    });
    const before = process.memoryUsage().arrayBuffers;
    expect((await failureOf((await quickBackend({ environment })).datasets())).message).toContain(TOO_LONG);
    expect(process.memoryUsage().arrayBuffers - before).toBeLessThan(60 << 20);
    expect(asked).toHaveLength(1);
  });

  it('that never end are not read to their end', async () => {
    let isClosed = false;
    const { environment } = await raw((_, response) => {
      const more = (): void => {
        while (!response.destroyed && response.write(Buffer.alloc(1 << 20, ' ')));
      };
      response.on('drain', more).on('close', () => {
        isClosed = true;
      });
      response.writeHead(200, { 'content-type': 'application/json' });
      more();
    });
    expect((await failureOf((await quickBackend({ environment })).datasets())).message).toContain(TOO_LONG);
    await vi.waitFor(() => expect(isClosed).toBe(true));
  });

  it('that say what went wrong are bounded too', async () => {
    const { environment } = await raw((_, response) => {
      response.writeHead(400, { 'content-type': 'application/json' }).end(Buffer.alloc(17 << 20, ' '));
    });
    expect((await failureOf((await quickBackend({ environment })).datasets())).message).toContain(TOO_LONG);
  });

  it('of up to 16 MiB are read', async () => {
    const description = 'x'.repeat(15 << 20);
    const times = { createdAt: '2026-01-01T00:00:00.000Z', updatedAt: '2026-01-01T00:00:00.000Z' };
    const { environment } = await raw((_, response) => {
      const data = [{ id: 'd', name: 'd', projectId: 'p', description, metadata: {}, ...times }];
      json(response, 200, { data, meta: PAGE });
    });
    const [dataset] = await (await quickBackend({ environment })).datasets();
    expect(dataset?.name).toBe('d');
  });
});

describe('redirects', () => {
  const to =
    (status: number, location: string) =>
    (_: IncomingMessage, response: ServerResponse): void =>
      void response.writeHead(status, { location }).end();

  it('to another host, another port or another name of this one are not followed', async () => {
    const other = await raw((_, response) => json(response, 200, { data: [] }));
    const { port } = new URL(other.url);
    for (const location of [
      `${other.url}/api/public/v2/datasets`,
      `//127.0.0.1:${port}/`,
      `http://localhost:${port}/`,
      `http://127.0.0.1@localhost:${port}/`,
      'https://evil.example/',
      'file:///etc/passwd',
      'http://[broken',
    ]) {
      const { environment, asked, url } = await raw(to(302, location));
      const failure = await failureOf((await quickBackend({ environment })).datasets());
      expect(failure.message).toContain(`Langfuse at ${url} is not trusted: it redirects to `);
      expect(asked).toHaveLength(1);
    }
    expect(other.asked).toEqual([]);
  });

  it('on the same host are followed, with the keys, and with what is sent where the server says so', async () => {
    const { environment, asked } = await raw((request, response) => {
      if (request.url?.startsWith('/moved') !== true) return to(307, `/moved${request.url ?? ''}`)(request, response);
      return json(response, 200, request.method === 'GET' ? { data: [], meta: PAGE } : DATASET);
    });
    const backend = await quickBackend({ environment });
    expect(await backend.datasets()).toEqual([]);
    await backend.saveDataset({ name: 'd' });
    const pair = Buffer.from(`${PUBLIC_KEY}:${SECRET_KEY}`).toString('base64');
    expect(new Set(asked.map(({ authorization }) => authorization))).toEqual(new Set([`Basic ${pair}`]));
    const sent = asked.filter(({ method }) => method === 'POST').map(({ body }) => body);
    expect(sent).toHaveLength(2);
    expect(sent[1]).toBe(sent[0]);
    expect(JSON.parse(sent[0]!)).toMatchObject({ name: 'd' });
  });

  it('that would leave behind what is sent, or never end, are not followed', async () => {
    const away = await raw(to(302, '/elsewhere'));
    const failure = await failureOf((await quickBackend(away)).saveDataset({ name: 'd' }));
    expect(failure.message).toContain('it redirects what is sent to it (HTTP 302)');
    const round = await raw(to(302, '/api/public/v2/datasets'));
    expect((await failureOf((await quickBackend(round)).datasets())).message).toContain(
      'it redirects more than 5 times',
    );
    expect(round.asked).toHaveLength(6);
  });

  it('are followed to https of the same name, and never back', () => {
    const same = (from: string, target: string): boolean => isSameHost(new URL(from), new URL(target));
    expect(same('http://a.example/x', 'https://a.example/x')).toBe(true);
    expect(same('https://a.example/x', 'https://a.example/y')).toBe(true);
    for (const target of [
      'http://a.example/x',
      'https://b.example/',
      'https://a.example:8443/',
      'https://u:p@a.example/',
    ])
      expect(same('https://a.example/x', target), target).toBe(false);
    expect(same('http://a.example:3000/', 'https://a.example/')).toBe(false);
  });

  it('of whatever else fetches in this process are left alone', async () => {
    const other = await raw((_, response) => json(response, 200, { here: true }));
    const { url, environment } = await raw(to(302, `${other.url}/x`));
    await failureOf((await quickBackend({ environment })).datasets());
    expect(await (await fetch(`${url}/x`)).json()).toEqual({ here: true });
  });
});

const PAGE = { page: 1, limit: 50, totalItems: 1, totalPages: 1 };
const DATASET = {
  id: 'd',
  name: 'd',
  projectId: 'p',
  metadata: {},
  createdAt: '2026-01-01T00:00:00.000Z',
  updatedAt: '2026-01-01T00:00:00.000Z',
};

interface Asked {
  readonly method: string;
  readonly authorization: string | undefined;
  readonly body: string;
}

/** A server that knows the keys, and answers everything else as it is told; `asked` is that. */
async function raw(answer: (request: IncomingMessage, response: ServerResponse) => void) {
  const asked: Asked[] = [];
  const http = createHttpServer((request, response) => {
    response.on('error', () => undefined);
    if (request.url === '/api/public/projects') return json(response, 200, { data: [{ id: 'p' }] });
    return void text(request).then((body) => {
      asked.push({ method: request.method ?? '', authorization: request.headers.authorization, body });
      answer(request, response);
    });
  });
  await new Promise<void>((resolve) => {
    http.listen(0, '127.0.0.1', resolve);
  });
  onTestFinished(() => {
    http.closeAllConnections();
    http.close();
  });
  const url = `http://127.0.0.1:${(http.address() as AddressInfo).port}`;
  const environment = { LANGFUSE_PUBLIC_KEY: PUBLIC_KEY, LANGFUSE_SECRET_KEY: SECRET_KEY, LANGFUSE_BASE_URL: url };
  return { url, environment, asked };
}

function json(response: ServerResponse, status: number, body: unknown): void {
  response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body));
}

function limited(retryAfter: string): Misdeed {
  return { do: 'answer', status: 429, retryAfter };
}
