import { readFileSync } from 'node:fs';
import { join } from 'node:path';

import { describe, expect, it } from 'vitest';

import { UsageError } from '../../../src/data/problems.ts';
import type { FileFinding } from '../../../src/stream/validate/findings.ts';
import { validateFiles, type ValidateOptions } from '../../../src/stream/validate/validate.ts';
import { madeUpTrace, writeFiles } from './made-up-files.ts';

async function problemsOf(options: Omit<ValidateOptions, 'report'>): Promise<string[]> {
  const found: FileFinding[] = [];
  await validateFiles({ ...options, report: (finding) => void found.push(finding) });
  return found.map(({ file, message }) => `${file}: ${message}`);
}

describe('what is looked at', () => {
  it('has to be something', async () => {
    await expect(problemsOf({ paths: [] })).rejects.toThrow(UsageError);
    await expect(problemsOf({ paths: ['/nowhere'] })).rejects.toThrow('/nowhere: neither a file nor a folder');
  });

  it('is wrong where there is nothing of ours in it', async () => {
    const folder = writeFiles({ 'readme.md': '', 'metrics.jsonl': '{"a":1}\n' });
    expect(await problemsOf({ paths: [folder] })).toEqual([
      `${folder}: found no trace, run log or manifest, expected at least one`,
    ]);
  });

  it('counts once, however often it was named, and by any name if it was named itself', async () => {
    const folder = writeFiles({ 'notes.txt': madeUpTrace() });
    const file = join(folder, 'notes.txt');
    const seen: number[] = [];
    const { files } = await validateFiles({
      paths: [folder, file, file],
      report: () => undefined,
      breathe: (share) => void seen.push(share),
    });
    // In the folder, its name says that it is none of ours.
    expect(files).toMatchObject({ trace: 1, other: 1 });
    expect(seen).toEqual([0]);
  });

  it('is left as it is', async () => {
    const folder = writeFiles({ 'a.jsonl.gz': madeUpTrace() });
    const before = readFileSync(join(folder, 'a.jsonl.gz'));
    await problemsOf({ paths: [folder] });
    expect(readFileSync(join(folder, 'a.jsonl.gz')).equals(before)).toBe(true);
  });
});
