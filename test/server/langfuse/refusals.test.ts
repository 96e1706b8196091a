import { describe, expect, it } from 'vitest';

import { rawRequest } from './raw-socket.ts';
import { basic, serving } from './serving.ts';

const DATASETS = '/api/public/v2/datasets';
const ITEMS = '/api/public/dataset-items';
const PROMPTS = '/api/public/v2/prompts';
const SPANS = '/api/public/otel/v1/traces';
const MIB = 2 ** 20;

/** Answers of Langfuse 4.16 to what it does not take. */
describe('requests that Langfuse does not take', () => {
  it('are those above 4.5 MB: 413 in plain text, and the connection is closed', async () => {
    const { url, store, ask } = await serving();
    store.datasets.save({ name: 'd' });
    const head = JSON.stringify({ datasetName: 'd', id: 'i', input: '' }).length;
    const item = (bytes: number) => JSON.stringify({ datasetName: 'd', id: 'i', input: 'x'.repeat(bytes - head) });
    expect(await ask('POST', ITEMS, item(4.5 * MIB))).toMatchObject({ status: 200 });
    const headers = { authorization: basic(), 'content-type': 'application/json', connection: 'keep-alive' };
    const length = { 'content-length': String(4.5 * MIB + 1) };
    const { status, headers: sent, body } = await rawRequest(url, 'POST', ITEMS, { ...headers, ...length });
    expect([status, sent.get('connection'), sent.get('content-type'), body]).toEqual([
      413,
      'close',
      'text/plain; charset=utf-8',
      'Body exceeded 4.5mb limit',
    ]);
    // Spans go another way, which takes more.
    expect((await ask('POST', SPANS, { resourceSpans: [], more: 'x'.repeat(5 * MIB) })).status).toBe(200);
  });

  it.each([
    ['a value', { input: { a: ['\ud800'] } }],
    ['a key', { metadata: { 'b\udc00': 1 } }],
    ['an id', { id: 'c\ud800' }],
  ])('are those with half of a character in %s: 500, and nothing is kept', async (_, fields) => {
    const { store, ask } = await serving();
    store.datasets.save({ name: 'd' });
    const { status, body } = await ask('POST', ITEMS, { datasetName: 'd', id: 'i', input: 1, ...fields });
    expect([status, body]).toMatchObject([500, { message: 'Internal Server Error' }]);
    expect([...store.datasets.items('d')]).toEqual([]);
    // Two halves are one character.
    expect((await ask('POST', ITEMS, { datasetName: 'd', id: 'i', input: { '🎉': '🎉' } })).status).toBe(200);
  });

  it('are datasets and prompts with half of a character, or with an empty step in the name', async () => {
    const { ask } = await serving();
    expect((await ask('POST', DATASETS, { name: 'a', metadata: { a: '\ud800' } })).status).toBe(500);
    expect((await ask('POST', PROMPTS, { name: 'a', prompt: '\ud800' })).status).toBe(500);
    for (const name of ['a//b', '/a', 'a/', ' ', '<b>']) {
      expect([name, (await ask('POST', DATASETS, { name })).status]).toEqual([name, 400]);
      expect([name, (await ask('POST', PROMPTS, { name, prompt: 'x' })).status]).toEqual([name, 400]);
    }
    expect((await ask('GET', DATASETS)).body).toMatchObject({ data: [] });
  });

  it.each([
    ['a keyword without its type', { minLength: 1 }],
    ['an unknown keyword', { type: 'string', nonsense: 1 }],
    ['another dialect', { $schema: 'https://json-schema.org/draft/2020-12/schema', type: 'string' }],
    ['more than 10,000 characters', { type: 'string', description: 'x'.repeat(10_000) }],
    ['a list', []],
  ])('are schemas with %s', async (_, inputSchema) => {
    const { ask } = await serving();
    const { status, body } = await ask('POST', DATASETS, { name: 'd', inputSchema });
    expect([status, body]).toMatchObject([
      400,
      { error: [{ path: ['inputSchema'], message: 'Must be a valid JSON Schema' }] },
    ]);
  });

  // Its DatasetItemValidator cleans values, not keys, and jsonb has no U+0000.
  it('do not include control characters in values, which are taken out; U+0000 in a key is a 500', async () => {
    const { store, ask } = await serving();
    store.datasets.save({ name: 'd' });
    const save = (input: object) => ask('POST', ITEMS, { datasetName: 'd', id: 'i', input });
    expect((await save({ 'a\u0001': 'c\u0000d\u0001e\tf' })).body).toMatchObject({
      input: { 'a\u0001': 'cde\tf' },
    });
    expect((await save({ 'a\u0000': 1 })).status).toBe(500);
  });
});
