import { readFileSync } from 'node:fs';
import { join } from 'node:path';

import { expect, it } from 'vitest';

import { MIGRATIONS, openDatabase } from '../../src/store/open-database.ts';
import { STORE_FILE, Store } from '../../src/store/store.ts';
import { scratchFolder } from './scratch-store.ts';

const NEXT =
  'CREATE TABLE answers (seq INTEGER PRIMARY KEY, trace_id TEXT NOT NULL); ALTER TABLE traces ADD COLUMN seen TEXT';

function opened(folder: string, migrations: readonly string[]): Store {
  return new Store(folder, openDatabase(join(folder, STORE_FILE), migrations));
}

it('an older store gets the steps that it has not been through, and keeps what is in it', () => {
  const folder = scratchFolder();
  const before = opened(folder, MIGRATIONS);
  before.traces.save({ id: 't', input: { kept: true } });
  before.close();
  const database = openDatabase(join(folder, STORE_FILE), [...MIGRATIONS, NEXT]);
  expect(database.row('PRAGMA user_version')).toEqual({ user_version: MIGRATIONS.length + 1 });
  database.run('INSERT INTO answers (trace_id) VALUES (?)', ['t']);
  expect(new Store(folder, database).traces.get('t')?.input).toEqual({ kept: true });
  database.close();
  const again = openDatabase(join(folder, STORE_FILE), [...MIGRATIONS, NEXT]);
  expect(again.row('SELECT count(*) AS answers FROM answers')).toEqual({ answers: 1 });
  again.close();
  expect(() => opened(folder, MIGRATIONS)).toThrow('was written by a newer Assay');
});

it('a step that fails leaves the store as it was', () => {
  const folder = scratchFolder();
  const before = opened(folder, MIGRATIONS);
  before.traces.save({ id: 't' });
  before.close();
  const content = readFileSync(before.file);
  expect(() => opened(folder, [...MIGRATIONS, NEXT, 'CREATE TABLE no SQL'])).toThrow('syntax error');
  expect(readFileSync(before.file)).toEqual(content);
  const after = opened(folder, MIGRATIONS);
  expect(after.traces.get('t')).not.toBeNull();
  after.close();
});

it('the steps together give tables in which everything refers to what is there', () => {
  const folder = scratchFolder();
  const database = openDatabase(join(folder, STORE_FILE));
  expect(database.rows('PRAGMA foreign_key_check')).toEqual([]);
  expect(database.row('PRAGMA foreign_keys')).toEqual({ foreign_keys: 1 });
  database.close();
});
