import { describe, expect, it } from 'vitest';

import { jsonl, shown } from '../reading.ts';
import { converted, readGold } from './read-side.ts';

const TEXT = '🙂 Ann met Bo.';

describe('doccano', () => {
  it.each([
    ['label lists', { label: [[2, 5, 'PER']] }],
    ['annotations by user', { annotations: [{ label: 'PER', start_offset: 2, end_offset: 5, user: 3 }] }],
    ['entities with relations', { entities: [{ id: 1, label: 'PER', start_offset: 2, end_offset: 5 }], relations: [] }],
  ])('reads %s by code points', async (_, lists) => {
    const { cases, format } = await readGold('a.jsonl', jsonl({ id: 1, text: TEXT, ...lists, meta: { a: 1 } }));
    expect([format, cases[0]!.id, shown(cases[0]!.gold)]).toEqual(['doccano', '1', ['PER Ann 3..6']]);
    expect(cases[0]!.fields).toEqual({ meta: { a: 1 } });
  });

  it('keeps users apart, and joins entities by their ids', async () => {
    const annotations = [
      { label: 'PER', start_offset: 2, end_offset: 5, user: 1 },
      { label: 'ORG', start_offset: 2, end_offset: 5, user: 2 },
    ];
    const users = await readGold('a.jsonl', jsonl({ id: 1, text: TEXT, annotations }));
    expect(users.cases[0]!.gold.map(({ label, annotator }) => [label, annotator])).toEqual([
      ['PER', '1'],
      ['ORG', '2'],
    ]);
    const entities = [
      { id: 11, label: 'PER', start_offset: 2, end_offset: 5 },
      { id: 12, label: 'PER', start_offset: 10, end_offset: 12 },
    ];
    const relations = [{ id: 5, from_id: 11, to_id: 12, type: 'MET' }];
    const joined = await readGold('a.jsonl', jsonl({ id: 1, text: TEXT, entities, relations }));
    const [, , met] = joined.cases[0]!.gold;
    expect([met!.label, met!.source, met!.target]).toEqual(['MET', '11', '12']);
  });

  it.each([
    ['label lists', { label: [[2, 5, 'PER']] }],
    ['annotations by user', { annotations: [{ label: 'PER', start_offset: 2, end_offset: 5, user: 3 }] }],
    [
      'entities with relations',
      {
        entities: [{ id: 1, label: 'PER', start_offset: 2, end_offset: 5 }],
        relations: [{ id: 2, from_id: 1, to_id: 1, type: 'SELF' }],
      },
    ],
  ])('writes %s as it reads them', async (_, lists) => {
    const record = { id: 1, text: TEXT, ...lists };
    const { files, lost } = await converted('a.jsonl', jsonl(record), 'out.jsonl', { to: 'doccano' });
    expect([lost, JSON.parse(files['out.jsonl']!)]).toEqual([[], record]);
  });

  it('writes a span in pieces as one, and lists it', async () => {
    const spans = [
      {
        start: 0,
        end: 10,
        label: 'X',
        text: 'Ann Bo',
        fragments: [
          [0, 3],
          [8, 10],
        ],
      },
    ];
    const given = jsonl({ id: 'a', text: 'Ann met Bo', spans });
    const { files, lost } = await converted('a.jsonl', given, 'out.jsonl', { to: 'doccano' });
    expect(JSON.parse(files['out.jsonl']!)).toEqual({ id: 'a', text: 'Ann met Bo', label: [[0, 10, 'X']] });
    expect(lost).toEqual(['a: span X "Ann Bo" at 0..10: its pieces']);
  });
});
