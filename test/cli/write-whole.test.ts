import { execFileSync } from 'node:child_process';
import { closeSync, constants, lstatSync, openSync, readdirSync, readFileSync, readSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

import { describe, expect, it } from 'vitest';

import { writeWhole } from '../../src/cli/write-whole.ts';
import { temporaryFolder } from './run-assay.ts';

describe('writeWhole', () => {
  it('makes the folders it takes, replaces a file, and leaves nothing beside it', () => {
    const folder = temporaryFolder();
    const file = join(folder, 'new/deep/out.json');
    writeWhole(file, 'first', '--out');
    writeWhole(file, 'second', '--out');
    expect(readFileSync(file, 'utf8')).toBe('second');
    expect(readdirSync(join(folder, 'new/deep'))).toEqual(['out.json']);
  });

  it('says where it cannot write', () => {
    const file = join(temporaryFolder(), 'file');
    writeFileSync(file, '');
    expect(() => writeWhole(join(file, 'out.json'), '{}', '--markdown')).toThrow(/cannot write .*ENOTDIR/);
  });

  it.skipIf(process.platform === 'win32')('writes into a pipe and does not put a file in its place', () => {
    const pipe = join(temporaryFolder(), 'pipe');
    execFileSync('mkfifo', [pipe]);
    const reader = openSync(pipe, constants.O_RDONLY | constants.O_NONBLOCK);
    try {
      writeWhole(pipe, '{"a":1}', '--out');
      const bytes = Buffer.alloc(100);
      expect(bytes.toString('utf8', 0, readSync(reader, bytes))).toBe('{"a":1}');
    } finally {
      closeSync(reader);
    }
    expect(lstatSync(pipe).isFIFO()).toBe(true);
  });
});
