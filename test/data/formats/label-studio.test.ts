import { describe, expect, it } from 'vitest';

import { casesOf, shown } from '../reading.ts';
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
