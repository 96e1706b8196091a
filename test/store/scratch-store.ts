import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { onTestFinished } from 'vitest';

import { openStore, type Store } from '../../src/store/store.ts';

/** A folder that goes when the test is done. */
export function scratchFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'assay-store-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
}

export function scratchStore(folder: string = scratchFolder()): Store {
  const store = openStore(folder);
  onTestFinished(() => store.close());
  return store;
}

export const ALL = { page: 1, limit: 1000 };

/** 2026-01-01 and that many seconds. */
export function second(count: number): string {
  return new Date(Date.UTC(2026, 0, 1, 0, 0, count)).toISOString();
}
