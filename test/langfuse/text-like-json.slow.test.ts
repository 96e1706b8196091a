import fc from 'fast-check';
import { describe, expect, it, test } from 'vitest';

import { copyDataset } from '../../src/experiment/datasets/copies.ts';
import { localBackend } from '../../src/experiment/local-backend.ts';
import { jsonText, jsonTextValue } from '../../src/store/text-like-json.ts';
import { temporaryFolder } from '../cli/run-assay.ts';
import { itemTrace } from './client/item-trace.ts';
import { quickBackend, server } from './client/quick-backend.ts';
import { serving } from '../server/langfuse/serving.ts';

const HOSTILE = [
  '',
  ' ',
  '42',
  '-0',
  '0.10',
  '007',
  '1e400',
  '12345678901234567890',
  'true',
  'null',
  'nullable',
  'NaN',

  '{"a":1}',
  ' {"a": 1} ',
  '{"a":"12345678901234567890"}',
  '[]',
  '"quoted"',
  '"\\"twice\\""',
  '{not json',
  '\\',
  '"',
  'Plain text.',
  'zwei\nZeilen',
  '🎉',
  '\u2028',
  "{'a': None}",
];
/** Langfuse takes control characters out, so that no text with one survives. */
const anyText = fc.oneof(
  fc.constantFrom(...HOSTILE),
  fc.json(),
  fc.json().map((text) => JSON.stringify(text)),
  fc.string({ unit: 'grapheme' }),
);

test('the text of a value is read as that value', () => {
  fc.assert(
    fc.property(fc.oneof(anyText, fc.jsonValue({ maxDepth: 3 })), (value) => {
      expect(jsonTextValue(jsonText(value))).toEqual(JSON.parse(JSON.stringify(value)));
    }),
    { seed: 16 },
  );
});

test.each([
  ['42', 42],
  ['0.10', 0.1],
  ['1e400', '1e400'],
  ['{"id":12345678901234567890,"n":1}', { id: '12345678901234567890', n: 1 }],
  ['', null],
  ['007', '007'],
])('Langfuse reads the text %s as %j', (text, value) => {
  expect(jsonTextValue(text)).toEqual(value);
});

test('a text that nothing takes for JSON is sent as it is', () => {
  expect(['Plain text.', '007', '{not json'].map(jsonText)).toEqual(['Plain text.', '007', '{not json']);
});

describe.each([3, 4] as const)('with a server like Langfuse %i', (generation) => {
  it('items come and go with every text as it was, also when only their status changes', async () => {
    const langfuse = await quickBackend(await serving({ generation }), { generation });
    const [here, there] = [localBackend(temporaryFolder()), localBackend(temporaryFolder())];
    const texts = [...HOSTILE, ...fc.sample(anyText, { numRuns: 40, seed: 3 })];
    const items = texts.map((text, at) => ({
      id: `i${at}`,
      input: text,
      expectedOutput: texts.at(-1 - at)!,
      metadata: { text, deep: { text } },
    }));
    await here.saveDataset({ name: 'd' });
    await here.saveItems('d', items);
    const { version } = await copyDataset(here, langfuse, 'd');
    await langfuse.saveItems('d', [{ id: 'i2', status: 'ARCHIVED' }]);
    await langfuse.saveItems('d', [{ id: 'i2', status: 'ACTIVE' }]);
    expect(await copyDataset(langfuse, there, 'd')).toMatchObject({ items: items.length, version });
    const found = await Array.fromAsync(there.items('d'));
    expect(found.map(({ id, input, expectedOutput, metadata }) => ({ id, input, expectedOutput, metadata }))).toEqual(
      items,
    );
    for (const backend of [here, there]) await backend.close();
  });

  it('an expected output that was taken away is gone there too', async () => {
    const langfuse = await quickBackend(await serving({ generation }), { generation });
    await langfuse.saveDataset({ name: 'd' });
    await langfuse.saveItems('d', [{ id: 'i', input: 'a', expectedOutput: 'b' }]);
    const [saved] = await langfuse.saveItems('d', [{ id: 'i', input: 'a', expectedOutput: null }]);
    expect(saved?.expectedOutput).toBeNull();
  });

  it('inputs, outputs and metadata of traces are read as they were sent', async () => {
    const langfuse = await quickBackend(await serving({ generation }), { generation });
    const dataset = await langfuse.saveDataset({ name: 'd' });
    const texts = [...HOSTILE, ...fc.sample(anyText, { numRuns: 20, seed: 5 })];
    const items = await langfuse.saveItems(
      'd',
      texts.map((text, at) => ({ id: `i${at}`, input: text })),
    );
    const traces = items.map((item, at) =>
      itemTrace(at, { item, output: texts.at(-1 - at)!, metadata: { text: texts[at]! } }),
    );
    const run = await langfuse.openRun({ dataset, name: 'r', description: null, metadata: {} });
    await run.publish(traces);
    for (const [at, { traceId }] of traces.entries()) {
      const found = await langfuse.trace(traceId);
      expect([found?.input, found?.output], texts[at]).toEqual([texts[at], texts.at(-1 - at)]);
      // Long values of metadata are cut in lists of observations unless they are asked for.
      expect(found?.metadata, texts[at]).toMatchObject({ text: texts[at] });
    }
  });
});

it('a server that keeps texts as they come is given them so', async () => {
  const older = await server();
  const langfuse = await quickBackend(older);
  await langfuse.saveDataset({ name: 'd' });
  const [saved] = await langfuse.saveItems('d', [{ id: 'i', input: '42', expectedOutput: 'true' }]);
  expect(saved).toMatchObject({ input: '42', expectedOutput: 'true' });
});
