import { existsSync, statSync } from 'node:fs';

import { FileWriter } from '../data/write-file.ts';
import { UsageError } from '../data/problems.ts';
import { number, text } from './cells.ts';
import type { Database } from './database.ts';
import { openReadOnly } from './open-database.ts';
import { sqliteProblem } from './sqlite-problem.ts';

/** What a backup holds, as it was counted in the copy. */
export interface BackedUp {
  readonly file: string;
  readonly bytes: number;
  /** By table. */
  readonly rows: Readonly<Record<string, number>>;
}

const OTHER_PLACE = 'name another file with --out';

/**
 * A copy of the whole store as it is at one moment, while others read and write: what is still in the log is in it. Made
 * aside for its owner alone, looked through, brought to the disk and then named, so that a file of this name is whole.
 */
export function backUp(database: Database, file: string, overwrite: boolean): BackedUp {
  refusePlace(database, file, overwrite);
  const out = new FileWriter(file, { mode: 0o600, replace: overwrite, next: OTHER_PLACE });
  try {
    // SQLite fills an empty file, and would make one that others may read.
    database.copyInto(out.path);
    const rows = counted(out.path);
    const { size: bytes } = statSync(out.path);
    if (!out.finish()) throw thereAlready(file);
    return { file, bytes, rows };
  } catch (error) {
    throw problemOf(error, file, database.file);
  } finally {
    out.abandon();
  }
}

function refusePlace(database: Database, file: string, overwrite: boolean): void {
  if (existsSync(file)) {
    const [there, own] = [statSync(file), statSync(database.file)];
    if (there.ino === own.ino && there.dev === own.dev)
      throw new UsageError(`${file} is the store itself`, OTHER_PLACE);
    if (!there.isFile()) throw new UsageError(`${file} is not a file`, OTHER_PLACE);
    if (!overwrite) throw thereAlready(file);
  }
  // The log of another store would be taken for that of the copy.
  for (const beside of [`${file}-wal`, `${file}-journal`])
    if (existsSync(beside))
      throw new UsageError(`${beside} is there: a store of this name is open, or was not closed`, OTHER_PLACE);
}

function thereAlready(file: string): UsageError {
  return new UsageError(`${file} is there already`, `${OTHER_PLACE}, or overwrite it with --force`);
}

/** Opens the copy as anybody would, which also shows that it is whole. */
function counted(file: string): Record<string, number> {
  const copy = openReadOnly(file);
  try {
    const [found] = copy.rows('PRAGMA quick_check(1)');
    if (found === undefined || text(found, 'quick_check') !== 'ok')
      throw new UsageError('the store is damaged, and so is its copy', 'put back an earlier backup');
    const tables = copy.rows("SELECT name FROM sqlite_schema WHERE type = 'table' AND name NOT LIKE 'sqlite_%'");
    return Object.fromEntries(
      tables.map((row) => {
        const table = text(row, 'name');
        const all = copy.row(`SELECT count(*) AS n FROM "${table}"`);
        return [table, all === null ? 0 : number(all, 'n')];
      }),
    );
  } finally {
    copy.close();
  }
}

/** Of SQLite's codes those that the new file is to blame for: no space, a disk that refuses, a folder that cannot be used. */
const WRITING = new Set([8, 10, 13, 14]);

function problemOf(error: unknown, file: string, store: string): unknown {
  if (error instanceof UsageError || !(error instanceof Error) || !('code' in error)) return error;
  const isSqlite = 'errcode' in error && typeof error.errcode === 'number';
  if (isSqlite && !WRITING.has(Number(error.errcode) & 0xff)) return sqliteProblem(error, store);
  const why = isSqlite ? error.message : error.code === 'ENOSPC' ? 'the disk is full' : String(error.code);
  return new UsageError(`cannot write ${file} (${why})`, OTHER_PLACE);
}
