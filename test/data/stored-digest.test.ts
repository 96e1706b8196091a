import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { gzipSync } from 'node:zlib';

import { expect, test } from 'vitest';

import { DEFAULT_DATA_OPTIONS } from '../../src/data/data-options.ts';
import { Problems } from '../../src/data/problems.ts';
import { rowReader } from '../../src/data/read-rows.ts';
import { fileSource } from '../../src/data/source.ts';
import { storedDigest } from '../../src/data/stored-digest.ts';
import { temporaryFolder } from '../cli/run-assay.ts';

const LINE = '{"id":"a","text":"Ann met Bo","spans":[]}\n';
const ANNOTATION = 'T1\tPER 0 3\tAnn\n';

function folderOf(files: Readonly<Record<string, string | Buffer>>): string {
  const folder = temporaryFolder();
  for (const [name, content] of Object.entries(files)) {
    mkdirSync(dirname(join(folder, name)), { recursive: true });
    writeFileSync(join(folder, name), content);
  }
  return folder;
}

test.each([
  ['a file', 'a.jsonl'],
  ['a compressed file', 'b.jsonl.gz'],
  ['an annotation file with its text', 'brat/a.ann'],
  ['a folder, and those below it', 'folder'],
  ['a folder of annotation files', 'brat'],
])('the digest of %s is that of what reading it saw', async (_, name) => {
  const folder = folderOf({
    'a.jsonl': LINE,
    'b.jsonl.gz': gzipSync(LINE),
    'brat/a.ann': ANNOTATION,
    'brat/a.txt': 'Ann met Bo',
    'brat/b.ann': ANNOTATION,
    'brat/b.txt': 'Ann left',
    'folder/part-10.jsonl': LINE.replace('"a"', '"c"'),
    'folder/part-2.jsonl': LINE,
    'folder/more/x.jsonl': LINE.replace('"a"', '"b"'),
    'folder/_SUCCESS': '',
    'folder/.part-2.jsonl.crc': 'x',
  });
  const path = join(folder, name);
  const problems = new Problems();
  const reader = rowReader(fileSource(path), 'gold', DEFAULT_DATA_OPTIONS, problems);
  await Array.fromAsync(reader.rows());
  problems.throwIfAny();
  const [{ sha256, bytes } = { sha256: '', bytes: 0 }] = reader.done();
  expect(await storedDigest(path)).toEqual({ sha256, bytes });
  expect(await storedDigest(path, { bytes })).toEqual({ sha256, bytes });
  expect(await storedDigest(path, { bytes: bytes + 1 })).toBeNull();
});

test('a folder has another digest once a file is moved, changed or gone', async () => {
  const files = { 'a.jsonl': LINE, 'b.jsonl': LINE.replace('"a"', '"b"') };
  const before = await storedDigest(folderOf(files));
  expect(await storedDigest(folderOf(files))).toEqual(before);
  expect(await storedDigest(folderOf({ 'c.jsonl': files['a.jsonl'], 'b.jsonl': files['b.jsonl'] }))).not.toEqual(
    before,
  );
  expect(await storedDigest(folderOf({ ...files, 'b.jsonl': files['b.jsonl'].replace('Bo', 'Jo') }))).not.toEqual(
    before,
  );
  const folder = folderOf(files);
  rmSync(join(folder, 'b.jsonl'));
  expect(await storedDigest(folder)).not.toEqual(before);
});
