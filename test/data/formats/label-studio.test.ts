import { writeFileSync } from 'node:fs';
import { join } from 'node:path';

import { describe, expect, it } from 'vitest';

import { assayHere } from '../../cli/assay-here.ts';
import { casesOf, problems, shown, temporaryFolder } from '../reading.ts';
import { memorySource } from '../../../src/data/source.ts';
import { converted, readGold } from './read-side.ts';

const region = (id: string, start: number, end: number, text: string, ...labels: string[]) => ({
  id,
  type: 'labels',
  from_name: 'label',
  to_name: 'text',
  value: {
    start,
    end,
    text,
    labels,
  },
});
const TASK = {
  id: 1,
  data: { text: '🙂 Ann met Bo.', url: 'https://example.org/1' },
  annotations: [
    {
      completed_by: { id: 4, email: 'ann@example.org' },
      result: [
        region('a', 3, 6, 'Ann', 'PER'),
        region('b', 11, 13, 'Bo', 'PER', 'NICK'),
        { type: 'relation', from_id: 'a', to_id: 'b', direction: 'right', labels: ['MET'] },
        { id: 'c', type: 'choices', from_name: 'tone', to_name: 'text', value: { choices: ['warm', 'short'] } },
        { id: 'd', type: 'rectanglelabels', value: { x: 1, y: 2, rectanglelabels: ['FACE'] } },
      ],
    },
    { completed_by: 5, was_cancelled: true, result: [region('e', 3, 6, 'Ann', 'ORG')] },
  ],
  predictions: [{ model_version: 'v1', result: [region('p', 11, 13, 'Bo', 'PER')] }],
};

const parsed = (text: string) => JSON.parse(text) as Record<string, unknown>[];

describe('label-studio', () => {
  it('reads spans in UTF-16, relations and choices by annotator, and leaves out what has no place in a text', async () => {
    const { cases, format, leftOut } = await readGold('a.json', JSON.stringify([TASK]));
    const [ann, bo, met, tone, ...more] = cases[0]!.gold;
    expect([format, cases[0]!.text, more]).toEqual(['label-studio', '🙂 Ann met Bo.', []]);
    expect(shown([ann!, bo!])).toEqual(['PER Ann 3..6', 'PER Bo 11..13']);
    expect(ann!.annotator).toBe('ann@example.org');
    expect(bo!.fields['labels']).toEqual(['PER', 'NICK']);
    expect([met!.label, met!.source, met!.target]).toEqual(['MET', 'a', 'b']);
    expect([tone!.kind, tone!.label, tone!.text]).toEqual(['class', 'tone', 'warm, short']);
    expect(leftOut).toEqual(['"rectanglelabels" FACE']);
    expect(cases[0]!.fields).toEqual({ data: { url: 'https://example.org/1' } });
  });

  it('reads annotations as gold and predictions as predicted from one file', async () => {
    const [only] = await casesOf({ cases: memorySource('a.json', JSON.stringify([TASK])) }, {});
    expect(shown(only!.predicted)).toEqual(['PER Bo 11..13']);
    expect(only!.predicted[0]!.annotator).toBe('v1');
    expect(only!.gold).toHaveLength(4);
  });

  it('reads JSON_MIN', async () => {
    const minimal = { id: 1, text: 'Ann left', label: [{ start: 0, end: 3, text: 'Ann', labels: ['PER'] }] };
    const { cases, format } = await readGold('a.json', JSON.stringify([minimal]));
    expect([format, shown(cases[0]!.gold)]).toEqual(['label-studio', ['PER Ann 0..3']]);
  });

  it('has no gold for a task that every annotator skipped', async () => {
    const skipped = { ...TASK, annotations: TASK.annotations.slice(1), predictions: [] };
    const { files, lost } = await converted('a.json', JSON.stringify([skipped]), 'out.jsonl', {});
    expect([files['out.jsonl'], lost]).toEqual(['', ['1: the case: it has no gold']]);
  });

  it('writes spans, relations and choices, and lists regions that are not of the text', async () => {
    const { files, lost } = await converted('a.json', JSON.stringify([TASK]), 'out.json', { to: 'label-studio' });
    expect(lost).toEqual(['1: "rectanglelabels" FACE: the item: it has no place in a text']);
    const { annotations } = parsed(files['out.json']!)[0]!;
    expect(annotations).toHaveLength(1);
    expect(annotations).toMatchObject([
      {
        completed_by: 'ann@example.org',
        result: [
          region('a', 3, 6, 'Ann', 'PER'),
          region('b', 11, 13, 'Bo', 'PER', 'NICK'),
          { type: 'choices', from_name: 'tone', value: { choices: ['warm', 'short'] } },
          { type: 'relation', from_id: 'a', to_id: 'b', labels: ['MET'] },
        ],
      },
    ]);
  });
});

describe('relations of label-studio', () => {
  const task = (...relations: readonly object[]) => ({
    id: 1,
    data: { text: 'Ann met Bo.' },
    annotations: [{ result: [region('a', 0, 3, 'Ann', 'PER'), region('b', 8, 10, 'Bo', 'PER'), ...relations] }],
  });
  const relation = (more: object = {}) => ({ type: 'relation', from_id: 'a', to_id: 'b', labels: ['MET'], ...more });
  const joins = async (...relations: readonly object[]): Promise<unknown[]> => {
    const { cases } = await readGold('a.json', JSON.stringify([task(...relations)]));
    return cases[0]!.gold
      .filter(({ kind }) => kind === 'relationship')
      .map(({ source, label, target, fields }) => [[source, label, target].join(' '), fields]);
  };

  it.each([
    ['right', ['a MET b']],
    ['left', ['b MET a']],
    ['bi', ['a MET b', 'b MET a']],
    [null, ['a MET b']],
    [undefined, ['a MET b']],
  ])('with the direction %s point where the arrow does', async (direction, expected) => {
    expect(await joins(relation({ direction }))).toEqual(expected.map((arrow) => [arrow, {}]));
  });

  it.each(['up', 3, ''])('with the direction %j are refused', async (direction) => {
    await expect(joins(relation({ direction }))).rejects.toThrow(
      `annotations[0].result[2].direction: expected right, left or bi, found ${JSON.stringify(direction)}`,
    );
  });

  it("are told apart if there are several, and an id is one relation's", async () => {
    const back = { from_id: 'b', to_id: 'a', direction: 'left', labels: ['SAW'] };
    expect(await joins(relation({ direction: 'bi', id: 'r' }), relation(back))).toEqual([
      ['a MET b', { id: 'r' }],
      ['b MET a', {}],
      ['a SAW b', {}],
    ]);
  });

  it('are written to the right, and come back as they were', async () => {
    const relations = [relation({ direction: 'left' }), relation({ direction: 'bi', labels: ['SAW'] })];
    const given = JSON.stringify([task(...relations)]);
    const { files, lost } = await converted('a.json', given, 'out.json', { to: 'label-studio' });
    const { cases } = await readGold('out.json', files['out.json']!);
    expect(lost).toEqual([]);
    expect(files['out.json']!.match(/"direction":"\w+"/g)).toEqual(Array(3).fill('"direction":"right"'));
    expect(cases[0]!.gold.slice(2).map(({ text }) => text)).toEqual(['b --MET--> a', 'a --SAW--> b', 'b --SAW--> a']);
  });

  it('do not take a field of that name from another format for their direction', async () => {
    const record = {
      id: '1',
      text: 'Ann met Bo.',
      entities: [
        { id: 'a', start_offset: 0, end_offset: 3, label: 'PER' },
        { id: 'b', start_offset: 8, end_offset: 10, label: 'PER' },
      ],
      relations: [{ type: 'MET', from_id: 'a', to_id: 'b', direction: 'left' }],
    };
    const { files, lost } = await converted('a.jsonl', JSON.stringify(record), 'out.json', { to: 'label-studio' });
    const { cases } = await readGold('out.json', files['out.json']!);
    expect(cases[0]!.gold.at(-1)!.text).toBe('a --MET--> b');
    expect(lost).toEqual(['1: relationship MET "a --MET--> b": the field direction']);
  });

  it('score 1 against the same arrow, however it is written', async () => {
    const cwd = temporaryFolder();
    const write = (name: string, one: object): void => writeFileSync(join(cwd, name), JSON.stringify([one]));
    write('gold.json', task(relation({ direction: 'left' }), relation({ from_id: 'a', labels: ['SAW'] })));
    write('pred.json', task(relation({ from_id: 'b', to_id: 'a' }), relation({ direction: 'right', labels: ['SAW'] })));
    const { stdout } = await assayHere(
      ['score', 'relations/strict', '--gold', 'gold.json', '--predictions', 'pred.json', '--json'],
      { cwd },
    );
    const { measures } = JSON.parse(stdout) as { measures: { name: string; value: number }[] };
    expect(measures.find(({ name }) => name === 'relationship_f1')?.value).toBe(1);
  });
});

it('annotations of one task are never taken for the predictions that other tasks have', async () => {
  const data = { text: 'Ann met Bo.' };
  const annotations = [{ completed_by: 1, result: [region('a', 0, 3, 'Ann', 'PER')] }];
  const unanswered = { id: 1, data, annotations, predictions: [] };
  const answered = { id: 2, data, annotations, predictions: [{ result: [] }] };
  for (const tasks of [
    [unanswered, answered],
    [answered, unanswered],
  ]) {
    const file = JSON.stringify(tasks);
    const [message, ...more] = await problems({ gold: file, predictions: file });
    expect([message, more]).toEqual([
      expect.stringContaining('predictions: expected predictions, as other records have, found annotations alone'),
      [],
    ]);
    // Side by side, the case is one without an answer.
    const cases = await casesOf({ cases: file });
    expect(
      cases.map(({ id, gold, predicted, answered: isAnswered }) => [id, gold.length, predicted.length, isAnswered]),
    ).toEqual(tasks.map((task) => [String(task.id), 1, 0, task === answered]));
  }
  const [only] = await casesOf({ gold: JSON.stringify([unanswered]), predictions: JSON.stringify([unanswered]) });
  expect(shown(only!.predicted)).toEqual(shown(only!.gold));
});
