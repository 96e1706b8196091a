import { accessSync, closeSync, constants, existsSync, openSync, readFileSync, statSync } from 'node:fs';
import { dirname, resolve } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { pathToFileURL } from 'node:url';

import { entryAt } from '../data/entry-at.ts';
import { makeFolders } from '../data/write-file.ts';
import { UsageError } from '../data/problems.ts';
import { errorCode } from '../data/source.ts';
import { BUSY_TIMEOUT_MS, Database, patiently } from './database.ts';
import { sqliteProblem } from './sqlite-problem.ts';

/** "Asay": marks a file as ours. */
const APPLICATION_ID = 0x41_73_61_79;

const OTHER_FOLDER = 'name another folder with --data';

/**
 * The tables of the store. A step is never changed once it has been released: the next one is added at the end, and
 * PRAGMA user_version is how many a file has been through.
 *
 * - `seq` is the order in which rows were made.
 * - Times are ISO text in UTC with milliseconds, so that their order as text is their order in time.
 * - What may be long comes last in a row: SQLite then passes over it when it looks at the columns before.
 * - Texts that are not Unicode (half a surrogate pair) are kept as a blob of their UTF-16.
 */
export const MIGRATIONS: readonly string[] = [
  '1-tables',
  '2-reviews',
  '3-annotations',
  '4-review-texts',
  '5-score-configs',
  '6-score-events',
].map((step) => readFileSync(new URL(`migrations/${step}.sql`, import.meta.url), 'utf8'));

/** Opens the file, made where it is missing, with the tables of today. Whatever is not ours is left untouched. */
export function openDatabase(file: string, migrations: readonly string[] = MIGRATIONS): Database {
  makeFile(file);
  refuseEmptied(file, Date.now() - MAKING_MS);
  return opened(file, file, false, (sqlite, database) => {
    patiently(() => refuseForeign(sqlite, file, migrations.length), file);
    patiently(() => settle(sqlite), file);
    if (pragma(sqlite, 'user_version') < migrations.length)
      database.transaction(() => migrate(sqlite, file, migrations));
  });
}

/** Opens a file that is there for reading alone: nothing is made or changed, neither in it nor beside it. */
export function openReadOnly(file: string): Database {
  refuseEmptied(file);
  // Without a log there is nothing to share: SQLite would still make a file for it beside this one.
  const place = existsSync(`${file}-wal`) ? file : unchanging(file);
  return opened(file, place, true, (sqlite) => {
    patiently(() => refuseForeign(sqlite, file, MIGRATIONS.length), file);
    if (pragma(sqlite, 'user_version') < MIGRATIONS.length)
      throw new UsageError(
        `${file} was made by an older Assay, and cannot be brought up to date where it cannot be written`,
        'make it and its folder writable, or copy it and name the folder of the copy with --data',
      );
  });
}

/** Whether a file is there that can be read, but not written, or with a folder in which nothing can be made. */
export function isReadableOnly(file: string): boolean {
  try {
    accessSync(file, constants.R_OK);
  } catch {
    return false;
  }
  try {
    refuseUnwritable(file);
    return false;
  } catch {
    return statSync(file).isFile();
  }
}

function opened(
  file: string,
  place: string | URL,
  readOnly: boolean,
  prepare: (sqlite: DatabaseSync, database: Database) => void,
): Database {
  let sqlite: DatabaseSync;
  try {
    sqlite = new DatabaseSync(place, { readOnly, timeout: BUSY_TIMEOUT_MS, enableForeignKeyConstraints: true });
  } catch (error) {
    throw sqliteProblem(error, file);
  }
  try {
    sqlite.exec('PRAGMA trusted_schema = OFF');
    const database = new Database(sqlite, file);
    prepare(sqlite, database);
    return database;
  } catch (error) {
    sqlite.close();
    throw sqliteProblem(error, file);
  }
}

/** Another process may just have made it. */
const MAKING_MS = 10_000;

/** SQLite takes an empty file for a new database, and nobody would learn that the data is gone. */
function refuseEmptied(file: string, changedBefore = Infinity): void {
  const entry = entryAt(file);
  if (entry === undefined || entry.size > 0 || entry.mtimeMs > changedBefore) return;
  throw new UsageError(
    `${file} is empty: what was in it is gone`,
    'restore it from a backup; to begin a new store, delete the file',
  );
}

function unchanging(file: string): URL {
  const url = pathToFileURL(resolve(file));
  url.searchParams.set('immutable', '1');
  return url;
}

function makeFile(file: string): void {
  const folder = dirname(file);
  try {
    makeFolders(folder);
  } catch (error) {
    if (errorCode(error) !== 'EEXIST') throw cannotWrite(folder, error);
  }
  try {
    closeSync(openSync(file, 'wx', 0o600));
  } catch (error) {
    if (errorCode(error) !== 'EEXIST') throw cannotWrite(file, error);
  }
  if (!statSync(file).isFile()) throw new UsageError(`${file} is not a file`, `move it away, or ${OTHER_FOLDER}`);
  try {
    refuseUnwritable(file);
  } catch (error) {
    throw cannotWrite(file, error);
  }
}

function refuseUnwritable(file: string): void {
  accessSync(file, constants.R_OK | constants.W_OK);
  // SQLite writes its log beside it.
  accessSync(dirname(file), constants.W_OK | constants.X_OK);
}

function cannotWrite(path: string, error: unknown): UsageError {
  const code = errorCode(error);
  return new UsageError(`cannot write to ${path} (${code === 'ENOSPC' ? 'the disk is full' : code})`, OTHER_FOLDER);
}

function refuseForeign(sqlite: DatabaseSync, file: string, known: number): void {
  const application = pragma(sqlite, 'application_id');
  const tables = sqlite.prepare('SELECT 1 FROM sqlite_schema LIMIT 1').get();
  if (application !== APPLICATION_ID && (application !== 0 || tables !== undefined))
    throw new UsageError(`${file} is a database of another program`, `move it away, or ${OTHER_FOLDER}`);
  refuseNewer(pragma(sqlite, 'user_version'), file, known);
}

function refuseNewer(version: number, file: string, known: number): void {
  if (version > known)
    throw new UsageError(
      `${file} was written by a newer Assay: its tables are of version ${version}, and this one knows up to ${known}`,
      `update Assay, or ${OTHER_FOLDER}`,
    );
}

/**
 * - A write-ahead log: readers and the writer do not wait for each other. FULL: a commit returns once on the disk.
 * - The journal of single statements stays in memory: once in a file, SQLite never empties it within a transaction, and
 *   ten thousand traces write six times as much.
 * - Ids are random, so that every write goes to many pages: those are kept at hand (64 MiB at most) and brought home less
 *   often (32 MiB of log).
 */
function settle(sqlite: DatabaseSync): void {
  sqlite.exec(`PRAGMA page_size = 8192; PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL; PRAGMA temp_store = MEMORY;
    PRAGMA cache_size = -65536; PRAGMA wal_autocheckpoint = 4096`);
}

function migrate(sqlite: DatabaseSync, file: string, migrations: readonly string[]): void {
  // Asked again now that no one else writes: another process may have been quicker.
  const version = pragma(sqlite, 'user_version');
  refuseNewer(version, file, migrations.length);
  for (const step of migrations.slice(version)) sqlite.exec(step);
  sqlite.exec(`PRAGMA application_id = ${APPLICATION_ID}; PRAGMA user_version = ${migrations.length}`);
}

function pragma(sqlite: DatabaseSync, name: 'application_id' | 'user_version'): number {
  return Number(sqlite.prepare(`PRAGMA ${name}`).get()?.[name]);
}
