import { expect, it } from 'vitest';

import { serving } from './serving.ts';

const DATASETS = '/api/public/v2/datasets';
const ITEMS = '/api/public/dataset-items';

it('a schema that would take for ever keeps nobody waiting for long, and is not tried for ever', async () => {
  const { ask, url } = await serving();
  const inputSchema = { type: 'string', pattern: '(a+)+$' };
  expect((await ask('POST', DATASETS, { name: 'slow', inputSchema })).status).toBe(200);
  const input = `${'a'.repeat(50)}!`;
  const hostile = Array.from({ length: 6 }, () => ask('POST', ITEMS, { datasetName: 'slow', input }));
  const health = await fetch(`${url}/api/public/health`, { signal: AbortSignal.timeout(30_000) });
  expect(health.status).toBe(200);
  const answers = await Promise.all(hostile);
  expect(answers.map(({ status }) => status)).toEqual([400, 400, 400, 400, 400, 400]);
  const messages = answers.map(({ body }) => JSON.stringify(body));
  // Three of a second each; fewer where other programs hold the processor and each takes longer.
  const tried = messages.filter((text) => text.includes('checking by it takes longer than 1 s')).length;
  expect([1, 2, 3]).toContain(tried);
  expect(messages.filter((text) => text.includes('nothing more is checked by them'))).toHaveLength(6 - tried);
});

it('a schema whose references branch without measure is refused with its dataset', async () => {
  const { ask, store } = await serving();
  const steps = Array.from({ length: 30 }, (_, at) => [
    `d${at}`,
    at === 0 ? { type: 'string' } : { anyOf: [{ $ref: `#/$defs/d${at - 1}` }, { $ref: `#/$defs/d${at - 1}` }] },
  ]);
  const inputSchema = { $defs: Object.fromEntries(steps), $ref: '#/$defs/d29' };
  expect((await ask('POST', DATASETS, { name: 'bomb', inputSchema })).status).toBe(400);
  expect(store.datasets.get('bomb')).toBeNull();
});
