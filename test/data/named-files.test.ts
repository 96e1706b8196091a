import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

import { expect, it } from 'vitest';

import { openFiles, sourceOf } from '../../src/data/named-files.ts';
import { memorySource } from '../../src/data/source.ts';
import { temporaryFolder } from './reading.ts';

function foldersOfParts(): string {
  const folder = temporaryFolder();
  for (const day of [1, 2, 10]) {
    mkdirSync(join(folder, `day=${day}`));
    for (const name of ['part-0.jsonl', 'part-10.jsonl', 'part-9.jsonl', '_SUCCESS', '.part-0.jsonl.crc'])
      writeFileSync(join(folder, `day=${day}`, name), '');
  }
  return folder;
}

it('gives the files of a pattern in natural order, without those that hold no data', () => {
  const folder = foldersOfParts();
  const { files = [] } = sourceOf(`${folder}/day=*/*`);
  const parts = ['part-0.jsonl', 'part-9.jsonl', 'part-10.jsonl'];
  expect(files.map(({ name }) => name)).toEqual(
    [1, 2, 10].flatMap((day) => parts.map((part) => `${folder}/day=${day}/${part}`)),
  );
  expect(sourceOf(`${folder}/day=1/part-?.jsonl`).files?.map(({ name }) => name)).toEqual([
    `${folder}/day=1/part-0.jsonl`,
    `${folder}/day=1/part-9.jsonl`,
  ]);
});

it('takes a file whose name has a star by its name', () => {
  const folder = temporaryFolder();
  writeFileSync(join(folder, 'a*.jsonl'), '');
  writeFileSync(join(folder, 'ab.jsonl'), '');
  expect(sourceOf(join(folder, 'a*.jsonl'))).toMatchObject({ name: join(folder, 'a*.jsonl') });
});

it('answers a pattern of many stars at once', () => {
  const folder = temporaryFolder();
  writeFileSync(join(folder, 'a'.repeat(250)), '');
  const started = performance.now();
  expect(() => sourceOf(`${folder}/${'*a'.repeat(60)}b`)).toThrow('no file matches');
  expect(performance.now() - started).toBeLessThan(1000);
});

it('refuses standard input among other files, and a file that is named twice', () => {
  expect(() => sourceOf('-', 'a.jsonl')).toThrow('standard input (-) is read alone');
  expect(() => sourceOf('a.jsonl', './a.jsonl')).toThrow('./a.jsonl was given twice');
});

it('opens a name, several names or a source', () => {
  const source = memorySource('here', '');
  expect(openFiles(source)).toBe(source);
  expect(openFiles('a.jsonl').name).toBe('a.jsonl');
  expect(openFiles(['a.jsonl', 'b.jsonl']).files?.map(({ name }) => name)).toEqual(['a.jsonl', 'b.jsonl']);
  expect(() => openFiles(['a.jsonl', 'b.jsonl']).open()).toThrow('only one file is read here');
});
