import { describe, expect, it } from 'vitest';

import { closestColumns } from '../../src/data/closest-shape.ts';
import type { Fields, ItemKind } from '../../src/data/item.ts';
import { readCases } from '../../src/data/read-cases.ts';
import { memorySource } from '../../src/data/source.ts';
import { caseOf, jsonl, shown } from './reading.ts';

const TEXT = 'Ann met Bo in Oslo.';

/** What a record that nobody knows is refused with. */
async function refusal(record: Fields, kinds?: readonly ItemKind[]): Promise<string> {
  const reader = readCases({ gold: memorySource('gold.jsonl', jsonl(record)) }, kinds === undefined ? {} : { kinds });
  return Array.fromAsync(reader).then(
    () => 'it was read',
    (error: unknown) => (error instanceof Error ? error.message : String(error)),
  );
}

describe('a record of an unknown shape', () => {
  it.each<[record: Fields, items: readonly string[]]>([
    [{ uid: 'a', body: TEXT, hits: [{ from: 0, to: 3, tag: 'PER' }] }, ['PER Ann 0..3']],
    [{ doc_id: 'a', full_text: TEXT, ents: [{ entity_type: 'PER', start_position: 8, end: 10 }] }, ['PER Bo 8..10']],
    [{ meta: { key: 'a' }, data: { body: TEXT }, found: [[14, 18, 'LOC']] }, ['LOC Oslo 14..18']],
    [{ uid: 'a', body: TEXT, found: [['LOC', 14, 18]] }, ['LOC Oslo 14..18']],
    [{ uid: 'a', body: TEXT, found: [{ value: { begin: 8, stop: 10, class: 'PER' } }] }, ['PER Bo 8..10']],
    [{ uid: 'a', body: TEXT, mentions: [{ surface: 'Oslo', category: 'LOC' }] }, ['LOC Oslo 14..18']],
    [{ uid: 'a', body: TEXT, rels: [{ arg1: 'Ann', arg2: 'Bo', pred: 'met' }] }, ['met Ann --met--> Bo -1..-1']],
    [{ uid: 'a', body: TEXT, facts: [{ subj: 'Ann', obj: 'Bo', rel: 'met' }] }, ['met Ann --met--> Bo -1..-1']],
  ])('%j is refused with the --columns that reads it', async (record, items) => {
    const [, columns = ''] = /\(try --columns (\S+), which reads it as \{/.exec(await refusal(record)) ?? [];
    const map = Object.fromEntries(columns.split(',').map((pair) => pair.split('=')));
    const { id, gold } = await caseOf({ gold: jsonl(record), predictions: jsonl(record) }, { columns: map });
    expect([id, shown(gold)]).toEqual(['a', items]);
  });

  it('is compared with what the recipe scores', async () => {
    const record = { foo: 1 };
    expect(await refusal(record)).toContain('the closest shape that is read: {"id":"d1","text":"Ann met Bo.","spans"');
    expect(await refusal(record, ['span'])).toContain('"spans":[{"start":0');
    expect(await refusal(record, ['entity', 'relationship'])).toContain('"relationships":[{"source_name":"Ann"');
    expect(await refusal(record, ['object'])).toContain('"items":[{"domain":"food"');
    expect(await refusal({ uid: 1, rels: [{ head: 'Ann', tail: 'Bo', relation: 'met' }] })).toContain(
      '"relationships"',
    );
  });

  it('is given no map if it has no list that could be one', () => {
    expect(closestColumns({ uid: 1, body: TEXT })).toBeNull();
    expect(closestColumns({ uid: 1, numbers: [[1, 2, 3]], words: ['a', 'b'], empty: [] })).toBeNull();
    expect(closestColumns({ id: 1, points: [{ x: 1, y: 2 }] })).toBeNull();
  });

  it.each<[what: string, record: Fields]>([
    [
      'counts that are no places',
      { title: TEXT, prompts: [{ label: 'a', metrics: { passed: 2, failed: 1, errors: 0 } }] },
    ],
    [
      'numbers of different things',
      { samples: [{ epoch: 1, metadata: { duration_end: 5 }, sandbox: { type: 'docker' } }] },
    ],
    ['numbers of entities', { title: TEXT, labels: [{ h: 0, t: 2, relation: 'P17' }] }],
    ['numbers that are no piece of the text', { title: TEXT, rows: [['why?', 314, 1, 'LOW']] }],
    ['words that are not in the text', { prompt: TEXT, results: [{ type: 'equals', value: 'Paris' }] }],
    ['a list by its number', { 0: [{ start: 0, end: 3, label: 'PER' }], 1: [] }],
    ['words of different things', { cases: [{ name: 'case 1', trace: { type: 'SUCCESS' } }] }],
  ])('is given no map that would read %s as spans', (_, record) => {
    expect(closestColumns(record)).toBeNull();
  });

  it.each<[what: string, first: number, last: number]>([
    ['an end after the last character', 4, 11],
    ['an end at the last character', 4, 10],
    ['places from 1', 5, 12],
    ['places from 1 and an end at the last character', 5, 11],
  ])('is given the map of lists that have %s', (_, first, last) => {
    expect(closestColumns({ body: 'The Ann Lee prize.', ents: [[first, last, 'PER']] })).toBe('text=body,spans=ents');
  });

  it('has its label where the type is, before a category that all items share', () => {
    const entity = { Category: 'PROTECTED_HEALTH_INFORMATION', Type: 'NAME', BeginOffset: 0, EndOffset: 3 };
    expect(closestColumns({ Entities: [entity] })).toBe('spans=Entities,start=BeginOffset,end=EndOffset,label=Type');
  });

  it('whose names are those that are read anyway needs none of them in the map', () => {
    expect(closestColumns({ id: 'a', text: TEXT, ents: [{ start: 0, end: 3, label: 'PER' }] })).toBe('spans=ents');
  });
});
