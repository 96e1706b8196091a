import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

import { describe, test } from 'vitest';

/** Data that is shared between the people who build this and is no part of the repository. */
const FOLDER = join(import.meta.dirname, '../../../shared/reference');

export function referencePath(file: string): string {
  return join(FOLDER, file);
}

/** A reference file as JSON; the test that reads it says what it expects in it. */
export function referenceJson<T>(file: string): T {
  return JSON.parse(readFileSync(referencePath(file), 'utf8')) as T;
}

/** A group of tests that runs where the reference data is, and says so where it is not. */
export function describeReference(name: string, tests: () => void): void {
  if (existsSync(FOLDER)) {
    describe(name, tests);
    return;
  }
  console.log(`skipped: ${name}, because there is no folder ${FOLDER}`);
  describe(name, () => {
    test.skip(`needs ${FOLDER}`);
  });
}
