import { afterEach, expect, it } from 'vitest';

import { singleCalls } from '../../../src/experiment/batch/single-calls.ts';
import { completion, json, modelServer, type ModelServer, silent } from '../models/model-server.ts';

let server: ModelServer | undefined;
afterEach(async () => {
  await server?.close();
});

it('a single call is what a batch does not answer, unchanged', async () => {
  server = await modelServer(json(400, { error: 'no' }, { 'x-request-id': 'r1' }));
  const response = await singleCalls({ timeoutMs: 5000, atOnce: 2 })(server.url, { method: 'POST', body: '{"a":1}' });
  expect([response.status, await response.text()]).toEqual([400, '{"error":"no"}']);
  expect(response.headers.get('x-request-id')).toBe('r1');
  expect(server.requests[0]?.body).toEqual({ a: 1 });
});

it('single calls keep to their time, and to so many at once', async () => {
  server = await modelServer(silent, completion('yes'));
  const fetch = singleCalls({ timeoutMs: 150, atOnce: 1 });
  const [first, second] = await Promise.allSettled([fetch(server.url), fetch(server.url)]);
  expect(first).toMatchObject({ status: 'rejected', reason: { kind: 'timeout' } });
  expect(second).toMatchObject({ status: 'fulfilled' });
});

it('a refusal holds up the calls behind it', async () => {
  server = await modelServer(json(429, {}, { 'retry-after-ms': '200' }), completion('yes'));
  const fetch = singleCalls({ timeoutMs: 5000, atOnce: 1 });
  const start = performance.now();
  expect((await fetch(server.url)).status).toBe(429);
  expect((await fetch(server.url)).status).toBe(200);
  expect(performance.now() - start).toBeGreaterThan(195);
});
