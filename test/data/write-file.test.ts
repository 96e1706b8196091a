import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

import { describe, expect, test } from 'vitest';

import { UsageError } from '../../src/data/problems.ts';
import { FileWriter, makeFolders, removePartials, SHARED, writeAside, writeFiles } from '../../src/data/write-file.ts';
import { temporaryFolder } from '../cli/run-assay.ts';

describe('folders', () => {
  test('are made with those above them; what is there is left alone', () => {
    const parent = temporaryFolder();
    makeFolders(join(parent, 'a/b/c'));
    makeFolders(join(parent, 'a/b/c'));
    makeFolders('.');
    expect(existsSync(join(parent, 'a/b/c'))).toBe(true);
  });

  test('are not made of an address: its bytes would never arrive', () => {
    const parent = temporaryFolder();
    expect(() => makeFolders(join(parent, 's3://bucket/run'))).toThrow('s3://… is an address, expected a path');
    expect(existsSync(join(parent, 's3:'))).toBe(false);
  });

  test('let nobody but the owner look, unless it is nobody’s secret', () => {
    const parent = temporaryFolder();
    makeFolders(join(parent, 'own/x'));
    makeFolders(join(parent, 'all/x'), SHARED);
    const modes = ['own', 'own/x', 'all', 'all/x'].map((name) => statSync(join(parent, name)).mode & 0o777);
    mkdirSync(join(parent, 'usual'));
    const usual = statSync(join(parent, 'usual')).mode & 0o777;
    expect(modes).toEqual([0o700, 0o700, usual, usual]);
  });

  test('a file in the way is reported', () => {
    const parent = temporaryFolder();
    writeFileSync(join(parent, 'file'), '');
    expect(() => makeFolders(join(parent, 'file/x/y'))).toThrow('ENOTDIR');
  });

  test.skipIf(process.platform !== 'linux')('the call returns where nobody can make folders', () => {
    expect(() => makeFolders('/proc/assay/x')).toThrow('ENOENT');
  });
});

describe('a file', () => {
  test('has its name only once it is whole, and text and bytes stay in their order', () => {
    const folder = temporaryFolder();
    const out = new FileWriter(join(folder, 'a.txt'));
    out.write('one ');
    out.write(Buffer.from('two '));
    out.write('three');
    expect(readdirSync(folder)).toEqual([`a.txt.partial-${process.pid}`]);
    expect(out.finish()).toBe(true);
    expect(readdirSync(folder)).toEqual(['a.txt']);
    expect(readFileSync(join(folder, 'a.txt'), 'utf8')).toBe('one two three');
    expect(() => out.write(Buffer.from('four'))).toThrow('the file is closed');
  });

  test('that is abandoned leaves the one that was there', () => {
    const folder = temporaryFolder();
    writeAside(join(folder, 'a.txt'), 'old');
    const out = new FileWriter(join(folder, 'a.txt'));
    out.write('new');
    out.abandon();
    expect(readdirSync(folder)).toEqual(['a.txt']);
    expect(readFileSync(join(folder, 'a.txt'), 'utf8')).toBe('old');
  });

  test('is not replaced where it must not be', () => {
    const file = join(temporaryFolder(), 'a.txt');
    expect(writeAside(file, 'first', { replace: false, mode: 0o600 })).toBe(true);
    expect(writeAside(file, 'second', { replace: false })).toBe(false);
    expect(readFileSync(file, 'utf8')).toBe('first');
    expect(statSync(file).mode & 0o777).toBe(0o600);
  });

  test('that cannot be written is reported with what to do', () => {
    const file = join(temporaryFolder(), 'a.txt');
    writeAside(file, '');
    expect(() => writeAside(join(file, 'b'), '', { next: 'choose' })).toThrow(
      expect.objectContaining({ message: `cannot write ${join(file, 'b')} (ENOTDIR)`, next: 'choose' }),
    );
  });
});

test('what processes that are gone left half-written is cleared away: all of it, or that of one name', () => {
  const gone = spawnSync(process.execPath, ['-e', '']).pid;
  const folder = temporaryFolder();
  const names = [`a.txt.partial-${gone}`, `b.partial-${gone}`, `a.txt.partial-${process.ppid}`, 'a.txt.partial-x'];
  for (const name of names) writeFileSync(join(folder, name), '');
  removePartials(folder, 'a.txt');
  expect(readdirSync(folder).sort()).toEqual(names.slice(1).sort());
  removePartials(folder);
  expect(readdirSync(folder).sort()).toEqual(names.slice(2).sort());
  removePartials(join(folder, 'none'));
});

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
        ['a.txt/b.txt', 'x'],
      ]),
    ).toThrow(UsageError);
    expect(readdirSync(out)).toEqual(['a.txt']);
    expect(readFileSync(join(out, 'a.txt'), 'utf8')).toBe('old');
  });

  test('a file where the folder should be is refused', () => {
    const place = join(temporaryFolder(), 'file');
    writeFileSync(place, '');
    expect(() => writeFiles(place, [['a', 'b']])).toThrow(/this is not a folder/);
  });
});

describe('a new folder .assay', () => {
  test('ignores itself in Git; one that exists is left as it is', () => {
    const folder = join(temporaryFolder(), 'deep', '.assay');
    makeFolders(join(folder, 'cache'));
    expect(readFileSync(join(folder, '.gitignore'), 'utf8')).toBe('*\n');
    expect(existsSync(join(folder, 'cache', '.gitignore'))).toBe(false);
    rmSync(join(folder, '.gitignore'));
    makeFolders(join(folder, 'other'));
    expect(existsSync(join(folder, '.gitignore'))).toBe(false);
  });
});
