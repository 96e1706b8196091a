import { json, jsonCell, maybeTimeText, type Row, timeText, type Value } from './cells.ts';
import { isoTime } from './iso-time.ts';

/** Reads a field of a record from its column. */
type Reader<T> = (row: Row, column: string) => T;
type Columns = Readonly<Record<string, Reader<unknown>>>;
type RecordOf<C extends Columns> = { readonly [Field in keyof C]: ReturnType<C[Field]> };

/** The columns of a table as fields of its records. */
export interface Table<R> {
  readonly record: (row: Row) => R;
  /** The columns that a record is saved in: when it was made and when it changed is not for others to say. */
  readonly written: readonly Column[];
}

interface Column {
  readonly field: string;
  readonly column: string;
  readonly read: Reader<unknown>;
}

/** What a record of a table is. */
export type Kept<T> = T extends Table<infer R> ? R : never;

/** What is to be changed: what is left out or undefined stays as it was. */
export type Given<T> = { readonly [K in keyof T]?: T[K] | undefined };

/** A column is called like its field: `userId` is in user_id. */
export function table<C extends Columns>(columns: C): Table<RecordOf<C>>;
export function table(columns: Columns): Table<object> {
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

function snakeCase(field: string): string {
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
