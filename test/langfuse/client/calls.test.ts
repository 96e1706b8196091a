import { createServer } from 'node:net';
import type { AddressInfo } from 'node:net';

import { describe, expect, it } from 'vitest';

import { UsageError } from '../../../src/data/problems.ts';
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

function limited(retryAfter: string): Misdeed {
  return { do: 'answer', status: 429, retryAfter };
}
