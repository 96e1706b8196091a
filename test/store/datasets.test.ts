import { expect, it } from 'vitest';

import { StoreConflict } from '../../src/store/store-conflict.ts';
import { ALL, scratchStore } from './scratch-store.ts';

it('a dataset is made once and then changed, by its name', () => {
  const { datasets } = scratchStore();
  const made = datasets.save({ name: 'd', description: 'first', metadata: { a: 1 }, inputSchema: { type: 'object' } });
  expect(made).toMatchObject({
    name: 'd',
    description: 'first',
    metadata: { a: 1 },
    inputSchema: { type: 'object' },
    expectedOutputSchema: null,
    archived: false,
  });
  expect(made.createdAt).toMatch(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/);
  const changed = datasets.save({ name: 'd', metadata: null, expectedOutputSchema: { type: 'array' } });
  expect(changed).toMatchObject({
    id: made.id,
    createdAt: made.createdAt,
    description: 'first',
    metadata: null,
    inputSchema: { type: 'object' },
    expectedOutputSchema: { type: 'array' },
  });
  expect(datasets.byId(made.id)).toEqual(changed);
  expect(datasets.list(ALL).total).toBe(1);
  expect(datasets.get('D')).toBeNull();
  expect(datasets.byId('d')).toBeNull();
  expect(() => datasets.save({ name: '' })).toThrow(StoreConflict);
});

it('the list has the newest first and comes in pages', () => {
  const { datasets } = scratchStore();
  for (const name of ['a', 'b', 'c', 'd', 'e']) datasets.save({ name });
  datasets.save({ name: 'a', description: 'changed, not newer' });
  const names = (page: number, limit: number): string[] => datasets.list({ page, limit }).rows.map((one) => one.name);
  expect(names(1, 2)).toEqual(['e', 'd']);
  expect(names(3, 2)).toEqual(['a']);
  expect(names(4, 2)).toEqual([]);
  expect(datasets.list({ page: 9, limit: 2 }).total).toBe(5);
  for (const [page, limit] of [
    [0, 10],
    [1.5, 10],
    [1, -1],
    [Number.NaN, 10],
    [1, Infinity],
  ] as const)
    expect(() => datasets.list({ page, limit })).toThrow(StoreConflict);
});

it('an archived dataset is kept and listed only when asked for, until it is taken back', () => {
  const { datasets } = scratchStore();
  datasets.save({ name: 'kept' });
  datasets.save({ name: 'gone' });
  datasets.saveItems('gone', [{ id: 'a', input: 1 }]);
  datasets.archive('gone');
  expect(datasets.list(ALL)).toMatchObject({ total: 1, rows: [{ name: 'kept' }] });
  expect(datasets.list(ALL, { archived: true }).total).toBe(2);
  expect(datasets.get('gone')?.archived).toBe(true);
  expect([...datasets.items('gone')]).toHaveLength(1);
  expect(datasets.save({ name: 'gone', description: 'still archived' }).archived).toBe(true);
  datasets.archive('gone', false);
  expect(datasets.list(ALL).total).toBe(2);
  expect(() => datasets.archive('never')).toThrow('there is no dataset "never"');
});

it('items keep the order in which they were made, over more of them than are read at once', () => {
  const { datasets } = scratchStore();
  datasets.save({ name: 'd' });
  const ids = Array.from({ length: 1234 }, (_, at) => `item-${1234 - at}`);
  datasets.saveItems(
    'd',
    ids.map((id) => ({ id, input: id })),
  );
  datasets.saveItems('d', [{ id: 'item-7', input: 'changed' }]);
  expect([...datasets.items('d')].map((item) => item.id)).toEqual(ids);
  expect(datasets.item('item-7')?.input).toBe('changed');
});

it('items that are changed or added while they are read do not change what is read', () => {
  const { datasets } = scratchStore();
  datasets.save({ name: 'd' });
  datasets.saveItems(
    'd',
    Array.from({ length: 1000 }, (_, at) => ({ id: `i${at}`, input: 'before' })),
  );
  const seen: unknown[] = [];
  const began = Date.now();
  for (const item of datasets.items('d')) {
    if (seen.length === 1) {
      // Times are told apart by the millisecond.
      while (Date.now() <= began + 1);
      datasets.saveItems('d', [{ id: 'i999', input: 'after' }, { id: 'new' }]);
    }
    seen.push(item.input);
  }
  expect(seen).toEqual(Array.from({ length: 1000 }, () => 'before'));
  expect(datasets.item('i999')?.input).toBe('after');
});

it('an item is changed by its id: what is undefined stays, what is null goes', () => {
  const { datasets } = scratchStore();
  datasets.save({ name: 'd' });
  const [made] = datasets.saveItems('d', [
    { id: 'a', input: 1, expectedOutput: 2, metadata: 3, sourceTraceId: 't', sourceObservationId: 'o' },
  ]);
  expect(made).toMatchObject({ datasetName: 'd', status: 'ACTIVE', sourceTraceId: 't', sourceObservationId: 'o' });
  const [changed] = datasets.saveItems('d', [{ id: 'a', expectedOutput: null, sourceTraceId: null }]);
  expect(changed).toMatchObject({ input: 1, expectedOutput: null, metadata: 3, sourceTraceId: null });
  expect(changed?.sourceObservationId).toBe('o');
  expect(datasets.item('a')).toEqual(changed);
  expect(changed?.createdAt).toBe(made?.createdAt);
  expect(datasets.item('b')).toBeNull();
});

it('the same id twice in one list is one item, as the last of them says', () => {
  const { datasets } = scratchStore();
  datasets.save({ name: 'd' });
  datasets.saveItems('d', [
    { id: 'a', input: 'first', metadata: 'kept' },
    { id: 'a', input: 'second' },
  ]);
  expect([...datasets.items('d')]).toMatchObject([{ id: 'a', input: 'second', metadata: 'kept' }]);
});

it('lists of items are of active ones, newest first, by dataset and by where they came from', () => {
  const { datasets } = scratchStore();
  const { id: datasetId } = datasets.save({ name: 'd' });
  datasets.save({ name: 'e' });
  datasets.saveItems('d', [
    { id: 'a', sourceTraceId: 't1', sourceObservationId: 'o1' },
    { id: 'b', sourceTraceId: 't1' },
    { id: 'c', status: 'ARCHIVED', sourceTraceId: 't1' },
  ]);
  datasets.saveItems('e', [{ id: 'x', sourceTraceId: 't1' }]);
  const ids = (filter: Parameters<typeof datasets.listItems>[0]): string[] =>
    datasets.listItems(filter, ALL).rows.map((item) => item.id);
  expect(ids({})).toEqual(['x', 'b', 'a']);
  expect(ids({ datasetId })).toEqual(['b', 'a']);
  expect(ids({ sourceTraceId: 't1' })).toEqual(['x', 'b', 'a']);
  expect(ids({ sourceTraceId: 't1', datasetId, sourceObservationId: 'o1' })).toEqual(['a']);
  expect(ids({ sourceTraceId: 'never' })).toEqual([]);
  expect(datasets.listItems({ datasetId }, { page: 2, limit: 1 })).toMatchObject({ total: 2, rows: [{ id: 'a' }] });
});

it('a deleted item is gone, with its part in runs, and its id is free for any dataset', () => {
  const { datasets, runs } = scratchStore();
  datasets.save({ name: 'd' });
  datasets.save({ name: 'e' });
  datasets.saveItems('d', [{ id: 'a', input: 1 }, { id: 'b' }]);
  const run = runs.save({ datasetName: 'd', name: 'r' });
  runs.link({ runId: run.id, itemId: 'a', traceId: 't', observationId: null });
  expect(datasets.deleteItem('a')).toBe(true);
  expect(datasets.deleteItem('a')).toBe(false);
  expect(datasets.item('a')).toBeNull();
  expect([...datasets.items('d', { archived: true })].map((item) => item.id)).toEqual(['b']);
  expect(runs.items(run.id)).toEqual([]);
  datasets.saveItems('e', [{ id: 'a', metadata: 'new life' }]);
  expect(datasets.item('a')).toMatchObject({ datasetName: 'e', input: null, metadata: 'new life' });
});
