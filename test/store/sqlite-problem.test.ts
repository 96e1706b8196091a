import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';

import { expect, it } from 'vitest';

import { UsageError } from '../../src/data/problems.ts';
import { isBusy, sqliteProblem } from '../../src/store/sqlite-problem.ts';
import { scratchFolder } from './scratch-store.ts';

function errorOf(work: () => unknown): unknown {
  try {
    work();
  } catch (error) {
    return error;
  }
  throw new Error('it went well');
}

it('a database that can grow no more is a full disk to the user', () => {
  const sqlite = new DatabaseSync(join(scratchFolder(), 'full.db'));
  sqlite.exec('CREATE TABLE t (a TEXT); PRAGMA max_page_count = 4');
  const error = errorOf(() => sqlite.prepare('INSERT INTO t VALUES (?)').run('x'.repeat(100_000)));
  sqlite.close();
  const problem = sqliteProblem(error, 'store.db');
  expect(problem).toBeInstanceOf(UsageError);
  expect(problem).toMatchObject({ message: 'cannot write to store.db: the disk is full' });
});

it('a database that is held by another, read-only or missing is the user’s to mend', () => {
  const file = join(scratchFolder(), 'one.db');
  const [one, two] = [new DatabaseSync(file), new DatabaseSync(file)];
  one.exec('CREATE TABLE t (a TEXT); BEGIN IMMEDIATE');
  const busy = errorOf(() => two.exec('BEGIN IMMEDIATE'));
  one.close();
  two.close();
  expect(isBusy(busy)).toBe(true);
  expect(sqliteProblem(busy, 'store.db')).toMatchObject({ message: 'store.db is held by another process' });

  const readOnly = new DatabaseSync(file, { readOnly: true });
  const refused = errorOf(() => readOnly.exec('INSERT INTO t VALUES (1)'));
  readOnly.close();
  expect(isBusy(refused)).toBe(false);
  expect(sqliteProblem(refused, 'store.db')).toMatchObject({ message: 'cannot write to store.db' });

  const missing = errorOf(() => new DatabaseSync(join(scratchFolder(), 'no folder', 'one.db')));
  expect(sqliteProblem(missing, 'store.db')).toMatchObject({ message: 'cannot open store.db' });
});

it('any other error stays what it is', () => {
  const bug = new TypeError('a bug');
  expect(sqliteProblem(bug, 'store.db')).toBe(bug);
  const sqlite = new DatabaseSync(':memory:');
  const wrong = errorOf(() => sqlite.exec('no SQL'));
  sqlite.close();
  expect(sqliteProblem(wrong, 'store.db')).toBe(wrong);
});
