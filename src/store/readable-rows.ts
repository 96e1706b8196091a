import { DamagedCell, type Row } from './cells.ts';
import type { Database } from './database.ts';

/** What a row says; null without a row, and for one with a cell that cannot be read, which is reported. */
export function readRow<T>(database: Database, table: string, row: Row | null, record: (row: Row) => T): T | null {
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
export function readRows<T>(database: Database, table: string, rows: readonly Row[], record: (row: Row) => T): T[] {
  return rows.flatMap((row) => {
    const found = readRow(database, table, row, record);
    return found === null ? [] : [found];
  });
}
