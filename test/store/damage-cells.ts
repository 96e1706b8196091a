import { copyFileSync, mkdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';

import { STORE_FILE } from '../../src/store/store.ts';

/** What a cell may hold that was never written there: too large an integer, no JSON, no number, no text, no time. */
export const DAMAGES = ['9007199254740993', "'{'", '9e999', "x'00ff'", "'x'"] as const;

export interface DamagedStore {
  readonly folder: string;
  /** `observations.prompt_version = 9007199254740993` */
  readonly what: string;
}

/**
 * For every column of every table a copy of a closed store, in which all its cells are damaged by hand. What the schema
 * itself refuses is left out. `scratch` is a folder for the copies.
 */
export function* damagedStores(folder: string, scratch: string, damages: readonly string[]): Generator<DamagedStore> {
  const original = join(folder, STORE_FILE);
  for (const [table, column] of columnsOf(original)) {
    for (const damage of damages) {
      const copy = join(scratch, `${table}-${column}-${damages.indexOf(damage)}`);
      mkdirSync(copy);
      copyFileSync(original, join(copy, STORE_FILE));
      if (isDamaged(join(copy, STORE_FILE), table, column, damage))
        yield { folder: copy, what: `${table}.${column} = ${damage}` };
      rmSync(copy, { recursive: true });
    }
  }
}

function columnsOf(file: string): (readonly [table: string, column: string])[] {
  const sqlite = new DatabaseSync(file);
  const columns = sqlite
    .prepare(
      `SELECT t.name AS "table", c.name AS "column" FROM sqlite_schema t, pragma_table_info(t.name) c
        WHERE t.type = 'table'`,
    )
    .all();
  sqlite.close();
  return columns.map((row) => [String(row['table']), String(row['column'])]);
}

function isDamaged(file: string, table: string, column: string, damage: string): boolean {
  const sqlite = new DatabaseSync(file, { enableForeignKeyConstraints: false });
  try {
    // Nobody minds what becomes of a copy: waiting for the disk would take most of the time.
    sqlite.exec('PRAGMA synchronous = OFF; PRAGMA journal_mode = MEMORY');
    for (const { name } of sqlite.prepare("SELECT name FROM sqlite_schema WHERE type = 'trigger'").all())
      sqlite.exec(`DROP TRIGGER "${String(name)}"`);
    // Of a unique column only the first cell can have it.
    const { changes } = sqlite.prepare(`UPDATE OR IGNORE "${table}" SET "${column}" = ${damage}`).run();
    return Number(changes) > 0;
  } catch {
    return false;
  } finally {
    sqlite.close();
  }
}
