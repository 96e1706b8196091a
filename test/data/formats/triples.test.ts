import { describe, expect, it } from 'vitest';

import type { Item } from '../../../src/data/item.ts';
import { casesOf, jsonl } from '../reading.ts';
import { converted, readGold } from './read-side.ts';

const ends = (items: readonly Item[]): unknown[] => items.map(({ source, label, target }) => [source, label, target]);

describe('triples', () => {
  it.each([
    ['subject', 'predicate', 'object'],
    ['head', 'relation', 'tail'],
    ['source', 'type', 'target'],
    ['sub', 'rel', 'obj'],
  ])('reads %s, %s and %s, one triple a record or in a list', async (from, type, to) => {
    const triple = (a: string, b: string) => ({ [from]: a, [type]: 'met', [to]: b });
    const each = jsonl({ id: 'd1', ...triple('Ann', 'Bo') }, { id: 'd1', ...triple('Bo', 'Cy') });
    const list = jsonl({ id: 'd1', triples: [triple('Ann', 'Bo'), triple('Bo', 'Cy')] });
    for (const content of [each, list]) {
      const { cases, format } = await readGold('a.jsonl', content);
      expect([format, cases.length]).toEqual(['triples', 1]);
      expect(ends(cases[0]!.gold)).toEqual([
        ['Ann', 'met', 'Bo'],
        ['Bo', 'met', 'Cy'],
      ]);
    }
  });

  it.each(['doc_id', 'documentId', 'docId'])('keeps the triples of each document apart, named by %s', async (name) => {
    const triple = { source: 'Ann', type: 'met', target: 'Bo' };
    const each = jsonl({ ...triple, [name]: 'd1' }, { ...triple, [name]: 'd2' });
    const { cases } = await readGold('a.jsonl', each);
    expect(cases.map(({ id, gold }) => [id, gold.length])).toEqual([
      ['d1', 1],
      ['d2', 1],
    ]);
  });

  it('reads lists of three, and an end that a model left empty', async () => {
    const { cases } = await readGold('a.jsonl', jsonl({ id: 'd1', triples: [['Ann', 'met', '']] }));
    expect(ends(cases[0]!.gold)).toEqual([['Ann', 'met', '']]);
  });

  it('writes relations between names, and lists the entities', async () => {
    const given = {
      id: 'd1',
      text: 'Ann met Bo',
      expected_output: {
        entities: [{ temp_id: 'e1', name: 'Ann', type: 'PER' }],
        relationships: [{ source_ref: 'e1', target_name: 'Bo', type: 'met', sure: true }],
      },
    };
    const { files, lost } = await converted('a.jsonl', jsonl(given), 'out.jsonl', { to: 'triples' });
    expect(JSON.parse(files['out.jsonl']!)).toEqual({
      id: 'd1',
      text: 'Ann met Bo',
      triples: [
        {
          subject: 'Ann',
          predicate: 'met',
          object: 'Bo',
          sure: true,
        },
      ],
    });
    expect(lost).toEqual([
      'd1: entity PER "Ann": the item',
      'd1: relationship met "e1 --met--> Bo": the places of its ends',
    ]);
  });

  it('writes an end that was left empty', async () => {
    const given = jsonl({ id: 'd1', triples: [['Ann', 'met', '']] });
    for (const to of ['triples', 'text2kgbench', 'graph'])
      expect((await converted('a.jsonl', given, 'out.jsonl', { to })).lost).toEqual([]);
  });
});

describe('text2kgbench', () => {
  const record = {
    id: 's1',
    sent: 'Ann met Bo.',
    gt_triples: [['Ann', 'met', 'Bo']],
    llm_triples: [['Ann', 'knows', 'Bo']],
    precision: '0.0',
  };

  it('reads gold and model triples of a sentence, and keeps the figures', async () => {
    const [only] = await casesOf({ cases: jsonl(record) });
    expect([only!.text, ends(only!.gold), ends(only!.predicted)]).toEqual([
      'Ann met Bo.',
      [['Ann', 'met', 'Bo']],
      [['Ann', 'knows', 'Bo']],
    ]);
    expect(only!.fields).toEqual({ precision: '0.0' });
  });

  it('writes both', async () => {
    const { files, lost } = await converted('a.jsonl', jsonl(record), 'out.jsonl', {
      to: 'text2kgbench',
      side: 'both',
    });
    expect([lost, JSON.parse(files['out.jsonl']!)]).toEqual([[], record]);
  });
});

describe('function-calls', () => {
  const record = {
    id: 'simple_0',
    ground_truth: [{ area: { base: [10], unit: ['units', ''] } }, { now: {} }],
  };

  it('reads an argument as a relation from its function to its first value', async () => {
    const { cases, format } = await readGold('a.jsonl', jsonl(record));
    expect(format).toBe('function-calls');
    expect(ends(cases[0]!.gold)).toEqual([
      ['area', 'base', '10'],
      ['area', 'unit', 'units'],
      ['now', 'calls', 'now'],
    ]);
    expect(cases[0]!.gold[1]!.fields['values']).toEqual(['units', '']);
  });

  it('writes all values that are right', async () => {
    const { files, lost } = await converted('a.jsonl', jsonl(record), 'out.jsonl', { to: 'function-calls' });
    expect([lost, JSON.parse(files['out.jsonl']!)]).toEqual([[], record]);
  });
});
