import { isoTime, json, jsonCell, maybeTimeText, type StoreRow, timeText, type Value } from './cells.ts';
import type { Database } from './database.ts';

/** Reads a field of a record from its column. */
type Reader<T> = (row: StoreRow, column: string) => T;
type Columns = Readonly<Record<string, Reader<unknown>>>;
type RecordOf<C extends Columns> = { readonly [Field in keyof C]: ReturnType<C[Field]> };

/** The columns of a table as fields of its records. */
export interface StoreTable<R> {
  readonly record: (row: StoreRow) => R;
  /** The columns that a record is saved in: when it was made and when it changed is not for others to say. */
  readonly written: readonly Column[];
}

interface Column {
  readonly field: string;
  readonly column: string;
  readonly read: Reader<unknown>;
}

/** What a record of a table is. */
export type Kept<T> = T extends StoreTable<infer R> ? R : never;

/** What is to be changed: what is left out or undefined stays as it was. */
export type Changes<T> = { readonly [K in keyof T]?: T[K] | undefined };

/** A column is called like its field: `userId` is in user_id. */
export function table<C extends Columns>(columns: C): StoreTable<RecordOf<C>>;
export function table(columns: Columns): StoreTable<object> {
  const all = Object.entries(columns).map(([field, read]) => ({ field, column: snakeCase(field), read }));
  const written = all.filter(({ field }) => field !== 'createdAt' && field !== 'updatedAt');
  return {
    record(row) {
      const record: Record<string, unknown> = {};
      for (const { field, column, read } of all) record[field] = read(row, column);
      return record;
    },
    written,
  };
}

export function snakeCase(field: string): string {
  return field.replaceAll(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
}

/** What goes into a column; undefined leaves it as it was. */
export function cellOf(value: unknown, read: Reader<unknown>): Value | undefined {
  if (value === undefined || value === null) return value;
  if (value instanceof JsonText) return value.text;
  if (read === json) return jsonCell(value);
  if (typeof value === 'string') return read === timeText || read === maybeTimeText ? isoTime(value) : value;
  return typeof value === 'number' || typeof value === 'boolean' ? value : jsonCell(value);
}

/** A value as JSON already, for one that goes into several columns. */
export class JsonText {
  readonly text: string | null;

  constructor(value: unknown) {
    this.text = jsonCell(value);
  }
}

/** For a column that is called otherwise than the field. */
export function under<T>(column: string, read: Reader<T>): Reader<T> {
  return (row) => read(row, column);
}

interface UpsertSettings {
  /** The column that identifies the row. */
  readonly key?: string;
  /** Columns beside those of the records, which callers give. */
  readonly more?: readonly string[];
  /** What is new in a row that is not there yet, from the time; other columns that are not given take the table's default. */
  readonly fresh?: Readonly<Record<string, (time: string) => Value>>;
}

type Upsert<R> = (database: Database, given: Changes<R>, time: string, more?: readonly Value[]) => void;

export const sameTime = (time: string): string => time;

/** Makes a row, or changes those of its columns that are given. Column names come from the code, never from outside. */
export function upsertInto<R>(
  name: string,
  { written }: StoreTable<R>,
  { key = 'id', more: named = [], fresh = {} }: UpsertSettings = {},
): Upsert<R> {
  const columns = [...written.map(({ column }) => column), 'updated_at', ...named];
  if (columns.length > 31) throw new RangeError(`${name}: more columns than a number has bits`);
  const made = Object.entries({ ...fresh, created_at: sameTime }).map(([column, value]) => ({
    column,
    value,
    bit: columns.includes(column) ? 1 << columns.indexOf(column) : 0,
  }));
  /** By which columns are given, a bit for each: making the text takes as long as running it. */
  const statements = new Map<number, string>();
  const statementOf = (shape: number): string => {
    const given = columns.filter((_, at) => (shape & (1 << at)) !== 0);
    const all = [...given, ...made.filter(({ bit }) => (shape & bit) === 0).map(({ column }) => column)];
    const changes = given.filter((column) => column !== key).map((column) => `${column} = excluded.${column}`);
    // RETURNING would be handy, and takes twice as long: SQLite then keeps every page as it was before.
    return `INSERT INTO ${name} (${all.join(', ')}) VALUES (${all.map(() => '?').join(', ')})
      ON CONFLICT (${key}) DO UPDATE SET ${changes.join(', ')}`;
  };
  return (database, given: Readonly<Record<string, unknown>>, time, more = []) => {
    const values: Value[] = [];
    let shape = 0;
    for (let at = 0; at < columns.length; at += 1) {
      const own = written[at];
      const other = at === written.length ? time : more[at - written.length - 1];
      const cell = own === undefined ? other : cellOf(given[own.field], own.read);
      if (cell === undefined) continue;
      values.push(cell);
      shape |= 1 << at;
    }
    for (const { bit, value } of made) if ((shape & bit) === 0) values.push(value(time));
    let sql = statements.get(shape);
    if (sql === undefined) statements.set(shape, (sql = statementOf(shape)));
    database.run(sql, values);
  };
}
