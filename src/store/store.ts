import { join } from 'node:path';
import { existsSync, statSync } from 'node:fs';

import { AnnotationQueues } from './annotation-queues.ts';
import { Comments } from './comments.ts';
import type { Database } from './database.ts';
import { Datasets } from './datasets.ts';
import { Media } from './media.ts';
import { isReadableOnly, openDatabase, openReadOnly } from './open-database.ts';
import { Prompts } from './prompts.ts';
import { Reviews } from './reviews.ts';
import { Runs } from './runs.ts';
import { ScoreConfigs } from './score-configs.ts';
import { Scores } from './scores.ts';
import { Traces } from './traces.ts';
import { FileWriter } from '../data/write-file.ts';
import { UsageError } from '../data/problems.ts';
import { number, text } from './cells.ts';
import { sqliteProblem } from './sqlite-problem.ts';

export type { Page, Paged } from './store-part.ts';

export const STORE_FILE = 'store.db';
export const DEFAULT_DATA_FOLDER = '.assay';

/**
 * Opens the store of a folder, making what is missing and bringing older tables up to date. What is newer, damaged or
 * no store at all is a UsageError, and is left as it is. A store that cannot be written is open for reading, and so is
 * one with `readOnly`: whatever would change it is refused.
 */
export function openStore(folder: string, { readOnly = false }: { readonly readOnly?: boolean } = {}): Store {
  const file = join(folder, STORE_FILE);
  const isReadOnly = readOnly || isReadableOnly(file);
  return new Store(folder, isReadOnly ? openReadOnly(file) : openDatabase(file), isReadOnly);
}

/** Datasets, prompts, traces, scores, runs and reviews, in one SQLite file that several processes may have open. */
export class Store {
  readonly folder: string;
  readonly file: string;
  readonly readOnly: boolean;
  readonly datasets: Datasets;
  readonly prompts: Prompts;
  readonly traces: Traces;
  readonly scores: Scores;
  readonly scoreConfigs: ScoreConfigs;
  readonly runs: Runs;
  readonly reviews: Reviews;
  readonly comments: Comments;
  readonly annotationQueues: AnnotationQueues;
  readonly media: Media;
  readonly #database: Database;

  constructor(folder: string, database: Database, readOnly = false) {
    this.folder = folder;
    this.readOnly = readOnly;
    this.file = database.file;
    this.#database = database;
    this.datasets = new Datasets(database);
    this.prompts = new Prompts(database);
    this.traces = new Traces(database);
    this.scores = new Scores(database);
    this.scoreConfigs = new ScoreConfigs(database);
    this.runs = new Runs(database);
    this.reviews = new Reviews(database);
    this.comments = new Comments(database);
    this.annotationQueues = new AnnotationQueues(database);
    this.media = new Media(database);
  }

  /** All of it or nothing. One within another is a part of that. */
  transaction<T>(work: () => T): T {
    return this.#database.transaction(work);
  }

  /** Brings what was written into the file itself, as far as nobody else holds it up; whether all of it is there. */
  checkpoint(): boolean {
    return this.#database.checkpoint();
  }

  /** A copy of everything as it is now, also while others write. The file must not be there yet, unless it may go. */
  backUp(file: string, { overwrite = false }: { readonly overwrite?: boolean } = {}): BackedUp {
    return backUp(this.#database, file, overwrite);
  }

  /** Afterwards the file alone is everything, so that a copy of it is a backup, unless others still have it open. */
  close(): void {
    this.#database.close();
  }
}

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
function backUp(database: Database, file: string, overwrite: boolean): BackedUp {
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
