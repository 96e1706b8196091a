import type { Value } from './cells.ts';
import type { Database } from './database.ts';
import type { Cells } from './table.ts';

interface Upsert {
  readonly table: string;
  /** The column that says which row it is. */
  readonly key: string;
  /** The same columns in every call for a table. */
  readonly given: Cells;
  /** For a row that is not there yet; other columns that are not given take the table's default. */
  readonly fresh: Cells;
}

/** By table and by which of its columns are given: making the text takes as long as running it. */
const statements = new Map<string, string>();

/** Makes a row, or changes those of its columns that are given. Column names come from the code, never from outside. */
export function upsert(database: Database, row: Upsert): void {
  const { given, fresh } = row;
  const values: Value[] = [];
  let shape = `${row.table} `;
  for (const column in given) {
    const value = given[column];
    shape += value === undefined ? '0' : '1';
    if (value !== undefined) values.push(value);
  }
  for (const column in fresh) {
    const value = fresh[column];
    if (value !== undefined && given[column] === undefined) values.push(value);
  }
  let sql = statements.get(shape);
  if (sql === undefined) {
    sql = statementOf(row);
    statements.set(shape, sql);
  }
  database.run(sql, values);
}

function statementOf({ table: name, key, given, fresh }: Upsert): string {
  const isGiven = (column: string): boolean => given[column] !== undefined;
  const changed = Object.keys(given).filter(isGiven);
  const made = Object.keys(fresh).filter((column) => fresh[column] !== undefined && !isGiven(column));
  const columns = [...changed, ...made];
  const changes = changed.filter((column) => column !== key).map((column) => `${column} = excluded.${column}`);
  // RETURNING would be handy, and takes twice as long: SQLite then keeps every page as it was before.
  return `INSERT INTO ${name} (${columns.join(', ')}) VALUES (${columns.map(() => '?').join(', ')})
    ON CONFLICT (${key}) DO UPDATE SET ${changes.join(', ')}`;
}
