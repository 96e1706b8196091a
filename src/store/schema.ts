import { readFileSync } from 'node:fs';

/**
 * The tables of the store. A step is never changed once it has been released: the next one is added at the end, and
 * PRAGMA user_version is how many a file has been through.
 *
 * - `seq` is the order in which rows were made.
 * - Times are ISO text in UTC with milliseconds, so that their order as text is their order in time.
 * - What may be long comes last in a row: SQLite then passes over it when it looks at the columns before.
 * - Texts that are not Unicode (half a surrogate pair) are kept as a blob of their UTF-16.
 */
export const MIGRATIONS: readonly string[] = [
  '1-tables',
  '2-reviews',
  '3-annotations',
  '4-review-texts',
  '5-score-configs',
].map((step) => readFileSync(new URL(`migrations/${step}.sql`, import.meta.url), 'utf8'));
