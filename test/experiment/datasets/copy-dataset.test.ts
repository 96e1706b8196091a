import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { afterEach, describe, expect, it } from 'vitest';

import type { Backend } from '../../../src/experiment/backend.ts';
import { copyDataset } from '../../../src/experiment/datasets/copies.ts';
import { localBackend } from '../../../src/experiment/local-backend.ts';
import { datasetVersion } from '../../../src/store/dataset-version.ts';
import type { DatasetItemInit } from '../../../src/store/records.ts';

const folders: string[] = [];
const opened: Backend[] = [];

afterEach(async () => {
  for (const backend of opened.splice(0)) await backend.close();
  for (const folder of folders.splice(0)) rmSync(folder, { recursive: true });
});

function local(): Backend {
  const folder = mkdtempSync(join(tmpdir(), 'assay-copy-'));
  folders.push(folder);
  const backend = localBackend(folder);
  opened.push(backend);
  return backend;
}

const TRACE = 'a'.repeat(32);

const ITEMS: readonly DatasetItemInit[] = [
  { id: 'one', input: { text: 'Ann' }, expectedOutput: { entities: ['Ann'] }, metadata: { by: 'hand' } },
  { id: 'two', input: 'Bob', sourceTraceId: TRACE, sourceObservationId: 'b'.repeat(16) },
  { id: 'gone', input: 'old', status: 'ARCHIVED' },
];

async function people(backend: Backend): Promise<Backend> {
  await backend.saveDataset({ name: 'people', description: 'who is who', metadata: { task: 'graph' } });
  await backend.saveItems('people', ITEMS);
  return backend;
}

describe('a copy of a dataset', () => {
  it('has all of it: ids, content, metadata, status and the traces it was made from', async () => {
    const [from, to] = [await people(local()), local()];
    const told: number[] = [];
    const copied = await copyDataset(from, to, 'people', { told: (done) => told.push(done) });
    expect(copied).toEqual({
      items: 2,
      made: 2,
      changed: 0,
      same: 0,
      archived: 1,
      extra: 0,
      version: (await datasetVersion(from.items('people'))).hash,
    });
    expect(told).toEqual([1, 2, 3]);
    expect(await to.dataset('people')).toMatchObject({ description: 'who is who', metadata: { task: 'graph' } });
    const items = await Array.fromAsync(to.items('people', { archived: true }));
    expect(items.map(({ id, status }) => [id, status])).toEqual([
      ['one', 'ACTIVE'],
      ['two', 'ACTIVE'],
      ['gone', 'ARCHIVED'],
    ]);
    expect(items[0]).toMatchObject(ITEMS[0]!);
    expect(items[1]).toMatchObject(ITEMS[1]!);
  });

  it('is left alone the second time', async () => {
    const [from, to] = [await people(local()), local()];
    const first = await copyDataset(from, to, 'people');
    const before = await Array.fromAsync(to.items('people', { archived: true }));
    expect(await copyDataset(from, to, 'people')).toEqual({ ...first, made: 0, same: 2 });
    expect(await Array.fromAsync(to.items('people', { archived: true }))).toEqual(before);
  });

  it('is changed where the source has changed, and keeps what only it has', async () => {
    const [from, to] = [await people(local()), local()];
    await copyDataset(from, to, 'people');
    await to.saveItems('people', [{ id: 'mine', input: 'only here' }]);
    await from.saveItems('people', [
      { id: 'one', expectedOutput: { entities: [] } },
      { id: 'three', input: 'new' },
      { id: 'two', status: 'ARCHIVED' },
    ]);
    expect(await copyDataset(from, to, 'people')).toMatchObject({
      items: 2,
      made: 1,
      changed: 1,
      same: 0,
      archived: 2,
      extra: 1,
    });
    const left = await Array.fromAsync(to.items('people'));
    expect(left.map(({ id, expectedOutput }) => [id, expectedOutput])).toEqual([
      ['one', { entities: [] }],
      ['mine', null],
      ['three', null],
    ]);
  });

  it('may have another name', async () => {
    const [from, to] = [await people(local()), local()];
    await copyDataset(from, to, 'people', { as: 'persons' });
    expect(await to.dataset('people')).toBeNull();
    expect(await Array.fromAsync(to.items('persons'))).toHaveLength(2);
  });

  it('is refused where there is nothing to copy', async () => {
    const [from, to] = [local(), local()];
    await expect(copyDataset(from, to, 'people')).rejects.toThrow(`there is no dataset "people" in ${from.place}`);
    expect(await to.datasets()).toEqual([]);
  });

  it('is not believed: a place that loses or changes items is found out', async () => {
    const [from, to] = [await people(local()), local()];
    const losing: Backend = { ...to, saveItems: (name, items) => to.saveItems(name, items.slice(1)) };
    await expect(copyDataset(from, losing, 'people')).rejects.toThrow(
      /is not what was copied: 1 of 2 items missing, such as "one"$/,
    );
    const changing: Backend = {
      ...to,
      saveItems: (name, items) =>
        to.saveItems(
          name,
          items.map((item) => ({ ...item, metadata: { by: 'a machine' } })),
        ),
    };
    await expect(copyDataset(from, changing, 'people')).rejects.toThrow('the item "one" was kept with other content');
  });
});
