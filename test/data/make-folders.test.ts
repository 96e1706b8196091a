import { existsSync, mkdirSync, mkdtempSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { afterAll, beforeAll, expect, test } from 'vitest';

import { makeFolders, SHARED } from '../../src/data/make-folders.ts';

let parent = '';
beforeAll(() => {
  parent = mkdtempSync(join(tmpdir(), 'assay-test-'));
});
afterAll(() => rmSync(parent, { recursive: true, force: true }));

test('makes a folder with those above it, and leaves alone what is there', () => {
  makeFolders(join(parent, 'a/b/c'));
  makeFolders(join(parent, 'a/b/c'));
  makeFolders('.');
  expect(existsSync(join(parent, 'a/b/c'))).toBe(true);
});

test('lets nobody but the owner look, unless it is nobody’s secret', () => {
  makeFolders(join(parent, 'own/x'));
  makeFolders(join(parent, 'all/x'), SHARED);
  const modes = ['own', 'own/x', 'all', 'all/x'].map((name) => statSync(join(parent, name)).mode & 0o777);
  mkdirSync(join(parent, 'usual'));
  const usual = statSync(join(parent, 'usual')).mode & 0o777;
  expect(modes).toEqual([0o700, 0o700, usual, usual]);
});

test('says so where a file is in the way', () => {
  writeFileSync(join(parent, 'file'), '');
  expect(() => makeFolders(join(parent, 'file/x/y'))).toThrow('ENOTDIR');
});

test.skipIf(process.platform !== 'linux')('comes back where nobody can make folders', () => {
  expect(() => makeFolders('/proc/assay/x')).toThrow('ENOENT');
});
