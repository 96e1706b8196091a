import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

import { describe, expect, it } from 'vitest';

import { DEFAULT_DATA_OPTIONS } from '../../src/data/data-options.ts';
import { bytesOfLines } from '../../src/data/file-rows.ts';
import { GatheredRows } from '../../src/data/gathered-rows.ts';
import { fileSource, joinedSource, memorySource } from '../../src/data/source.ts';
import { casesOf, jsonl, problems, readerOf, shown, temporaryFolder } from './reading.ts';

const ann = { id: 'a', text: 'Ann left.', spans: [{ start: 0, end: 3, label: 'PER' }] };
const bo = { id: 'b', text: 'Bo left.', spans: [{ start: 0, end: 2, label: 'PER' }] };
const none = { id: 'c', text: 'Rain.', spans: [] };

const listOf = (...files: readonly string[]) =>
  joinedSource(files.map((content, at) => memorySource(`part-${at}.jsonl`, content)));

describe('several files that are read as one', () => {
  it('gives the cases of all of them in their order, and lists each with its hash and its rows', async () => {
    const reader = readerOf({ gold: listOf(jsonl(none), jsonl(ann, bo)), predictions: jsonl(ann, bo, none) });
    const cases = await Array.fromAsync(reader);
    expect(cases.map(({ id }) => id)).toEqual(['c', 'a', 'b']);
    expect(cases.map(({ gold }) => shown(gold))).toEqual([[], ['PER Ann 0..3'], ['PER Bo 0..2']]);
    const read = reader.files().map(({ role, name, format, rows }) => [role, name, format, rows]);
    expect(read).toEqual([
      ['gold', 'part-0.jsonl', 'spans', 1],
      ['gold', 'part-1.jsonl', 'spans', 2],
      ['predictions', 'predictions.jsonl', 'spans', 3],
    ]);
    expect(new Set(reader.files().map(({ sha256 }) => sha256)).size).toBe(3);
  });

  it('refuses an id of another file as one of the same file, and names file and line', async () => {
    const files = { gold: listOf(jsonl(ann, bo), jsonl(none, ann)), predictions: jsonl(ann, bo, none) };
    expect((await problems(files)).join('|')).toContain(
      'part-1.jsonl:2: the id "a" was given before in these files (one record per case is expected)',
    );
  });

  it('names the file of a span that is past the end of its text', async () => {
    const wrong = { id: 'd', text: 'Cy.', spans: [{ start: 0, end: 9, label: 'PER' }] };
    const files = { gold: listOf(jsonl(ann), jsonl(bo, wrong)), predictions: jsonl(ann, bo) };
    expect((await problems(files))[0]).toMatch(/^part-1\.jsonl:2: d gold item 0: the span 0\.\.9 is past the end/);
  });

  it('reads files in the format of the first that shows one, and refuses one of another format', async () => {
    const blank = { id: 'x', text: 'Nothing here.' };
    const files = { gold: listOf(jsonl(blank), jsonl(ann)), predictions: jsonl(ann) };
    expect((await casesOf(files, { missingGold: 'empty' })).map(({ id }) => id)).toEqual(['x', 'a']);
    const doccano = { id: 'e', text: 'Di left.', label: [[0, 2, 'PER']] };
    expect((await problems({ gold: listOf(jsonl(ann), jsonl(doccano)), predictions: jsonl(ann) })).join('|')).toContain(
      'part-1.jsonl: this file looks like doccano, and part-0.jsonl is spans (files that are read as one have one format: score them apart, or name it with --format)',
    );
  });

  it('gathers the rows of a case from all files of a table with a row a span', async () => {
    const folder = temporaryFolder();
    const header = 'id,start,end,label,text\n';
    writeFileSync(join(folder, 'p1.csv'), `${header}a,0,3,PER,Ann\n`);
    writeFileSync(join(folder, 'p2.csv'), `${header}b,0,2,PER,Bo\na,4,8,ACT,left\n`);
    const gold = joinedSource(['p1.csv', 'p2.csv'].map((name) => fileSource(join(folder, name))));
    const reader = readerOf({ cases: jsonl(ann, bo), gold, predictions: jsonl(ann, bo) });
    const cases = await Array.fromAsync(reader);
    expect(cases.map((one) => shown(one.gold))).toEqual([['PER Ann 0..3', 'ACT left 4..8'], ['PER Bo 0..2']]);
    expect(cases[0]!.gold.map(({ index }) => index)).toEqual([0, 1]);
    expect(reader.files().map(({ rows }) => rows)).toEqual([2, 1, 1, 2]);
  });

  it('numbers records without ids over all files', async () => {
    const { id: _, ...first } = ann;
    const { id: __, ...second } = bo;
    const cases = await casesOf({ gold: listOf(jsonl(first), jsonl(second)), predictions: jsonl(first, second) });
    expect(cases.map(({ id }) => id)).toEqual(['1', '2']);
  });

  it('reads folders among them, in natural order', async () => {
    const folder = temporaryFolder();
    mkdirSync(join(folder, 'day=1'));
    writeFileSync(join(folder, 'day=1', 'part-10.jsonl'), jsonl(none));
    writeFileSync(join(folder, 'day=1', 'part-9.jsonl'), jsonl(bo));
    const gold = joinedSource([memorySource('first.jsonl', jsonl(ann)), fileSource(folder)]);
    const cases = await casesOf({ gold, predictions: jsonl(ann, bo, none) });
    expect(cases.map(({ id }) => id)).toEqual(['a', 'b', 'c']);
  });

  it('has no place of a line in all bytes, by which shards could be cut', async () => {
    expect(await bytesOfLines(listOf(jsonl(ann), jsonl(bo)), DEFAULT_DATA_OPTIONS)).toBeNull();
    const whole = jsonl(ann, bo);
    expect(await bytesOfLines(memorySource('all.jsonl', whole), DEFAULT_DATA_OPTIONS)).toBe(whole.length);
  });

  it('names no file for a case whose items are in several', () => {
    const row = { line: 2, text: null, fields: {}, gold: [], predicted: null, failed: null };
    const gathered = new GatheredRows();
    gathered.add({ ...row, id: 'a', file: 'p1.csv' });
    gathered.add({ ...row, id: 'b', file: 'p1.csv' });
    gathered.add({ ...row, id: 'a', file: 'p2.csv' });
    expect(gathered.size).toBe(2);
    expect(gathered.rows().map(({ id, file }) => [id, file])).toEqual([
      ['a', undefined],
      ['b', 'p1.csv'],
    ]);
  });
});
