import { randomBytes } from 'node:crypto';

import { afterAll, beforeAll, describe, expect, it } from 'vitest';

import { memorySource } from '../../src/data/source.ts';
import { NO_FIELD_MAP } from '../../src/experiment/datasets/field-map.ts';
import { type Imported, importItems, type ImportOptions } from '../../src/experiment/datasets/import-items.ts';
import type { Backend, ExpectedTrace, ItemTrace, RunCounts, RunSink } from '../../src/experiment/backend.ts';
import type { DatasetItemRecord, DatasetRecord } from '../../src/store/records.ts';

export interface OpenBackend {
  readonly backend: Backend;
  close(): Promise<void>;
}

/** What a backend cannot do because its server cannot. */
export interface ContractLimits {
  /** Whether datasets can be archived. */
  readonly archivesDatasets?: boolean;
  /** Whether items that are archived can be asked for. */
  readonly listsArchivedItems?: boolean;
  /** Whether texts of items may have control characters; else those are refused. */
  readonly keepsControlCharacters?: boolean;
}

/** Hard on whoever puts names into addresses: the two in the middle become one where a name is decoded twice. */
const NAMES = [
  'plain',
  'a folder/and more',
  'a%2Fb',
  'a/b',
  '100 % ?#&+=;"\'\\',
  'Über Grüße',
  '日本 🎉👩‍🔬',
  '..',
  'a+b c',
];

/** Data that a round trip must leave alone. */
const VALUES: readonly unknown[] = [
  'text',
  '',
  0,
  -1.5e-7,
  false,
  [],
  {},
  [1, [2, [3, null]]],
  { 'a.b': { 'ü/ß': 'line\u2028separator', '': null }, emoji: '👩‍🔬', tab: 'a\tb\n' },
];

/**
 * What every backend does, the same for the local store and for a Langfuse server. It may have data of others in it: each
 * test makes its own names.
 */
export function backendContract(
  name: string,
  open: () => Promise<OpenBackend>,
  { archivesDatasets = true, listsArchivedItems = true, keepsControlCharacters = true }: ContractLimits = {},
): void {
  describe(`${name} as a backend`, () => {
    let opened: OpenBackend;
    let backend: Backend;

    beforeAll(async () => {
      opened = await open();
      ({ backend } = opened);
    });
    afterAll(() => opened.close());

    const itemsOf = async (dataset: string): Promise<DatasetItemRecord[]> => Array.fromAsync(backend.items(dataset));
    const makeDataset = (): Promise<DatasetRecord> => backend.saveDataset({ name: fresh('dataset') });
    const makeItems = async (
      count: number,
    ): Promise<{ dataset: DatasetRecord; items: readonly DatasetItemRecord[] }> => {
      const dataset = await makeDataset();
      const inits = Array.from({ length: count }, (_, at) => ({ id: fresh(`item-${at}`), input: { at } }));
      return { dataset, items: await backend.saveItems(dataset.name, inits) };
    };
    const makeRun = (dataset: DatasetRecord, run = fresh('run')): Promise<RunSink> =>
      backend.openRun({ dataset, name: run, description: null, metadata: { model: 'm', temperature: 0 } });

    describe('datasets', () => {
      it('makes one and finds it by its name', async () => {
        const dataset = fresh('dataset');
        const saved = await backend.saveDataset({
          name: dataset,
          description: 'forty entries',
          metadata: { task: 'graph' },
        });
        expect(saved).toMatchObject({
          name: dataset,
          description: 'forty entries',
          metadata: { task: 'graph' },
          archived: false,
        });
        expect(saved.id).not.toBe('');
        expect(await backend.dataset(dataset)).toEqual(saved);
        expect((await backend.datasets()).filter((one) => one.name === dataset)).toHaveLength(1);
      });

      it('changes the one of the same name instead of making another', async () => {
        const first = await makeDataset();
        const second = await backend.saveDataset({ name: first.name, description: 'now described' });
        expect(second.id).toBe(first.id);
        expect(await backend.dataset(first.name)).toMatchObject({ id: first.id, description: 'now described' });
      });

      it('lists them by name, more than one page of them', async () => {
        const mark = fresh('page');
        // Made from the last to the first.
        for (let at = 119; at >= 0; at -= 1) await backend.saveDataset({ name: `${mark}-${1000 + at}` });
        const listed = (await backend.datasets()).map((one) => one.name).filter((one) => one.startsWith(mark));
        expect(listed).toEqual(Array.from({ length: 120 }, (_, at) => `${mark}-${1000 + at}`));
      });

      it('has none of a name that was never given', async () => {
        expect(await backend.dataset(fresh('never'))).toBeNull();
      });

      it('keeps names apart, whatever is in them', async () => {
        const mark = fresh('n');
        const ids = new Map<string, string>();
        for (const one of NAMES) ids.set(one, (await backend.saveDataset({ name: `${mark} ${one}` })).id);
        expect(new Set(ids.values()).size).toBe(NAMES.length);
        for (const one of NAMES)
          expect(await backend.dataset(`${mark} ${one}`), one).toMatchObject({
            id: ids.get(one),
            name: `${mark} ${one}`,
          });
      });

      it.runIf(archivesDatasets)('leaves an archived one out of the list and keeps it', async () => {
        const { dataset, items } = await makeItems(1);
        await backend.archiveDataset(dataset.name);
        expect((await backend.datasets()).map((one) => one.name)).not.toContain(dataset.name);
        expect(await backend.dataset(dataset.name)).toMatchObject({ id: dataset.id, archived: true });
        expect((await itemsOf(dataset.name)).map((item) => item.id)).toEqual(items.map((item) => item.id));
      });

      it('refuses to archive what it cannot', async () => {
        await expect(backend.archiveDataset(fresh('never'))).rejects.toThrow(Error);
      });
    });

    describe('items', () => {
      it('come back as they were given, in the order in which they were made', async () => {
        const dataset = await makeDataset();
        expect(await itemsOf(dataset.name)).toEqual([]);
        const inits = VALUES.map((value, at) => ({
          id: fresh(`item-${VALUES.length - at}`),
          input: value,
          expectedOutput: { value },
          metadata: { at, value },
        }));
        const saved = await backend.saveItems(dataset.name, inits);
        expect(
          saved.map(({ id, input, expectedOutput, metadata }) => ({ id, input, expectedOutput, metadata })),
        ).toEqual(inits);
        const listed = await itemsOf(dataset.name);
        expect(listed).toEqual(saved);
        for (const item of listed)
          expect(item).toMatchObject({ datasetId: dataset.id, datasetName: dataset.name, status: 'ACTIVE' });
      });

      it('get an id where none is given', async () => {
        const dataset = await makeDataset();
        const saved = await backend.saveItems(dataset.name, [{ input: 1 }, { input: 1 }]);
        expect(new Set(saved.map((item) => item.id)).size).toBe(2);
        expect((await itemsOf(dataset.name)).map((item) => item.id)).toEqual(saved.map((item) => item.id));
      });

      it('are changed by their id, stay in their place and keep what is not given', async () => {
        const { dataset, items } = await makeItems(3);
        const [first, second, third] = items.map((item) => item.id);
        await backend.saveItems(dataset.name, [{ id: second!, expectedOutput: { entities: [] } }]);
        const listed = await itemsOf(dataset.name);
        expect(listed.map((item) => item.id)).toEqual([first, second, third]);
        expect(listed[1]).toMatchObject({ input: { at: 1 }, expectedOutput: { entities: [] } });
      });

      it('are left out once archived', async () => {
        const { dataset, items } = await makeItems(3);
        await backend.saveItems(dataset.name, [{ id: items[1]!.id, status: 'ARCHIVED' }]);
        expect((await itemsOf(dataset.name)).map((item) => item.id)).toEqual([items[0]!.id, items[2]!.id]);
        if (!listsArchivedItems) return;
        const all = await Array.fromAsync(backend.items(dataset.name, { archived: true }));
        expect(all.map((item) => [item.id, item.status])).toEqual([
          [items[0]!.id, 'ACTIVE'],
          [items[1]!.id, 'ARCHIVED'],
          [items[2]!.id, 'ACTIVE'],
        ]);
      });

      it('keep control characters, or are refused and not changed', async () => {
        const dataset = await makeDataset();
        const init = { id: fresh('control'), input: { zero: ['a\u0000b'] } };
        const saving = backend.saveItems(dataset.name, [init]);
        const outcome = await saving.then(([saved]) => saved?.input, String);
        const refusal: unknown = expect.stringMatching(`the item "${init.id}": input\\.zero\\[0\\]: .* has U\\+0000`);
        expect(outcome).toEqual(keepsControlCharacters ? init.input : refusal);
      });

      it('keep the link to the trace that they were made from', async () => {
        const dataset = await makeDataset();
        const source = { sourceTraceId: hex(32), sourceObservationId: hex(16) };
        await backend.saveItems(dataset.name, [{ id: fresh('seeded'), input: 'text', ...source }]);
        expect((await itemsOf(dataset.name))[0]).toMatchObject(source);
      });

      it('come in order over several pages', async () => {
        const { dataset, items } = await makeItems(250);
        const listed = await itemsOf(dataset.name);
        expect(listed.map((item) => item.input)).toEqual(Array.from({ length: 250 }, (_, at) => ({ at })));
        expect(listed.map((item) => item.id)).toEqual(items.map((item) => item.id));
      });

      it('can be in a dataset and have ids of any name', async () => {
        const mark = fresh('n');
        const dataset = `${mark} ${NAMES.join(' ')}`;
        await backend.saveDataset({ name: dataset });
        await backend.saveItems(
          dataset,
          NAMES.map((one) => ({ id: `${mark} ${one}`, input: one })),
        );
        await backend.saveItems(dataset, [{ id: `${mark} a%2Fb`, input: 'changed' }]);
        expect((await itemsOf(dataset)).map((item) => [item.id, item.input])).toEqual(
          NAMES.map((one) => [`${mark} ${one}`, one === 'a%2Fb' ? 'changed' : one]),
        );
      });

      it('cannot be in a dataset that is not there', async () => {
        await expect(backend.saveItems(fresh('never'), [{ input: 1 }])).rejects.toThrow(Error);
        await expect(itemsOf(fresh('never'))).rejects.toThrow(Error);
      });

      it('cannot take the id of another dataset’s item', async () => {
        const { dataset, items } = await makeItems(1);
        const other = await makeDataset();
        await expect(backend.saveItems(other.name, [{ id: items[0]!.id, input: 'taken' }])).rejects.toThrow(Error);
        expect((await itemsOf(dataset.name))[0]).toMatchObject({ input: { at: 0 } });
      });
    });

    describe('an import over existing items', () => {
      const FIELDS = { b: [1, { d: null, c: '42' }], a: 'Grüße' };
      /** The dataset and ids of five items, with the ids of items that later imports send. */
      const imported = async () => {
        const dataset = fresh('imported');
        const mark = fresh('item');
        const sent: string[] = [];
        const recording: Backend = {
          ...backend,
          saveItems: (into, items) => {
            sent.push(...items.map(({ id = '' }) => id.slice(mark.length + 1)));
            return backend.saveItems(into, items);
          },
        };
        const load = (items: readonly object[], options: Pick<ImportOptions, 'update'> = {}): Promise<Imported> => {
          const lines = items.map((item) => JSON.stringify({ ...item, id: `${mark}-${(item as { id: string }).id}` }));
          const files = {
            sources: [memorySource('items.jsonl', lines.join('\n'))],
            gold: null,
            map: NO_FIELD_MAP,
            task: null,
          };
          return importItems({ backend: recording, dataset, files, ...options });
        };
        await load([
          { id: 'text', input: '42', expected_output: '{"a":1}' },
          { id: 'number', input: 42, expected_output: 1.5e-7 },
          { id: 'keys', input: FIELDS, metadata: { y: 1, x: 2 } },
          { id: 'bare', input: 'bare', expected_output: null, metadata: {} },
          { id: 'gold', input: 'x', expected_output: { entities: ['Ann'] }, metadata: { k: 1 } },
        ]);
        sent.length = 0;
        const contents = async (): Promise<unknown[]> =>
          (await itemsOf(dataset)).map(({ id, input, expectedOutput, metadata }) => ({
            id,
            input,
            expectedOutput,
            metadata,
          }));
        return { dataset, mark, sent, load, contents };
      };

      it('sends nothing for items that say the same: other key order, null or absent, text that looks like JSON', async () => {
        const { load, sent, contents } = await imported();
        const before = await contents();
        const again = await load(
          [
            { id: 'text', input: '42', expected_output: '{"a":1}', metadata: null },
            { id: 'number', input: 42.0, expected_output: 0.00000015 },
            { id: 'keys', input: { a: 'Grüße', b: [1, { c: '42', d: null }] }, metadata: { x: 2, y: 1 } },
            { id: 'bare', input: 'bare' },
            { id: 'gold', input: 'x' },
          ],
          { update: false },
        );
        expect(again).toMatchObject({ created: false, items: 5, made: 0, changed: 0, same: 5 });
        expect(sent).toEqual([]);
        expect(await contents()).toEqual(before);
      });

      it('sends what is new, and only that', async () => {
        const { load, sent } = await imported();
        const more = await load(
          [
            { id: 'number', input: 42 },
            { id: 'new', input: 1 },
          ],
          { update: false },
        );
        expect(more).toMatchObject({ items: 2, made: 1, changed: 0, same: 1 });
        expect(sent).toEqual(['new']);
      });

      it.each([
        ['text', { input: 42 }, 'input'],
        ['text', { input: '42', expected_output: { a: 1 } }, 'expected_output'],
        ['number', { input: '42' }, 'input'],
        ['keys', { input: { ...FIELDS, b: [1, { c: 42, d: null }] } }, 'input'],
        ['keys', { input: FIELDS, metadata: { y: 1 } }, 'metadata'],
        ['bare', { input: {}, expected_output: 'gold' }, 'input, expected_output'],
        ['gold', { input: 'x', expected_output: {} }, 'expected_output'],
        ['gold', { input: 'x', expected_output: { entities: [] } }, 'expected_output'],
      ])('refuses to change the item %s to %j, and changes it on request', async (id, content, parts) => {
        const { dataset, mark, load, sent, contents } = await imported();
        const before = await contents();
        const changed = { id, ...content };
        await expect(load([{ id: 'new', input: 1 }, changed], { update: false })).rejects.toThrow(
          `items.jsonl would overwrite 1 item of the dataset ${dataset} in ${backend.place}: "${mark}-${id}" (${parts}). 1 would be added, 0 are unchanged. Nothing was written`,
        );
        expect(sent).toEqual([]);
        expect(await contents()).toEqual(before);
        expect(await load([changed], { update: true })).toMatchObject({ changed: 1 });
        expect(await load([changed], { update: false })).toMatchObject({ same: 1 });
      });

      it('refuses to add to a dataset that shares no item with the file, and adds on request', async () => {
        const { dataset, load, sent, contents } = await imported();
        const before = await contents();
        await expect(
          load(
            [
              { id: 'p', input: 1 },
              { id: 'q', input: 2 },
            ],
            { update: false },
          ),
        ).rejects.toThrow(
          `the dataset ${dataset} in ${backend.place} shares no item with items.jsonl: it has 5 items, the file 2. Nothing was written`,
        );
        expect(sent).toEqual([]);
        expect(await contents()).toEqual(before);
        expect(await load([{ id: 'p', input: 1 }])).toMatchObject({ made: 1 });
      });
    });

    describe('prompts', () => {
      it('have versions, and without a label the one in production is taken', async () => {
        const prompt = fresh('prompt');
        const first = await backend.savePrompt({
          name: prompt,
          type: 'text',
          prompt: 'Find {{kind}} in: {{text}}',
          config: { temperature: 0 },
          labels: ['production'],
        });
        expect(first).toMatchObject({
          name: prompt,
          version: 1,
          type: 'text',
          prompt: 'Find {{kind}} in: {{text}}',
          config: { temperature: 0 },
        });
        expect(first.labels.toSorted()).toEqual(['latest', 'production']);
        const second = await backend.savePrompt({ name: prompt, type: 'text', prompt: 'second' });
        expect(second.version).toBe(2);
        expect(await backend.prompt(prompt)).toMatchObject({ version: 1, labels: ['production'] });
        expect(await backend.prompt(prompt, { label: 'latest' })).toMatchObject({ version: 2, prompt: 'second' });
        expect(await backend.prompt(prompt, { version: 1 })).toMatchObject({ prompt: 'Find {{kind}} in: {{text}}' });
        expect(await backend.prompt(prompt, { version: 2 })).toMatchObject({ prompt: 'second', labels: ['latest'] });
      });

      it('are null where there is none of that name, label or version', async () => {
        const prompt = fresh('prompt');
        await backend.savePrompt({ name: prompt, type: 'text', prompt: 'first' });
        expect(await backend.prompt(fresh('never'))).toBeNull();
        expect(await backend.prompt(prompt)).toBeNull();
        expect(await backend.prompt(prompt, { label: 'staging' })).toBeNull();
        expect(await backend.prompt(prompt, { version: 2 })).toBeNull();
      });

      it('have a label on one version only: it moves', async () => {
        const prompt = fresh('prompt');
        await backend.savePrompt({ name: prompt, type: 'text', prompt: 'one', labels: ['production', 'staging'] });
        await backend.savePrompt({ name: prompt, type: 'text', prompt: 'two', labels: ['staging'] });
        expect(await backend.prompt(prompt, { label: 'staging' })).toMatchObject({ version: 2 });
        expect((await backend.prompt(prompt, { version: 1 }))?.labels).toEqual(['production']);
        const labelled = await backend.labelPrompt(prompt, 2, ['production']);
        expect(labelled.version).toBe(2);
        expect(labelled.labels.toSorted()).toEqual(['latest', 'production', 'staging']);
        expect(await backend.prompt(prompt)).toMatchObject({ version: 2, prompt: 'two' });
        expect((await backend.prompt(prompt, { version: 1 }))?.labels).toEqual([]);
      });

      it('can be chats with places for messages', async () => {
        const prompt = fresh('chat');
        const messages = [
          { role: 'system', content: 'You read {{language}}.' },
          { type: 'placeholder' as const, name: 'history' },
          { role: 'user', content: 'Grüße 🎉' },
        ];
        await backend.savePrompt({ name: prompt, type: 'chat', prompt: messages, labels: ['production'] });
        const found = await backend.prompt(prompt);
        expect(found?.type).toBe('chat');
        expect(found?.prompt).toMatchObject(messages);
      });

      it('stay of the type that they began with', async () => {
        const prompt = fresh('prompt');
        await backend.savePrompt({ name: prompt, type: 'text', prompt: 'one' });
        await expect(
          backend.savePrompt({ name: prompt, type: 'chat', prompt: [{ role: 'user', content: 'two' }] }),
        ).rejects.toThrow(Error);
      });

      it('are listed with all versions and labels', async () => {
        const prompt = fresh('prompt');
        await backend.savePrompt({ name: prompt, type: 'text', prompt: 'one', labels: ['production'] });
        await backend.savePrompt({ name: prompt, type: 'text', prompt: 'two' });
        const listed = (await backend.prompts()).find((one) => one.name === prompt);
        expect(listed?.versions.toSorted()).toEqual([1, 2]);
        expect(listed?.labels.toSorted()).toEqual(['latest', 'production']);
      });

      it('keep names apart, whatever is in them', async () => {
        const mark = fresh('n');
        for (const one of NAMES)
          await backend.savePrompt({ name: `${mark} ${one}`, type: 'text', prompt: one, labels: ['production'] });
        for (const one of NAMES) {
          expect(await backend.prompt(`${mark} ${one}`), one).toMatchObject({ version: 1, prompt: one });
          expect((await backend.labelPrompt(`${mark} ${one}`, 1, ['checked'])).labels, one).toContain('checked');
        }
      });

      it('refuse a label where there is nothing to put it on', async () => {
        await expect(backend.labelPrompt(fresh('never'), 1, ['production'])).rejects.toThrow(Error);
      });
    });

    describe('runs', () => {
      it('count nothing before anything is published', async () => {
        const { dataset, items } = await makeItems(1);
        const run = await makeRun(dataset);
        await expectCounts(run, [], { traces: 0, scores: 0 });
        await expectCounts(run, [traceOf(items[0]!, { scores: scores(1) })], { traces: 0, scores: 0 });
      });

      it('publish traces that can be fetched', async () => {
        const { dataset, items } = await makeItems(1);
        const run = await makeRun(dataset);
        const trace = traceOf(items[0]!, { output: { entities: ['Köln 🎉'] }, metadata: { note: 'kept' } });
        await run.publish([trace]);
        const found = await backend.trace(trace.traceId);
        expect(found).toMatchObject({
          id: trace.traceId,
          name: trace.name,
          input: { at: 0 },
          output: { entities: ['Köln 🎉'] },
          metadata: { note: 'kept' },
        });
        expect(await backend.trace(hex(32))).toBeNull();
      });

      it('publish again without making anything twice', async () => {
        const { dataset, items } = await makeItems(3);
        const run = await makeRun(dataset);
        const traces = items.map((item) => traceOf(item, { scores: scores(4) }));
        await run.publish(traces);
        await expectCounts(run, traces, { traces: 3, scores: 12 });
        await run.publish(traces.slice(1));
        await run.publish(traces);
        await expectCounts(run, traces, { traces: 3, scores: 12 });
        await run.publish([]);
        await expectCounts(run, [...traces, traceOf(items[0]!, {})], { traces: 3, scores: 12 });
      });

      it('are the same run under the same name, and another one under another', async () => {
        const { dataset, items } = await makeItems(2);
        const again = fresh('again');
        const [one, two] = items.map((item) => traceOf(item, { scores: scores(1) }));
        const first = await makeRun(dataset, again);
        await first.publish([one!]);
        const second = await makeRun(dataset, again);
        await second.publish([two!]);
        await expectCounts(first, [one!, two!], { traces: 2, scores: 2 });
        await expectCounts(second, [one!, two!], { traces: 2, scores: 2 });
        const other = await makeRun(dataset);
        await expectCounts(other, [one!, two!], { traces: 0, scores: 0 });
      });

      it('publish what failed, with its error', async () => {
        const { dataset, items } = await makeItems(2);
        const run = await makeRun(dataset);
        const failed = traceOf(items[0]!, {
          output: null,
          error: { kind: 'timeout', message: 'no answer after 30 s' },
          usage: null,
          scores: [{ id: fresh('score'), name: 'error', value: 1, comment: 'timeout: no answer after 30 s' }],
        });
        const fine = traceOf(items[1]!, { scores: scores(2) });
        await run.publish([failed, fine]);
        await expectCounts(run, [failed, fine], { traces: 2, scores: 3 });
        expect(await backend.trace(failed.traceId)).toMatchObject({ output: null });
      });

      it('publish targets that are no model, with passages, prompts and unknown usage', async () => {
        const { dataset, items } = await makeItems(3);
        const run = await makeRun(dataset);
        const traces = [
          traceOf(items[0]!, { model: null, modelParameters: {}, usage: null }),
          traceOf(items[1]!, {
            passages: [{ id: 'a.txt#1', text: 'Grüße', score: 0.5, source: 'a.txt' }],
            usage: { inputTokens: 12, outputTokens: null, cost: null },
          }),
          traceOf(items[2]!, { prompt: { name: 'extract', version: 3 }, output: 'only a text' }),
        ];
        await run.publish(traces);
        await expectCounts(run, traces, { traces: 3, scores: 0 });
        expect(await backend.trace(traces[2]!.traceId)).toMatchObject({ output: 'only a text' });
      });

      it.each([Number.NaN, Infinity, -Infinity])('refuse a score of %d before anything is written', async (value) => {
        const { dataset, items } = await makeItems(2);
        const run = await makeRun(dataset);
        const good = traceOf(items[0]!, { scores: scores(1) });
        const bad = traceOf(items[1]!, { scores: [{ id: fresh('score'), name: 'f1', value, comment: null }] });
        await expect(run.publish([good, bad])).rejects.toThrow(Error);
        await expect(run.scoreRun(bad.scores)).rejects.toThrow(Error);
        await expectCounts(run, [good, bad], { traces: 0, scores: 0 });
        expect(await backend.trace(good.traceId)).toBeNull();
      });

      it('take scores of the run as a whole, again and again', async () => {
        const { dataset, items } = await makeItems(1);
        const run = await makeRun(dataset);
        const trace = traceOf(items[0]!, { scores: scores(1) });
        await run.publish([trace]);
        const whole = scores(2);
        await run.scoreRun(whole);
        await run.scoreRun(whole);
        await expectCounts(run, [trace], { traces: 1, scores: 1 });
      });

      it('count over several pages', async () => {
        const { dataset, items } = await makeItems(250);
        const run = await makeRun(dataset, fresh(NAMES.join(' ')));
        const traces = items.map((item) => traceOf(item, { scores: scores(2) }));
        await run.publish(traces);
        await expectCounts(run, traces, { traces: 250, scores: 500 });
        await expectCounts(run, traces.slice(0, 120), { traces: 120, scores: 240 });
      });

      it('have an address or none', async () => {
        const { dataset } = await makeItems(1);
        const url = await (await makeRun(dataset)).url();
        expect(url === null || URL.canParse(url)).toBe(true);
      });
    });
  });
}

/** Counts, and what is short of them: traces that are not there. */
async function expectCounts(run: RunSink, traces: readonly ItemTrace[], expected: RunCounts): Promise<void> {
  const { short, ...counts } = await run.counts(traces.map(expectedOf));
  expect(counts).toEqual(expected);
  expect(short).toHaveLength(traces.length - expected.traces);
}

export function expectedOf({ traceId, item, startedAt, scores: sent }: ItemTrace): ExpectedTrace {
  return { traceId, itemId: item.id, startedAt, scores: sent.length };
}

/** A name that no one else has. */
function fresh(name: string): string {
  return `${name}-${randomBytes(6).toString('hex')}`;
}

function hex(digits: number): string {
  return randomBytes(digits / 2).toString('hex');
}

function scores(count: number): ItemTrace['scores'] {
  return Array.from({ length: count }, (_, at) => ({
    id: fresh('score'),
    name: `measure_${at}`,
    value: at / 4,
    comment: at === 0 ? 'one of four' : null,
  }));
}

function traceOf(item: DatasetItemRecord, changed: Partial<ItemTrace>): ItemTrace {
  return {
    traceId: hex(32),
    rootId: hex(16),
    callId: hex(16),
    item,
    name: 'experiment item',
    startedAt: '2026-03-01T10:00:00.000Z',
    endedAt: '2026-03-01T10:00:01.250Z',
    output: { entities: [] },
    error: null,
    model: 'a-model',
    modelParameters: { temperature: 0 },
    isRetried: false,
    tries: [],
    request: 'what was asked',
    isCached: false,
    usage: { inputTokens: 100, outputTokens: 20, cost: 0.0015 },
    prompt: null,
    passages: null,
    metadata: {},
    scores: [],
    ...changed,
  };
}
