import { describe, expect, it } from 'vitest';

import { jsonl, problems, shown } from '../reading.ts';
import { converted, readGold } from './read-side.ts';

const task = (answer: string, more: object = {}) => ({
  text: '🙂 Ann met Bo.',
  spans: [
    { start: 2, end: 5, label: 'PER', token_start: 1, token_end: 1 },
    { start: 10, end: 12, label: 'PER' },
  ],
  answer,
  _task_hash: 17,
  ...more,
});

describe('prodigy', () => {
  it('reads the spans of an accepted task by code points, with the annotator', async () => {
    const { cases, format } = await readGold('a.jsonl', jsonl(task('accept', { _annotator_id: 'ann' })));
    expect([format, cases[0]!.id, shown(cases[0]!.gold)]).toEqual(['prodigy', '17', ['PER Ann 3..6', 'PER Bo 11..13']]);
    expect(cases[0]!.gold.map(({ annotator }) => annotator)).toEqual(['ann', 'ann']);
    expect(cases[0]!.gold[0]!.fields).toMatchObject({ token_start: 1, token_end: 1 });
  });

  it('joins spans by their places', async () => {
    const place = (start: number, end: number) => ({ start, end, label: 'PER' });
    const relations = [{ head_span: place(2, 5), child_span: place(10, 12), label: 'MET', head: 1, child: 3 }];
    const { cases } = await readGold('a.jsonl', jsonl(task('accept', { relations })));
    const [ann, bo, met] = cases[0]!.gold;
    expect([met!.label, met!.source, met!.target]).toEqual(['MET', ann!.fields['id'], bo!.fields['id']]);
  });

  it.each(['reject', 'ignore'])('has no gold in a task with the answer %s', async (answer) => {
    const given = jsonl(task('accept'), task(answer, { _task_hash: 18 }));
    const { files, lost } = await converted('a.jsonl', given, 'out.jsonl', {});
    expect(files['out.jsonl']!.trim().split('\n')).toHaveLength(1);
    expect(lost).toContain('18: the case: it has no gold');
    expect(
      await problems({ gold: given, predictions: jsonl(task('accept'), task('accept', { _task_hash: 18 })) }),
    ).toEqual([expect.stringContaining('gold.jsonl:2: no gold for "18"')]);
  });

  it('writes spans and relations as an accepted task', async () => {
    const given = {
      id: 'd1',
      text: 'Ann met Bo',
      expected_output: {
        entities: [
          { temp_id: 'e1', name: 'Ann', type: 'PER', start: 0, end: 3 },
          { temp_id: 'e2', name: 'Bo', type: 'PER', start: 8, end: 10 },
        ],
        relationships: [{ source_ref: 'e1', target_ref: 'e2', type: 'MET' }],
      },
    };
    const { files, lost } = await converted('a.jsonl', jsonl(given), 'out.jsonl', { to: 'prodigy' });
    const [ann, bo] = [
      { start: 0, end: 3, label: 'PER' },
      { start: 8, end: 10, label: 'PER' },
    ];
    expect(lost).toEqual([]);
    expect(JSON.parse(files['out.jsonl']!)).toEqual({
      id: 'd1',
      text: 'Ann met Bo',
      spans: [ann, bo],
      answer: 'accept',
      relations: [
        {
          label: 'MET',
          head_span: ann,
          child_span: bo,
        },
      ],
    });
  });
});
