import {
  chmodSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';

import { describe, expect, it, onTestFinished } from 'vitest';

import { UsageError } from '../../src/data/problems.ts';
import { openStore } from '../../src/store/store.ts';
import { scratchFolder, scratchStore } from './scratch-store.ts';

function withDatasets(...names: readonly string[]) {
  const store = scratchStore();
  for (const name of names) store.datasets.save({ name });
  return store;
}

const datasetsIn = (folder: string): string[] => {
  const copy = openStore(folder);
  try {
    return copy.datasets.list({ page: 1, limit: 10 }).rows.map(({ name }) => name);
  } finally {
    copy.close();
  }
};

describe('a backup', () => {
  it('has all that was written, also what is only in the log, and is a store by itself', () => {
    const store = withDatasets('a', 'b');
    const folder = join(scratchFolder(), 'made', 'for it');
    const { file, bytes, rows } = store.backUp(join(folder, 'store.db'));
    expect([file, bytes]).toEqual([join(folder, 'store.db'), statSync(file).size]);
    expect(rows).toMatchObject({ datasets: 2, reviews: 0, review_events: 0 });
    expect(statSync(file).mode & 0o777).toBe(0o600);
    expect(readdirSync(folder)).toEqual(['store.db']);
    store.datasets.save({ name: 'later' });
    expect(datasetsIn(folder).toSorted()).toEqual(['a', 'b']);
  });

  it('is made while others write, and of a store that cannot be written', () => {
    const store = withDatasets('a');
    const other = scratchStore(store.folder);
    other.transaction(() => {
      other.datasets.save({ name: 'not yet' });
      expect(store.backUp(join(store.folder, 'one.db')).rows['datasets']).toBe(1);
    });
    other.close();
    store.close();
    const looking = openStore(store.folder, { readOnly: true });
    onTestFinished(() => looking.close());
    expect(looking.backUp(join(scratchFolder(), 'two.db')).rows['datasets']).toBe(2);
  });

  it('takes the place of nothing, unless it may; never that of the store or of what is no file', () => {
    const store = withDatasets('a');
    const folder = scratchFolder();
    const file = join(folder, 'b.db');
    writeFileSync(file, 'mine', { mode: 0o644 });
    expect(() => store.backUp(file)).toThrow(`${file} is there already`);
    expect(readFileSync(file, 'utf8')).toBe('mine');
    store.backUp(file, { overwrite: true });
    expect(statSync(file).mode & 0o777).toBe(0o600);
    const link = join(folder, 'link.db');
    symlinkSync(store.file, link);
    for (const own of [store.file, link])
      expect(() => store.backUp(own, { overwrite: true })).toThrow('is the store itself');
    mkdirSync(join(folder, 'd'));
    expect(() => store.backUp(join(folder, 'd'), { overwrite: true })).toThrow('is not a file');
    expect(store.datasets.get('a')).not.toBeNull();
    expect(readdirSync(folder).toSorted()).toEqual(['b.db', 'd', 'link.db']);
  });

  it('does not go to where the log of another store would be taken for its own', () => {
    const store = withDatasets('a');
    const file = join(scratchFolder(), 'b.db');
    writeFileSync(`${file}-wal`, '');
    expect(() => store.backUp(file, { overwrite: true })).toThrow(`${file}-wal is there`);
    expect(existsSync(file)).toBe(false);
  });

  it('that cannot be written says so, and leaves nothing behind', () => {
    const store = withDatasets('a');
    const folder = scratchFolder();
    writeFileSync(join(folder, 'file'), '');
    expect(() => store.backUp(join(folder, 'file', 'b.db'))).toThrow(UsageError);
    expect(readdirSync(folder)).toEqual(['file']);
  });

  it.skipIf(process.getuid?.() === 0)('says so of a folder that cannot be written to', () => {
    const store = withDatasets('a');
    const folder = scratchFolder();
    chmodSync(folder, 0o500);
    onTestFinished(() => chmodSync(folder, 0o700));
    expect(() => store.backUp(join(folder, 'b.db'))).toThrow(/cannot write .*EACCES/);
  });
});
