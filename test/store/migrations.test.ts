import { readFileSync } from 'node:fs';
import { join } from 'node:path';

import { expect, it } from 'vitest';

import { openDatabase } from '../../src/store/open-database.ts';
import { MIGRATIONS } from '../../src/store/open-database.ts';
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
  const tables = database.rows("SELECT name FROM sqlite_schema WHERE type = 'table' ORDER BY name");
  expect(tables.map((row) => row['name'])).toEqual([
    'annotation_queue_items',
    'annotation_queues',
    'comments',
    'dataset_item_states',
    'dataset_items',
    'dataset_run_items',
    'dataset_runs',
    'dataset_versions',
    'datasets',
    'media',
    'observations',
    'prompt_labels',
    'prompt_versions',
    'prompts',
    'review_assignments',
    'review_decisions',
    'review_events',
    'review_items',
    'review_judgements',
    'review_people',
    'review_texts',
    'reviews',
    'score_configs',
    'scores',
    'trace_tags',
    'traces',
  ]);
  database.close();
});
