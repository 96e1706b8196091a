import { join } from 'node:path';

import { expect, it } from 'vitest';

import { openDatabase } from '../../src/store/open-database.ts';
import { MIGRATIONS } from '../../src/store/open-database.ts';
import { openStore, STORE_FILE, Store } from '../../src/store/store.ts';
import { PILOT, said } from './reviews-scratch.ts';
import { scratchFolder, scratchStore } from './scratch-store.ts';

/** A store as it was before there were reviews. */
function olderStore(): string {
  const folder = scratchFolder();
  const database = openDatabase(join(folder, STORE_FILE), MIGRATIONS.slice(0, 1));
  expect(database.row('PRAGMA user_version')).toEqual({ user_version: 1 });
  expect(database.rows("SELECT name FROM sqlite_schema WHERE name LIKE 'review%'")).toEqual([]);
  const store = new Store(folder, database);
  store.datasets.save({ name: 'd' });
  store.datasets.saveItems('d', [{ id: 'i', input: 'कफ' }]);
  store.traces.save({ id: 't', output: 'kept' });
  // As they were written then: without events, and without an id.
  database.run(
    `INSERT INTO scores (id, name, data_type, value, trace_id, timestamp, created_at, updated_at)
      VALUES ('s', 'f1', 'NUMERIC', 0.5, 't', '2026-05-01T10:00:00.000Z', '2026-05-01T10:00:00.000Z', '2026-05-01T10:00:00.000Z')`,
    [],
  );
  database.run("INSERT INTO prompts (name, type, updated_at) VALUES ('p', 'text', '2026-05-01T10:00:00.000Z')", []);
  database.run(
    `INSERT INTO prompt_versions (prompt_seq, version, created_at, updated_at, prompt)
      VALUES (1, 1, '2026-05-01T10:00:00.000Z', '2026-05-01T10:00:00.000Z', '"kept too"')`,
    [],
  );
  store.close();
  return folder;
}

function expectKept(store: Store): void {
  expect(store.datasets.item('i')?.input).toBe('कफ');
  expect(store.traces.get('t')?.output).toBe('kept');
  expect(store.scores.get('s')?.value).toBe(0.5);
  const prompt = store.prompts.get('p', { version: 1 });
  expect(prompt?.prompt).toBe('kept too');
  expect(prompt?.id).toMatch(/^[0-9a-f]{32}$/);
}

it('a store from before there were reviews gets their tables, and keeps what is in it', () => {
  const folder = olderStore();
  const first = openStore(folder);
  expectKept(first);
  expect(first.reviews.list()).toEqual([]);
  first.reviews.create(PILOT);
  first.reviews.append([said('e', 'a', 'anna', 'class', 'vata')]);
  first.close();
  const second = scratchStore(folder);
  expectKept(second);
  expect(second.reviews.state('a', 'anna')?.cells).toEqual([{ field: 'class', part: null, value: 'vata' }]);
});

it('an older store that is opened twice is brought up to date once', () => {
  const folder = olderStore();
  const [one, two] = [scratchStore(folder), scratchStore(folder)];
  one.reviews.create(PILOT);
  expect(two.reviews.find('pilot')?.seed).toBe(42);
});

it('an older store that is open for reading alone is left as it is', () => {
  expect(() => openStore(olderStore(), { readOnly: true })).toThrow('was made by an older Assay');
});
