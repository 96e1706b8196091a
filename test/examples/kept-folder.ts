import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { afterAll } from 'vitest';

/** A folder for all tests of a file, gone when they are done. */
export function keptFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'assay-example-'));
  afterAll(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
}
