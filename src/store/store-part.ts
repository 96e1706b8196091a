import type { Value } from './cells.ts';
import type { Database } from './database.ts';
import type { Table } from './table.ts';

/** A part of the store: some of its tables, and what can be asked of them. */
export abstract class StorePart {
  protected readonly database: Database;

  constructor(database: Database) {
    this.database = database;
  }

  /** The record of the only row that is selected; null if there is no row. */
  protected one<R>(rows: Table<R>, sql: string, values: readonly Value[]): R | null {
    const row = this.database.row(sql, values);
    return row === null ? null : rows.record(row);
  }
}
