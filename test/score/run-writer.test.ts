import { mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, dirname, join } from 'node:path';

import { afterAll, beforeAll, describe, expect, test } from 'vitest';

import { RunWriter } from '../../src/score/run-writer.ts';

let parent = '';
beforeAll(() => {
  parent = mkdtempSync(join(tmpdir(), 'assay-test-'));
});
afterAll(() => rmSync(parent, { recursive: true, force: true }));

const OWN = '{"format":2,"assay":"0.1.0"}';

function folderWith(name: string, files: Readonly<Record<string, string>>, inner?: string): string {
  const folder = join(parent, name);
  mkdirSync(inner === undefined ? folder : join(folder, inner), { recursive: true });
  for (const [file, text] of Object.entries(files)) writeFileSync(join(folder, file), text);
  return folder;
}

describe('a folder is replaced only where it is a run', () => {
  test.each([
    ['a web page with a manifest of its own', { 'manifest.json': '{"name":"page"}', 'app.js': '1' }, undefined],
    ['a manifest that is no JSON', { 'manifest.json': '{', 'app.js': '1' }, undefined],
    ['a run with a folder of somebody inside', { 'manifest.json': OWN }, 'notes'],
  ])('not %s', (name, files, inner) => {
    const folder = folderWith(name, files, inner);
    const before = readdirSync(folder);
    expect(() => new RunWriter(folder)).toThrow('the folder is not empty and is not a run folder');
    expect(readdirSync(folder)).toEqual(before);
    expect(readdirSync(parent).filter((one) => one.includes('.partial-'))).toEqual([]);
  });

  test('nothing is made before whoever clears it away after an interrupt knows of it', () => {
    const folder = join(folderWith('interrupted', {}), 'run');
    const seen: string[][] = [];
    const writer = new RunWriter(folder, (opened) => seen.push(readdirSync(dirname(opened.aside))));
    expect([seen, readdirSync(dirname(folder))]).toEqual([[[]], [basename(writer.aside)]]);
    writer.abandon();
    expect(readdirSync(dirname(folder))).toEqual([]);
  });

  test.each([
    ['an earlier run', { 'manifest.json': OWN, 'ledger.jsonl': '' }],
    ['an empty folder', {}],
  ])('%s is', (name, files) => {
    const folder = folderWith(name, files);
    const writer = new RunWriter(folder);
    writer.write('manifest.json', OWN);
    writer.finish();
    expect(readdirSync(folder)).toEqual(['manifest.json']);
  });
});
