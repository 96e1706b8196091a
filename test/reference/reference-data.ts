import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

/** Data that is shared between the people who build this and is no part of the repository. */
const FOLDER = join(import.meta.dirname, '../../../shared/reference');

/** Where the data is not, the tests that need it are skipped, and the reason is printed. */
export const noReference = !existsSync(FOLDER);
if (noReference) console.log(`tests against the reference data are skipped: there is no folder ${FOLDER}`);

export function referencePath(file: string): string {
  return join(FOLDER, file);
}

/** A reference file as JSON; the test that reads it says what it expects in it. */
export function referenceJson(file: string): unknown {
  return JSON.parse(readFileSync(referencePath(file), 'utf8'));
}
