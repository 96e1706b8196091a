import type { Made } from './made-up-files.ts';

/** What to change in the records of a good file, and all that should be found: `record check`. */
export type Damage = readonly [what: string, change: (records: Made[]) => void, expected: readonly string[]];

/** Changes fields of the record of that number. */
export const set =
  (record: number, fields: Made) =>
  (records: Made[]): void => {
    records[record - 1] = { ...records[record - 1]!, ...fields };
  };

/** Takes the record of that number out. */
export const without =
  (record: number) =>
  (records: Made[]): void => {
    records.splice(record - 1, 1);
  };
