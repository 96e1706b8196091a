import {
  chmodSync,
  copyFileSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';

import { describe, expect, it, onTestFinished } from 'vitest';

import { UsageError } from '../../src/data/problems.ts';
import { MIGRATIONS } from '../../src/store/open-database.ts';
import { openStore, STORE_FILE } from '../../src/store/store.ts';
import { scratchFolder, scratchStore } from './scratch-store.ts';

describe('opening a store', () => {
  it('makes the folder and the file for their owner alone', () => {
    const folder = join(scratchFolder(), 'made', 'by', 'the store');
    const store = scratchStore(folder);
    expect(store.folder).toBe(folder);
    expect(store.file).toBe(join(folder, 'store.db'));
    expect(statSync(folder).mode & 0o777).toBe(0o700);
    expect(statSync(store.file).mode & 0o777).toBe(0o600);
    store.datasets.save({ name: 'd' });
    expect(statSync(`${store.file}-wal`).mode & 0o777).toBe(0o600);
  });

  it('leaves the mode of a folder and a file that are there', () => {
    const folder = scratchFolder();
    chmodSync(folder, 0o755);
    openStore(folder).close();
    chmodSync(join(folder, STORE_FILE), 0o640);
    openStore(folder).close();
    expect(statSync(folder).mode & 0o777).toBe(0o755);
    expect(statSync(join(folder, STORE_FILE)).mode & 0o777).toBe(0o640);
  });

  it('finds what was saved before', () => {
    const folder = scratchFolder();
    const first = openStore(folder);
    const { id } = first.datasets.save({ name: 'd', metadata: { task: 'pii' } });
    first.close();
    expect(scratchStore(folder).datasets.get('d')).toMatchObject({ id, metadata: { task: 'pii' } });
  });

  it('leaves one file once it is closed, and a copy of that is a backup', () => {
    const folder = scratchFolder();
    const store = openStore(folder);
    store.datasets.save({ name: 'd' });
    store.datasets.saveItems('d', [{ id: 'a', input: 1 }]);
    store.close();
    store.close();
    expect(existsSync(`${store.file}-wal`)).toBe(false);
    const other = scratchFolder();
    copyFileSync(store.file, join(other, STORE_FILE));
    expect(scratchStore(other).datasets.item('a')?.input).toBe(1);
  });

  it('has everything in the file after closing even where another has it open', () => {
    const folder = scratchFolder();
    const [one, two] = [openStore(folder), scratchStore(folder)];
    one.datasets.save({ name: 'd' });
    one.close();
    const other = scratchFolder();
    copyFileSync(two.file, join(other, STORE_FILE));
    expect(scratchStore(other).datasets.get('d')).not.toBeNull();
  });

  it('takes an empty file for a new store', () => {
    const folder = scratchFolder();
    writeFileSync(join(folder, STORE_FILE), '');
    expect(scratchStore(folder).datasets.list({ page: 1, limit: 1 }).total).toBe(0);
  });

  it('gives the tables the version of the last migration, and a mark of whose they are', () => {
    const store = scratchStore();
    const raw = new DatabaseSync(store.file, { readOnly: true });
    expect(raw.prepare('PRAGMA user_version').get()).toEqual({ user_version: MIGRATIONS.length });
    expect(raw.prepare('PRAGMA application_id').get()).toEqual({ application_id: 0x41736179 });
    expect(raw.prepare('PRAGMA journal_mode').get()).toEqual({ journal_mode: 'wal' });
    raw.close();
  });
});

describe('a store open for reading', () => {
  function kept(): string {
    const folder = scratchFolder();
    const store = openStore(folder);
    store.datasets.save({ name: 'd' });
    store.datasets.saveItems('d', [{ id: 'a', input: 1 }]);
    store.close();
    return folder;
  }

  it('shows what is there, and makes nothing beside the file', () => {
    const folder = kept();
    const store = openStore(folder, { readOnly: true });
    expect(store.readOnly).toBe(true);
    expect([...store.datasets.items('d')].map(({ id }) => id)).toEqual(['a']);
    expect(readdirSync(folder)).toEqual([STORE_FILE]);
    store.close();
    expect(readdirSync(folder)).toEqual([STORE_FILE]);
  });

  it('refuses every change with a word on how to make it possible', () => {
    const folder = kept();
    const store = openStore(folder, { readOnly: true });
    onTestFinished(() => store.close());
    for (const change of [
      () => store.datasets.save({ name: 'other' }),
      () => store.datasets.saveItems('d', [{ id: 'b', input: 2 }]),
      () => store.traces.save({ id: 't' }),
    ])
      expect(change).toThrow(
        new UsageError(
          `cannot write to ${store.file}`,
          'make it and its folder writable, or name another folder with --data',
        ),
      );
  });

  it('shows what another process has written a moment ago', () => {
    const folder = kept();
    const writer = scratchStore(folder);
    writer.datasets.saveItems('d', [{ id: 'b', input: 2 }]);
    const reader = openStore(folder, { readOnly: true });
    onTestFinished(() => reader.close());
    expect([...reader.datasets.items('d')].map(({ id }) => id)).toEqual(['a', 'b']);
  });

  it('is not made where there is none, and not brought up to date', () => {
    const folder = scratchFolder();
    expect(() => openStore(folder, { readOnly: true })).toThrow(`cannot open ${join(folder, STORE_FILE)}`);
    writeFileSync(join(folder, STORE_FILE), '');
    expect(() => openStore(folder, { readOnly: true })).toThrow('is empty: what was in it is gone');
    writeFileSync(join(folder, STORE_FILE), 'no database'.repeat(100));
    expect(() => openStore(folder, { readOnly: true })).toThrow('is no database of Assay');
  });

  // Root may write everywhere.
  it.skipIf(process.getuid?.() === 0)('is what one becomes that cannot be written', () => {
    const folder = kept();
    for (const path of [join(folder, STORE_FILE), folder]) {
      chmodSync(path, 0o500);
      const store = openStore(folder);
      expect(store.readOnly).toBe(true);
      expect(store.datasets.item('a')?.input).toBe(1);
      store.close();
      chmodSync(path, 0o700);
    }
    const store = scratchStore(folder);
    expect(store.readOnly).toBe(false);
  });
});

describe('what is no store of ours is refused and left alone', () => {
  function refusalOf(folder: string): UsageError {
    try {
      openStore(folder).close();
    } catch (error) {
      if (error instanceof UsageError) return error;
      throw error;
    }
    throw new Error('it was opened');
  }

  function folderWith(content: string | Uint8Array): string {
    const folder = scratchFolder();
    writeFileSync(join(folder, STORE_FILE), content);
    return folder;
  }

  it('a file that is no database', () => {
    for (const content of ['no database, only a text\n', 'x'.repeat(10_000), '\u0000'.repeat(4096)]) {
      const folder = folderWith(content);
      const { message, next } = refusalOf(folder);
      expect(message).toContain(join(folder, STORE_FILE));
      expect(message).toMatch(/no database|damaged/);
      expect(next).toContain('--data');
      expect(readFileSync(join(folder, STORE_FILE), 'utf8')).toBe(content);
    }
  });

  it('the database of another program', () => {
    const folder = scratchFolder();
    const file = join(folder, STORE_FILE);
    const foreign = new DatabaseSync(file);
    foreign.exec('CREATE TABLE accounts (id INTEGER)');
    foreign.close();
    const before = readFileSync(file);
    expect(refusalOf(folder).message).toBe(`${file} is a database of another program`);
    expect(readFileSync(file)).toEqual(before);
  });

  it('a store of a newer version', () => {
    const folder = scratchFolder();
    const file = join(folder, STORE_FILE);
    openStore(folder).close();
    const raw = new DatabaseSync(file);
    raw.exec(`PRAGMA journal_mode = DELETE; PRAGMA user_version = ${MIGRATIONS.length + 1}`);
    raw.close();
    const before = readFileSync(file);
    const { message, next } = refusalOf(folder);
    expect(message).toContain(`version ${MIGRATIONS.length + 1}`);
    expect(next).toContain('update Assay');
    expect(readFileSync(file)).toEqual(before);
  });

  it('a store that is cut off', () => {
    const folder = scratchFolder();
    const store = openStore(folder);
    store.datasets.save({ name: 'd' });
    store.close();
    writeFileSync(store.file, readFileSync(store.file).subarray(0, 5000));
    expect(refusalOf(folder).message).toMatch(/damaged|no database/);
  });

  it('a folder where the file should be, and a file where the folder should be', () => {
    const folder = scratchFolder();
    mkdirSync(join(folder, STORE_FILE));
    expect(refusalOf(folder).message).toBe(`${join(folder, STORE_FILE)} is not a file`);
    const file = join(scratchFolder(), 'a file');
    writeFileSync(file, '');
    expect(refusalOf(file).message).toContain('cannot write to');
    expect(refusalOf(join(file, 'below')).message).toContain('cannot write to');
  });

  // Root may write everywhere.
  it.skipIf(process.getuid?.() === 0)('a file that may not be read, and a folder that may not be written to', () => {
    const folder = scratchFolder();
    openStore(folder).close();
    const file = join(folder, STORE_FILE);
    chmodSync(file, 0o000);
    expect(refusalOf(folder).message).toBe(`cannot write to ${file} (EACCES)`);
    chmodSync(file, 0o600);
    chmodSync(folder, 0o500);
    expect(refusalOf(join(folder, 'below')).message).toContain('(EACCES)');
    chmodSync(folder, 0o700);
  });
});
