import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

import { describe, expect, it } from 'vitest';

import { fileSource } from '../../src/data/source.ts';
import { casesOf, jsonl, problems, readerOf, shown, temporaryFolder } from './reading.ts';

const [ANN, EVE] = ['Ann met Bo.', 'Eve left.'];
const PER = { start: 0, end: 3, label: 'PER' };

describe('records without ids', () => {
  it('are numbered, and two such files are matched by number', async () => {
    const gold = jsonl({ text: ANN, spans: [PER] }, { text: EVE, spans: [] });
    const read = await casesOf({ gold, predictions: jsonl({ spans: [] }, { spans: [PER] }) });
    expect(read.map(({ id, gold: own, predicted }) => [id, shown(own), shown(predicted)])).toEqual([
      ['1', ['PER Ann 0..3'], []],
      ['2', [], ['PER Eve 0..3']],
    ]);
  });

  it('are matched by their order with cases that have ids, which is reported', async () => {
    const gold = jsonl({ id: 'x', text: ANN, spans: [] }, { id: 'y', text: EVE, spans: [] });
    const reader = readerOf({ gold, predictions: jsonl({ spans: [] }, { spans: [PER] }) });
    const read = await Array.fromAsync(reader);
    expect(read.map(({ id, predicted }) => [id, shown(predicted)])).toEqual([
      ['x', []],
      ['y', ['PER Eve 0..3']],
    ]);
    expect(reader.notices.matchedByOrder).toBe(2);
  });

  it('have to be as many as the cases', async () => {
    const gold = jsonl({ id: 'x', text: ANN, spans: [] }, { id: 'y', text: EVE, spans: [] });
    expect(await problems({ gold, predictions: jsonl({ spans: [] }) })).toEqual([
      'predictions.jsonl: 1 record without an id for 2 cases: which case each belongs to is not known (give every record the id of its case, or one record for each case in their order)',
    ]);
  });

  it('have to be as many also if the cases have no ids either', async () => {
    const gold = jsonl({ text: ANN, spans: [] }, { text: EVE, spans: [] });
    const told = await problems({ gold, predictions: jsonl({ spans: [] }) });
    expect(told).toEqual([expect.stringContaining('1 record without an id for 2 cases')]);
  });

  it('whose texts are in another order are refused', async () => {
    const gold = jsonl({ text: ANN, spans: [] }, { text: EVE, spans: [] });
    const predictions = jsonl({ text: EVE, spans: [] }, { text: ANN, spans: [] });
    expect((await problems({ gold, predictions }))[0]).toContain('the text of "1" differs from the one in gold.jsonl');
  });

  it('do not go together with some that have one', async () => {
    const gold = jsonl({ id: 'x', text: ANN, spans: [] }, { text: EVE, spans: [] }, { text: ANN, spans: [] });
    expect(await problems({ gold, predictions: jsonl({ id: 'x', spans: [] }) })).toContain(
      'gold.jsonl: 2 of 3 records have no id (give every record an id, or none: then they are numbered)',
    );
  });

  it('may be tokens, lists of a tagger, and pairs of a text and what is in it', async () => {
    const gold = { gold: 'Ann B-PER\nmet O\n\nEve B-PER\nleft O\n' };
    const tagger = '[{"entity_group":"PER","word":"Ann","start":0,"end":3,"score":0.9}]\n[]\n';
    const read = await casesOf({ ...gold, predictions: tagger });
    expect(read.map(({ id, predicted }) => [id, shown(predicted)])).toEqual([
      ['1', ['PER Ann 0..3']],
      ['2', []],
    ]);
    const pair = '["Ann met",{"entities":[[0,3,"PER"]]}]';
    for (const pairs of [`[${pair},${pair}]`, `${pair}\n${pair}\n`]) {
      const both = await casesOf({ gold: pairs, predictions: jsonl({ spans: [] }, { spans: [] }) });
      expect(both.map((one) => shown(one.gold))).toEqual([['PER Ann 0..3'], ['PER Ann 0..3']]);
    }
  });
});

describe('a folder', () => {
  function folderOf(files: Readonly<Record<string, string>>): string {
    const folder = temporaryFolder();
    for (const [name, content] of Object.entries(files)) {
      mkdirSync(join(folder, name, '..'), { recursive: true });
      writeFileSync(join(folder, name), content);
    }
    return folder;
  }

  it('is read with the folders in it, in the order of its names, without hidden files', async () => {
    const folder = folderOf({
      'doc10.txt': 'Carl ran.',
      'doc10.ann': 'T1\tPER 0 4\tCarl\n',
      'doc2.txt': ANN,
      'doc2.ann': 'T1\tPER 0 3\tAnn\n',
      'sub/doc3.txt': EVE,
      'sub/doc3.ann': '',
      '.DS_Store': '\0\0\0',
    });
    const predictions = jsonl(...['doc2', 'doc10', 'doc3'].map((id) => ({ id, spans: [] })));
    const reader = readerOf({ gold: fileSource(folder), predictions });
    const read = await Array.fromAsync(reader);
    expect(read.map(({ id, gold }) => [id, shown(gold)])).toEqual([
      ['doc2', ['PER Ann 0..3']],
      ['doc10', ['PER Carl 0..4']],
      ['doc3', []],
    ]);
    expect(reader.files()[0]).toMatchObject({ format: 'brat', rows: 3 });
  });

  it('may hold files of several formats, whose ids are told apart', async () => {
    const folder = folderOf({
      'a.jsonl': jsonl({ id: 'a', text: ANN, spans: [PER] }),
      'b.conll': '# id = b\nEve B-PER\nleft O\n',
    });
    const predictions = jsonl({ id: 'a', spans: [] }, { id: 'b', spans: [] });
    const reader = readerOf({ gold: fileSource(folder), predictions });
    const read = await Array.fromAsync(reader);
    expect(read.map(({ id, gold }) => [id, shown(gold)])).toEqual([
      ['a', ['PER Ann 0..3']],
      ['b', ['PER Eve 0..3']],
    ]);
    expect(reader.files()[0]!.format).toBe('spans, conll');
  });

  it('without files, or with two cases of one id, is refused', async () => {
    const empty = folderOf({ '.hidden': 'x' });
    expect((await problems({ gold: fileSource(empty), predictions: jsonl({ id: 'a', spans: [] }) }))[0]).toContain(
      'the folder has no files (name a folder of annotation files, or one file)',
    );
    const record = jsonl({ id: 'a', text: ANN, spans: [] });
    const twice = folderOf({ 'a.jsonl': record, 'b.jsonl': record });
    expect((await problems({ gold: fileSource(twice), predictions: jsonl({ id: 'a', spans: [] }) })).join()).toContain(
      'the id "a" was given before',
    );
  });
});
