import { describe, expect, it, onTestFinished } from 'vitest';

import { type Source, memorySource } from '../../../src/data/source.ts';
import type { Backend } from '../../../src/experiment/backend.ts';
import { fieldMap } from '../../../src/experiment/datasets/field-map.ts';
import {
  ITEMS_A_BATCH,
  type ImportOptions,
  type Imported,
  importItems,
  unfinishedNotice,
} from '../../../src/experiment/datasets/import-items.ts';
import { ITEM_SCHEMAS, type ItemTask } from '../../../src/experiment/datasets/item-schemas.ts';
import { localBackend } from '../../../src/experiment/local-backend.ts';
import type { DatasetItemRecord } from '../../../src/store/records.ts';
import { temporaryFolder } from '../../cli/run-assay.ts';

function openBackend(): Backend {
  const backend = localBackend(temporaryFolder());
  onTestFinished(() => backend.close());
  return backend;
}

const lines = (...records: unknown[]): string => records.map((record) => `${JSON.stringify(record)}\n`).join('');

function into(
  backend: Backend,
  content: string | Source,
  more: Partial<ImportOptions> & { task?: ItemTask } = {},
): Promise<Imported> {
  const { task = null, ...options } = more;
  const source = typeof content === 'string' ? memorySource('items.jsonl', content) : content;
  return importItems({
    backend,
    dataset: 'eval',
    files: { sources: [source], gold: null, map: fieldMap({}), task },
    ...options,
  });
}

async function itemsOf(backend: Backend, dataset = 'eval'): Promise<DatasetItemRecord[]> {
  return Array.fromAsync(backend.items(dataset, { archived: true }));
}

describe('importing', () => {
  it('makes the dataset and its items, and finds the same the second time', async () => {
    const backend = openBackend();
    const content = lines({ id: 'a', input: 1, expected_output: 2 }, { input: { x: 1 } });
    expect(await into(backend, content)).toEqual({
      created: true,
      items: 2,
      made: 2,
      changed: 0,
      same: 0,
      unanswered: 1,
      notes: [],
    });
    expect(await into(backend, content)).toMatchObject({ created: false, items: 2, made: 0, changed: 0, same: 2 });
    expect(await itemsOf(backend)).toMatchObject([
      { id: 'a', input: 1, expectedOutput: 2 },
      { id: expect.stringMatching(/^item-[0-9a-f]{20}$/), input: { x: 1 }, expectedOutput: null },
    ]);
  });

  it('makes ids from inputs: a mended answer changes the item instead of making another', async () => {
    const backend = openBackend();
    await into(backend, lines({ input: { a: 1, b: 2 }, expected_output: 'wrong' }));
    const again = await into(backend, lines({ input: { b: 2, a: 1 }, expected_output: 'right' }));
    expect(again).toMatchObject({ made: 0, changed: 1, same: 0 });
    expect(await itemsOf(backend)).toMatchObject([{ expectedOutput: 'right' }]);
  });

  it('takes equal records once and keeps equal inputs with different answers apart, and says both', async () => {
    const backend = openBackend();
    const content = lines(
      { input: 1, expected_output: 1 },
      { input: 1, expected_output: 1 },
      { input: 1, expected_output: 2 },
    );
    expect(await into(backend, content)).toMatchObject({
      items: 2,
      made: 2,
      notes: [
        { note: 'the same as an earlier one, and taken once', times: 1 },
        { note: 'the input of an earlier one, with another answer or other metadata', times: 1 },
      ],
    });
    expect(await into(backend, content)).toMatchObject({ made: 0, changed: 0, same: 2 });
  });

  it('gives the same input different ids in different datasets, since ids are unique across them', async () => {
    const backend = openBackend();
    await into(backend, lines({ input: 1 }));
    await into(backend, lines({ input: 1 }), { dataset: 'other' });
    const [first] = await itemsOf(backend);
    const [second] = await itemsOf(backend, 'other');
    expect(first?.id).not.toBe(second?.id);
  });

  it('saves nothing, and makes no dataset, if anything is wrong', async () => {
    const backend = openBackend();
    const content = lines(...Array.from({ length: 600 }, (_, at) => ({ id: `i${at}`, input: at })), {
      id: 'i7',
      input: 1,
    });
    await expect(into(backend, content)).rejects.toThrow(
      'items.jsonl:601: id: the id "i7" was given before, in items.jsonl:8',
    );
    expect(await backend.datasets()).toEqual([]);
  });

  it('checks items against the schemas of the dataset and of the task', async () => {
    const backend = openBackend();
    const bad = lines({ id: 'a', input: { document_text: '' }, expected_output: { entities: [] } });
    await expect(into(backend, bad, { task: 'graph' })).rejects.toThrow(
      [
        'items.jsonl:1: input.document_text: expected text that is not empty, found ""',
        'items.jsonl:1: expected_output.relationships: expected, but not there',
      ].join('\n'),
    );
    await into(
      backend,
      lines({ id: 'a', input: { document_text: 'x' }, expected_output: { entities: [], relationships: [] } }),
      { task: 'graph' },
    );
    expect(await backend.dataset('eval')).toMatchObject({
      inputSchema: ITEM_SCHEMAS.graph.input,
      expectedOutputSchema: ITEM_SCHEMAS.graph.expectedOutput,
    });
    // Now it is the dataset's own schema that refuses, once.
    await expect(into(backend, bad)).rejects.toMatchObject({ total: 2 });
    await expect(into(backend, bad, { task: 'graph' })).rejects.toMatchObject({ total: 2 });
  });

  it.each(['..', 'a/../b', ' a', 'b\u001b[2J', 'x'.repeat(301), 'a\u202eb'])('refuses the id %j', async (id) => {
    const backend = openBackend();
    await expect(into(backend, lines({ id, input: 1 }))).rejects.toThrow('cannot be an id');
  });

  it('keeps odd but harmless ids as they are', async () => {
    const backend = openBackend();
    const ids = ['__proto__', 'constructor', 'a b/c?d#e%2F', '日本', "'; DROP TABLE datasets; --"];
    await into(backend, lines(...ids.map((id) => ({ id, input: id }))));
    expect((await itemsOf(backend)).map(({ id }) => id)).toEqual(ids);
  });

  it.each(['', ' ', '..', 'a//b', 'x\n'])('refuses the dataset name %j', async (dataset) => {
    await expect(into(openBackend(), lines({ input: 1 }), { dataset })).rejects.toThrow(
      'cannot be the name of a dataset',
    );
  });

  it('leaves archived items archived, unless the file says otherwise', async () => {
    const backend = openBackend();
    await into(backend, lines({ id: 'a', input: 1 }, { id: 'b', input: 1 }));
    await backend.saveItems('eval', [
      { id: 'a', status: 'ARCHIVED' },
      { id: 'b', status: 'ARCHIVED' },
    ]);
    const done = await into(backend, lines({ id: 'a', input: 2 }, { id: 'b', input: 1, status: 'ACTIVE' }));
    expect(done).toMatchObject({ changed: 2, notes: [{ note: 'archived before, and still so', times: 1 }] });
    expect(await itemsOf(backend)).toMatchObject([
      { id: 'a', input: 2, status: 'ARCHIVED' },
      { id: 'b', input: 1, status: 'ACTIVE' },
    ]);
  });

  it('leaves what a file does not speak of as it was', async () => {
    const backend = openBackend();
    await into(backend, lines({ id: 'a', input: 1, expected_output: 2, metadata: { k: 1 } }));
    expect(await into(backend, lines({ id: 'a', input: 1 }))).toMatchObject({ same: 1 });
    expect(await into(backend, lines({ id: 'a', input: 3 }))).toMatchObject({ changed: 1 });
    expect(await itemsOf(backend)).toMatchObject([{ input: 3, expectedOutput: 2, metadata: { k: 1 } }]);
  });

  it('tries everything and saves nothing when it is a dry run', async () => {
    const backend = openBackend();
    expect(await into(backend, lines({ input: 1 }), { dryRun: true })).toMatchObject({ created: true, made: 1 });
    expect(await backend.datasets()).toEqual([]);
  });

  it('saves in batches and tells how far it is', async () => {
    const backend = openBackend();
    const shares: number[] = [];
    const content = lines(...Array.from({ length: 1100 }, (_, at) => ({ input: at })));
    await into(backend, content, { saved: (share) => shares.push(share) });
    expect(shares).toEqual([500 / 1100, 1000 / 1100, 1]);
    expect(await itemsOf(backend)).toHaveLength(1100);
  });

  it('notices a file that changes between its two readings', async () => {
    let reads = 0;
    const source: Source = {
      name: 'items.jsonl',
      path: null,
      open: () => {
        reads += 1;
        return memorySource(
          'items.jsonl',
          lines(...Array.from({ length: 3 - reads }, (_, at) => ({ input: at }))),
        ).open();
      },
    };
    await expect(into(openBackend(), source)).rejects.toThrow('a file changed while it was read: 1 of 2 items saved');
  });
});

describe('half an import', () => {
  const many = lines(...Array.from({ length: ITEMS_A_BATCH + 1 }, (_, at) => ({ id: `i${at}`, input: at })));
  /** Ends as a killed program does: one batch is there, and nobody cleans up. */
  const killed = (backend: Backend): Backend => {
    let batches = 0;
    return {
      ...backend,
      saveItems: (dataset, items) => {
        batches += 1;
        return batches === 1 ? backend.saveItems(dataset, items) : Promise.reject(new Error('killed'));
      },
    };
  };
  const notice = async (backend: Backend): Promise<string | null> => unfinishedNotice((await backend.dataset('eval'))!);

  it('says that it is half, until the same items are imported again', async () => {
    const backend = openBackend();
    await expect(into(killed(backend), many)).rejects.toThrow('killed');
    expect(await itemsOf(backend)).toHaveLength(ITEMS_A_BATCH);
    expect(await notice(backend)).toBe(
      'eval is incomplete: an import of 501 items is under way or was interrupted; import the same files again to complete it',
    );
    // Other items do not complete it.
    await into(backend, lines({ id: 'x', input: 0 }));
    expect(await notice(backend)).toContain('an import of 501 items');
    expect(await into(backend, many)).toMatchObject({ made: 1, same: ITEMS_A_BATCH });
    expect(await notice(backend)).toBeNull();
    expect((await backend.dataset('eval'))?.metadata).toBeNull();
  });

  it('counts one item as one', () => {
    expect(unfinishedNotice({ name: 'eval', metadata: { assay_unfinished_imports: { a: 1 } } })).toContain(
      'an import of 1 item is under way',
    );
  });

  it('leaves the metadata of the dataset as they were', async () => {
    const backend = openBackend();
    await backend.saveDataset({ name: 'eval', metadata: { owner: 'Ann' } });
    await expect(into(killed(backend), many)).rejects.toThrow('killed');
    expect((await backend.dataset('eval'))?.metadata).toMatchObject({ owner: 'Ann' });
    expect(await notice(backend)).not.toBeNull();
    await into(backend, many);
    expect((await backend.dataset('eval'))?.metadata).toEqual({ owner: 'Ann' });
  });
});
