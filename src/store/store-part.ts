import type { Value } from './cells.ts';
import type { Database } from './database.ts';
import type { Table } from './table.ts';
import { type Listing, type Page, type Paged, paged, readRows } from './where.ts';

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

  protected all<R>(rows: Table<R>, sql: string, values: readonly Value[]): R[] {
    return this.database.rows(sql, values).map(rows.record);
  }

  /** The records that can be read; one damaged cell does not hide the others. */
  protected readable<R>(rows: Table<R>, from: string, sql: string, values: readonly Value[] = []): R[] {
    return readRows(this.database, from, this.database.rows(sql, values), rows.record);
  }

  protected page<R>({ record }: Pick<Table<R>, 'record'>, listing: Omit<Listing<R>, 'record'>, page: Page): Paged<R> {
    return paged(this.database, { ...listing, record }, page);
  }
}
