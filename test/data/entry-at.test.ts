import { mkdtempSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { describe, expect, it } from 'vitest';

import { entryAt } from '../../src/data/entry-at.ts';

describe('entryAt', () => {
  const folder = mkdtempSync(join(tmpdir(), 'assay-entry-'));
  const file = join(folder, 'a.jsonl');
  writeFileSync(file, 'text');

  it('returns a file and a folder, also behind a link', () => {
    symlinkSync(folder, join(folder, 'link'));
    expect(entryAt(file)?.size).toBe(4);
    expect(entryAt(folder)?.isDirectory()).toBe(true);
    expect(entryAt(join(folder, 'link/a.jsonl'))?.isFile()).toBe(true);
  });

  it('is undefined if nothing is there, also below a file', () => {
    expect(entryAt(join(folder, 'b.jsonl'))).toBeUndefined();
    expect(entryAt(join(file, 'b.jsonl'))).toBeUndefined();
  });

  it('throws if the path cannot be followed', () => {
    symlinkSync('circle', join(folder, 'circle'));
    expect(() => entryAt(join(folder, 'circle'))).toThrow('ELOOP');
  });
});
