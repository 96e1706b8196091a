import { describe, expect, it } from 'vitest';

import { memorySource } from '../../../src/data/source.ts';
import type { Backend } from '../../../src/experiment/backend.ts';
import { fieldMap } from '../../../src/experiment/datasets/field-map.ts';
import { importItems, unfinishedNotice } from '../../../src/experiment/datasets/import-items.ts';
import type { DatasetItemRecord } from '../../../src/store/records.ts';
import { serving } from '../../server/langfuse/serving.ts';
import { quickBackend, server } from './quick-backend.ts';

async function idsOf(items: AsyncIterable<DatasetItemRecord>): Promise<string[]> {
  const ids: string[] = [];
  for await (const { id } of items) ids.push(id);
  return ids;
}

describe('datasets in Langfuse', () => {
  it('are listed by name, over all pages', async () => {
    const langfuse = await server();
    const backend = await quickBackend(langfuse);
    const names = Array.from({ length: 205 }, (_, index) => `d${String(index).padStart(3, '0')}`);
    for (const name of names.toReversed()) langfuse.kept.datasets.set(name, dataset(name));
    expect((await backend.datasets()).map(({ name }) => name)).toEqual(names);
    expect(langfuse.count(/^GET \/v2\/datasets$/)).toBe(3);
  });

  it('are found by names that an address cannot hold as they are, and names of folders lead nowhere', async () => {
    const langfuse = await server();
    const backend = await quickBackend(langfuse);
    const name = 'a/b ü?#%2F';
    await backend.saveDataset({ name, description: 'odd', metadata: { a: 1 } });
    expect(await backend.dataset(name)).toMatchObject({
      name,
      description: 'odd',
      metadata: { a: 1 },
      archived: false,
    });
    expect(langfuse.requests.at(-1)!.path).toBe('/v2/datasets/a%2Fb%20%C3%BC%3F%23%252F');
    const before = langfuse.requests.length;
    for (const climbing of ['', '.', '..']) {
      expect(await backend.dataset(climbing)).toBeNull();
      await expect(backend.saveDataset({ name: climbing })).rejects.toThrow('cannot be the name of a dataset');
    }
    expect(langfuse.requests).toHaveLength(before);
  });

  it('give their items oldest first, though Langfuse lists the newest first', async () => {
    const langfuse = await server();
    const backend = await quickBackend(langfuse);
    await backend.saveDataset({ name: 'people' });
    for (let index = 1; index <= 250; index += 1) langfuse.kept.items.push(item(index));
    expect(await idsOf(backend.items('people'))).toEqual(Array.from({ length: 250 }, (_, index) => `i${index + 1}`));
    expect(langfuse.count(/^GET \/dataset-items$/)).toBe(3);
  });

  it('are not given half when they change while they are read', async () => {
    const langfuse = await server();
    const backend = await quickBackend(langfuse);
    await backend.saveDataset({ name: 'people' });
    for (let index = 1; index <= 250; index += 1) langfuse.kept.items.push(item(index));
    const reading = backend.items('people')[Symbol.asyncIterator]();
    await reading.next();
    langfuse.kept.items.push(item(251));
    await expect(
      (async () => {
        while ((await reading.next()).done !== true);
      })(),
    ).rejects.toThrow('was changed in Langfuse while it was read');
  });

  it('leave archived items out where an older server lists them', async () => {
    const langfuse = await server({
      rules: [
        {
          on: /^GET \/dataset-items$/,
          times: 2,
          misdeed: {
            do: 'answer',
            status: 200,
            body: {
              data: [{ ...item(2), status: 'ARCHIVED' }, item(1)],
              meta: { page: 1, limit: 100, totalItems: 2, totalPages: 1 },
            },
          },
        },
      ],
    });
    const backend = await quickBackend(langfuse);
    expect(await idsOf(backend.items('people'))).toEqual(['i1']);
    expect(await idsOf(backend.items('people', { archived: true }))).toEqual(['i1', 'i2']);
  });

  it('get one item for one, also when the answer to it is lost', async () => {
    const langfuse = await server({
      rules: [{ on: /^POST \/dataset-items$/, times: 1, misdeed: { do: 'drop-after' } }],
    });
    const backend = await quickBackend(langfuse);
    await backend.saveDataset({ name: 'people' });
    const [saved] = await backend.saveItems('people', [{ input: 'a', sourceTraceId: 'trace-1' }]);
    expect(langfuse.kept.items).toHaveLength(1);
    expect(saved).toMatchObject({ id: langfuse.kept.items[0]!['id'], input: 'a', sourceTraceId: 'trace-1' });
  });

  it('answer with items in the order in which they were given', async () => {
    const backend = await quickBackend(await server());
    await backend.saveDataset({ name: 'people' });
    const ids = Array.from({ length: 40 }, (_, index) => `i${index}`);
    const saved = await backend.saveItems(
      'people',
      ids.map((id) => ({ id, input: { id }, expectedOutput: null, metadata: { m: id } })),
    );
    expect(saved.map(({ id }) => id)).toEqual(ids);
    expect(saved[7]).toMatchObject({ input: { id: 'i7' }, expectedOutput: null, metadata: { m: 'i7' } });
  });

  it('say that there is no such dataset', async () => {
    const backend = await quickBackend(await server());
    expect(await backend.dataset('nobody')).toBeNull();
    await expect(idsOf(backend.items('nobody'))).rejects.toThrow('cannot read the items of "nobody"');
    await expect(backend.saveItems('nobody', [{ input: 1 }])).rejects.toThrow('HTTP 404');
  });

  it('lose the mark of an import that is whole, and the list of archived items after a restore, and keep the rest', async () => {
    for (const metadata of [undefined, { owner: 'Ann' }]) {
      const { store, environment } = await serving();
      const backend = await quickBackend({ environment });
      if (metadata !== undefined) await backend.saveDataset({ name: 'eval', metadata });
      const kept = metadata ?? {};
      const shown = (): unknown => store.datasets.get('eval')?.metadata;
      await importTwo(backend);
      expect(shown()).toEqual(kept);

      // Left by an older version, which sent null.
      const [print] = Object.keys(await markOfTwo());
      store.datasets.save({ name: 'eval', metadata: { ...kept, assay_unfinished_imports: { [print!]: 2 } } });
      expect(unfinishedNotice((await backend.dataset('eval'))!)).toContain('eval is incomplete');
      expect(await importTwo(backend)).toMatchObject({ made: 0, changed: 0, same: 2 });
      expect(unfinishedNotice((await backend.dataset('eval'))!)).toBeNull();
      expect(shown()).toEqual(kept);

      await backend.saveItems('eval', [{ id: 'a', status: 'ARCHIVED' }]);
      await backend.saveItems('eval', [{ id: 'b', status: 'ARCHIVED' }]);
      await backend.saveItems('eval', [{ id: 'b', status: 'ACTIVE' }]);
      expect(shown()).toEqual({ ...kept, assay_archived_items: ['a'] });
      await backend.saveItems('eval', [{ id: 'a', status: 'ACTIVE' }]);
      expect(shown()).toEqual(kept);
      expect((await backend.dataset('eval'))?.metadata).toEqual(metadata ?? null);
    }
  });

  it('cannot be archived, and it is said what can', async () => {
    const backend = await quickBackend(await server());
    await expect(backend.archiveDataset('people')).rejects.toMatchObject({
      message: 'Langfuse cannot archive a dataset, so "people" stays in its lists',
      next: 'archive its items instead, or delete it in Langfuse itself',
    });
  });
});

function importTwo(backend: Backend) {
  const lines = '{"id":"a","input":1}\n{"id":"b","input":2}\n';
  const files = { sources: [memorySource('items.jsonl', lines)], gold: null, map: fieldMap({}), task: null };
  return importItems({ backend, dataset: 'eval', files });
}

/** The mark of that import, as it is while the items are saved. */
async function markOfTwo(): Promise<object> {
  const langfuse = await server();
  await importTwo(await quickBackend(langfuse));
  const first = langfuse.requests.find(({ method, path }) => `${method} ${path}` === 'POST /v2/datasets');
  return (first!.body['metadata'] as { assay_unfinished_imports: object }).assay_unfinished_imports;
}

function dataset(name: string) {
  const times = { createdAt: '2026-01-01T00:00:00.000Z', updatedAt: '2026-01-01T00:00:00.000Z' };
  return { id: name, name, description: null, inputSchema: null, expectedOutputSchema: null, projectId: 'p', ...times };
}

function item(number: number) {
  return {
    ...dataset(`i${number}`),
    datasetId: 'd',
    datasetName: 'people',
    status: 'ACTIVE',
    sourceTraceId: null,
    sourceObservationId: null,
    input: number,
  };
}
