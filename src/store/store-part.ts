import { DamagedCell, isoTime, number, type StoreRow, type Value } from './cells.ts';
import type { Database } from './database.ts';
import { StoreConflict } from './store-conflict.ts';
import type { StoreTable } from './table.ts';

/** A part of a list; the first page is 1. */
export interface Page {
  readonly page: number;
  readonly limit: number;
}

export interface Paged<T> {
  readonly rows: readonly T[];
  /** Of all pages, with rows that cannot be read: this, not `rows`, decides whether there is another page. */
  readonly total: number;
  /** Where each row is on its page. Rows that cannot be read leave gaps. */
  readonly places: readonly number[];
}

/** SQLite takes 32,766 values in one statement. */
const MOST_VALUES = 10_000;

/** Gathers conditions that all have to hold; what is undefined is none. */
export class Where {
  readonly #parts: string[] = [];
  readonly #values: Value[] = [];

  add(condition: string, ...values: readonly Value[]): this {
    this.#parts.push(condition);
    this.#values.push(...values);
    return this;
  }

  equal(column: string, value: Value | undefined): this {
    return value === undefined ? this : this.add(`${column} = ?`, value);
  }

  oneOf(column: string, values: readonly string[] | undefined): this {
    if (values === undefined) return this;
    if (values.length > MOST_VALUES)
      throw new StoreConflict(`a filter takes up to ${MOST_VALUES} values, ${values.length} were given`);
    return this.add(`${column} IN (${values.map(() => '?').join(', ')})`, ...values);
  }

  from(column: string, time: string | undefined): this {
    return time === undefined ? this : this.add(`${column} >= ?`, isoTime(time));
  }

  before(column: string, time: string | undefined): this {
    return time === undefined ? this : this.add(`${column} < ?`, isoTime(time));
  }

  get sql(): string {
    return this.#parts.length === 0 ? '' : `WHERE ${this.#parts.join(' AND ')}`;
  }

  get values(): readonly Value[] {
    return this.#values;
  }
}

export interface Listing<T> {
  readonly columns?: string;
  /** Identifies a row. If given, rows are chosen by it first, so that only those of the page are read whole. */
  readonly key?: string;
  readonly from: string;
  readonly where?: Where;
  readonly order: string;
  readonly record: (row: StoreRow) => T;
}

/** One page of what fits, and how much fits in all. */
export function paged<T>(database: Database, listing: Listing<T>, page: Page): Paged<T> {
  const { columns = '*', key, from, where = new Where(), order, record } = listing;
  const values = [...where.values, page.limit, offsetOf(page)];
  const chosen = `FROM ${from} ${where.sql} ORDER BY ${order} LIMIT ? OFFSET ?`;
  const rows = database.rows(
    key === undefined
      ? `SELECT ${columns} ${chosen}`
      : `SELECT ${columns} FROM ${from} WHERE ${key} IN (SELECT ${key} ${chosen}) ORDER BY ${order}`,
    values,
  );
  const count = database.row(`SELECT count(*) AS total FROM ${from} ${where.sql}`, where.values);
  return { ...placed(database, /^\w+/.exec(from)?.[0] ?? from, rows, record), total: totalOf(count) };
}

/** The rows of a page that can be read. */
export function placed<T>(
  database: Database,
  table: string,
  rows: readonly StoreRow[],
  record: (row: StoreRow) => T,
): Pick<Paged<T>, 'rows' | 'places'> {
  const found = rows.map((row, place) => ({ place, one: readRow(database, table, row, record) }));
  const readable = found.flatMap(({ place, one }) => (one === null ? [] : [{ place, one }]));
  return { rows: readable.map(({ one }) => one), places: readable.map(({ place }) => place) };
}

export function totalOf(count: StoreRow | null): number {
  return count === null ? 0 : number(count, 'total');
}

export function offsetOf({ page, limit }: Page): number {
  const skipped = (page - 1) * limit;
  if ([page, limit, skipped].every(Number.isSafeInteger) && page >= 1 && limit >= 0) return skipped;
  throw new StoreConflict(`there is no page ${page} of ${limit}: pages begin at 1`);
}

/** The record of a row; null without a row, and for one with a cell that cannot be read, which is reported. */
export function readRow<T>(
  database: Database,
  table: string,
  row: StoreRow | null,
  record: (row: StoreRow) => T,
): T | null {
  if (row === null) return null;
  try {
    return record(row);
  } catch (error) {
    if (!(error instanceof DamagedCell)) throw error;
    const which = typeof row['seq'] === 'number' ? ` ${row['seq']}` : '';
    database.report(`row${which} of ${table} is left out: its column ${error.column} cannot be read`);
    return null;
  }
}

/** The rows that can be read; one damaged cell does not hide the others. */
export function readRows<T>(
  database: Database,
  table: string,
  rows: readonly StoreRow[],
  record: (row: StoreRow) => T,
): T[] {
  return rows.flatMap((row) => {
    const found = readRow(database, table, row, record);
    return found === null ? [] : [found];
  });
}

/** A part of the store: some of its tables, and what can be asked of them. */
export abstract class StorePart {
  protected readonly database: Database;

  constructor(database: Database) {
    this.database = database;
  }

  /** The record of the only row that is selected; null if there is no row. */
  protected one<R>(rows: StoreTable<R>, sql: string, values: readonly Value[]): R | null {
    const row = this.database.row(sql, values);
    return row === null ? null : rows.record(row);
  }

  protected all<R>(rows: StoreTable<R>, sql: string, values: readonly Value[]): R[] {
    return this.database.rows(sql, values).map(rows.record);
  }

  /** The records that can be read; one damaged cell does not hide the others. */
  protected readable<R>(rows: StoreTable<R>, from: string, sql: string, values: readonly Value[] = []): R[] {
    return readRows(this.database, from, this.database.rows(sql, values), rows.record);
  }

  protected page<R>(
    { record }: Pick<StoreTable<R>, 'record'>,
    listing: Omit<Listing<R>, 'record'>,
    page: Page,
  ): Paged<R> {
    return paged(this.database, { ...listing, record }, page);
  }
}
