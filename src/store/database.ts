import type { DatabaseSync, StatementSync } from 'node:sqlite';

import type { StoreRow, Value } from './cells.ts';
import { harmless } from '../data/visible.ts';
import { isBusy, sqliteProblem } from './sqlite-problem.ts';

/** SQLite waits this long by itself for another process. */
export const BUSY_TIMEOUT_MS = 5000;
const BUSY_TRIES = 6;
const PAUSE_MS = 50;
const CLOSING_TIMEOUT_MS = 1000;

/** Filters make many statements; those that have not been asked for first give way. */
const STATEMENTS_KEPT = 300;
const MOST_REPORTED = 100;

/** A connection: statements prepared once, transactions, and errors that say what the user can do. */
export class Database {
  readonly file: string;
  readonly #sqlite: DatabaseSync;
  readonly #statements = new Map<string, StatementSync>();
  readonly #reported = new Set<string>();
  readonly #cutsAtNul: boolean;
  #depth = 0;

  constructor(sqlite: DatabaseSync, file: string) {
    this.#sqlite = sqlite;
    this.#cutsAtNul = sqlite.prepare("SELECT 'a' || char(0) || 'b' AS text").get()?.['text'] === 'a';
    this.file = file;
  }

  /** How many rows it changed. */
  run(sql: string, values: readonly Value[] = []): number {
    return Number(this.#with(sql, (statement) => statement.run(...this.#bound(values))).changes);
  }

  /** Adds a row; how many were added. Names of columns come from the code, never from outside. */
  insert(table: string, cells: Readonly<Record<string, Value>>, onConflict = ''): number {
    const columns = Object.keys(cells);
    const places = columns.map(() => '?').join(', ');
    return this.run(
      `INSERT INTO ${table} (${columns.join(', ')}) VALUES (${places}) ${onConflict}`,
      Object.values(cells),
    );
  }

  row(sql: string, values: readonly Value[] = []): StoreRow | null {
    const row = this.#with(sql, (statement) => statement.get(...this.#bound(values)));
    return row === undefined ? null : safe(row);
  }

  rows(sql: string, values: readonly Value[] = []): readonly StoreRow[] {
    return this.#with(sql, (statement) => statement.all(...this.#bound(values))).map(safe);
  }

  /** Warns, once, of what cannot be read. */
  report(problem: string): void {
    if (this.#reported.has(problem) || this.#reported.size >= MOST_REPORTED) return;
    this.#reported.add(problem);
    process.stderr.write(`assay: ${harmless(this.file)}: ${problem}\n`);
  }

  /** All of it or nothing. Inside another one it is a part of that, and on an error only this part is taken back. */
  transaction<T>(work: () => T): T {
    const [begin, commit, rollback] =
      this.#depth === 0
        ? ['BEGIN IMMEDIATE', 'COMMIT', 'ROLLBACK']
        : ['SAVEPOINT inner', 'RELEASE inner', 'ROLLBACK TO inner; RELEASE inner'];
    if (this.#depth === 0) patiently(() => this.#exec(begin), this.file);
    else this.#exec(begin);
    this.#depth += 1;
    try {
      const result = work();
      if (result instanceof Promise) throw new TypeError('a transaction cannot wait for a promise');
      this.#exec(commit);
      return result;
    } catch (error) {
      this.#takeBack(rollback);
      throw sqliteProblem(error, this.file);
    } finally {
      this.#depth -= 1;
    }
  }

  /** For a change that is one statement: it needs no transaction if one is under way. */
  write<T>(work: () => T): T {
    return this.#depth > 0 ? work() : this.transaction(work);
  }

  /**
   * Brings the log home without waiting for anybody; whether all of it is there. Where it is not, because somebody reads
   * what was before or the disk refuses, nothing is lost: it stays in the log.
   */
  checkpoint(): boolean {
    if (!this.#sqlite.isOpen) return true;
    try {
      const found = this.#sqlite.prepare('PRAGMA wal_checkpoint(PASSIVE)').get();
      return found?.['busy'] === 0 && found['log'] === found['checkpointed'];
    } catch {
      return false;
    }
  }

  /** A copy of everything as it is at this moment, into a file that is empty; errors are SQLite's own. */
  copyInto(file: string): void {
    this.#sqlite.prepare('VACUUM INTO ?').run(file);
  }

  /** Everything is in the one file afterwards, unless another process has it open. */
  close(): void {
    if (!this.#sqlite.isOpen) return;
    this.#statements.clear();
    try {
      this.#sqlite.exec(`PRAGMA busy_timeout = ${CLOSING_TIMEOUT_MS}; PRAGMA wal_checkpoint(TRUNCATE)`);
    } catch {
      // What is in the log stays there until the store is next opened.
    }
    this.#sqlite.close();
  }

  #takeBack(rollback: string): void {
    // On a full disk SQLite has rolled back by itself.
    if (!this.#sqlite.isTransaction) return;
    try {
      this.#sqlite.exec(rollback);
    } catch {
      // A disk that refuses also refuses this: what went wrong first is what the user needs to hear.
    }
  }

  #exec(sql: string): void {
    (this.#statements.get(sql) ?? this.#prepared(sql)).run();
  }

  #with<T>(sql: string, work: (statement: StatementSync) => T): T {
    try {
      return work(this.#statements.get(sql) ?? this.#prepared(sql));
    } catch (error) {
      throw sqliteProblem(error, this.file);
    }
  }

  /** A text that is no Unicode is kept as its units, and one with a NUL where Node (22, early 24) would read half of it. */
  #bound(values: readonly Value[]): (string | number | null | Uint8Array)[] {
    return values.map((value) => {
      if (typeof value === 'boolean') return value ? 1 : 0;
      if (typeof value !== 'string') return value;
      const isPlain = value.isWellFormed() && !(this.#cutsAtNul && value.includes('\0'));
      return isPlain ? value : Buffer.from(value, 'utf16le');
    });
  }

  #prepared(sql: string): StatementSync {
    const statement = this.#sqlite.prepare(sql);
    // Otherwise a single integer beyond 2^53 makes every read of its row fail.
    statement.setReadBigInts(true);
    if (this.#statements.size >= STATEMENTS_KEPT) this.#statements.delete(this.#statements.keys().next().value ?? '');
    this.#statements.set(sql, statement);
    return statement;
  }
}

/** Tries again while another process holds the file, beyond what SQLite itself waits. */
export function patiently<T>(work: () => T, file: string): T {
  for (let tried = 1; ; tried += 1) {
    try {
      return work();
    } catch (error) {
      if (!isBusy(error) || tried === BUSY_TRIES) throw sqliteProblem(error, file);
      Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, PAUSE_MS * tried);
    }
  }
}

/** Integers as numbers, as far as these can hold them. */
function safe(row: Record<string, unknown>): StoreRow {
  for (const column in row) {
    const cell = row[column];
    if (typeof cell !== 'bigint') continue;
    const number = Number(cell);
    if (Number.isSafeInteger(number)) row[column] = number;
  }
  return row;
}
