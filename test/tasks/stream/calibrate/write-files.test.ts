import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

import { describe, expect, test } from 'vitest';

import { UsageError } from '../../../../src/data/problems.ts';
import { writeFiles } from '../../../../src/tasks/stream/calibrate/write-files.ts';
import { temporaryFolder } from '../../../cli/run-assay.ts';

describe('files of a result', () => {
  test('are written into a folder that is made for them; one that the result does not have is cleared away', () => {
    const out = join(temporaryFolder(), 'new', 'out');
    writeFiles(out, [
      ['a.txt', 'one'],
      ['b.bin', Uint8Array.of(7)],
    ]);
    writeFiles(out, [
      ['a.txt', 'two'],
      ['b.bin', null],
    ]);
    expect(readdirSync(out)).toEqual(['a.txt']);
    expect(readFileSync(join(out, 'a.txt'), 'utf8')).toBe('two');
  });

  test('a failure leaves the old files and nothing half', () => {
    const out = temporaryFolder();
    writeFiles(out, [['a.txt', 'old']]);
    expect(() =>
      writeFiles(out, [
        ['a.txt', 'new'],
        ['none/b.txt', 'x'],
      ]),
    ).toThrow(UsageError);
    expect(readdirSync(out)).toEqual(['a.txt']);
    expect(readFileSync(join(out, 'a.txt'), 'utf8')).toBe('old');
  });

  test('a file where the folder should be is refused', () => {
    const place = join(temporaryFolder(), 'file');
    writeFileSync(place, '');
    expect(() => writeFiles(place, [['a', 'b']])).toThrow(/this is no folder/);
    mkdirSync(join(temporaryFolder(), 'x'));
    expect(existsSync(join(place, 'a'))).toBe(false);
  });
});
