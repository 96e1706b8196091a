import { describe, expect, it, test } from 'vitest';

import { namesEveryField } from '../../../src/experiment/targets/answer-json.ts';
import { reviewField, reviewSection } from '../../../src/recipe/review-section.ts';
import type { ProposedItem } from '../../../src/review/content.ts';
import { judgeReview } from '../../../src/review/judge-review.ts';
import { judgeQuestion, readJudgement } from '../../../src/review/judge/judge-question.ts';
import { loadSnapshot } from '../../../src/review/snapshot.ts';
import { openStore } from '../../../src/store/store.ts';
import { FORM } from '../../server/review/serving-review.ts';
import { judgeServer, soundAnswer } from './judge-server.ts';
import { KEY, reviewFolder } from './judging.ts';

const ask = (field: unknown) => judgeQuestion(reviewField.parse(field));

describe('a question as a model is asked it', () => {
  it('says what the points of a scale mean, and what is rated', () => {
    const asked = ask({
      type: 'scale',
      title: 'Is it safe?',
      help: 'Think of children.',
      to: 3,
      anchors: { 1: 'Dangerous', 3: 'Safe' },
      dimensions: { harm: { title: 'No harm', help: 'none at all' } },
    });
    expect(asked?.text).toBe(`Question: Is it safe?
Think of children.
Scale: whole numbers from 1 to 3.
What the points mean:
- 1: Dangerous
- 3: Safe
Rate each of these:
- harm: No harm (none at all)
Answer: {"harm": {"reason": …, "value": …}}`);
    expect(asked?.schema).toMatchObject({
      properties: { harm: { properties: { value: { type: 'integer', enum: [1, 2, 3] } } } },
    });
  });

  it('lists the labels, with what they mean', () => {
    const labels = { yes: { title: 'Yes', help: 'a passage says so' }, no: 'No' };
    const asked = ask({ type: 'items', title: 'Supported?', from: 'sentences', labels });
    expect(asked?.text).toContain('- yes: Yes (a passage says so)\n- no: No\n');
    expect(asked?.schema).toMatchObject({
      properties: { things: { items: { properties: { label: { enum: ['yes', 'no'] } } } } },
    });
  });

  it('says which items of a checklist may not apply', () => {
    const asked = ask({ type: 'checklist', title: 'What is in it?', items: { a: 'A', b: 'B' }, notApplicable: ['b'] });
    expect(asked?.text).toContain('Say yes or no for each, or na where it does not apply (b only).');
  });

  it('has a schema that strict servers take', () => {
    for (const field of [
      { type: 'choice', title: 'Which?', options: { a: 'A' } },
      { type: 'scale', title: 'How?', from: 0, to: 1_000_000 },
      { type: 'items', title: 'What?', from: 'predicted', labels: { a: 'A' } },
    ])
      expect(namesEveryField(ask(field)?.schema)).toBe(true);
  });

  it('is none where there is nothing to choose from', () => {
    expect(ask({ type: 'text', title: 'Anything else?' })).toBeNull();
  });
});

const form = reviewSection.parse(FORM);
const proposed: readonly ProposedItem[] = [
  { id: 'c1', start: 0, end: 5, text: 'Water', kind: null, facts: {}, passages: [] },
  { id: 'c2', start: 6, end: 9, text: 'it.', kind: null, facts: {}, passages: [] },
];
const read = (name: keyof typeof FORM.fields, output: unknown) =>
  readJudgement({ form, name, field: form.fields[name]!, proposed }, output);

describe('the answer of a model judge', () => {
  it('is a cell for each part of a scale, with its reason', () => {
    expect(read('safety', { harm: { reason: ' fine ', value: 5 }, dose: { reason: '', value: 1 } })).toEqual({
      cells: [
        { part: 'harm', value: 5, reason: 'fine' },
        { part: 'dose', value: 1, reason: null },
      ],
    });
  });

  it('is a tick for each item of a checklist', () => {
    expect(read('contents', { water: { reason: 'r', value: 'no' }, light: { reason: 'r', value: 'na' } })).toEqual({
      cells: [
        { part: 'water', value: false, reason: 'r' },
        { part: 'light', value: 'na', reason: 'r' },
      ],
    });
  });

  it('is the list of things in the order in which they were proposed, each with its label and reason', () => {
    const things = [
      { id: 'c2', reason: 'two', label: 'no' },
      { id: 'c1', reason: 'one', label: 'yes' },
    ];
    expect(read('claims', { things })).toEqual({
      cells: [
        {
          part: null,
          reason: null,
          value: [
            { id: 'c1', start: 0, end: 5, text: 'Water', label: 'yes', from: ['c1'], note: 'one' },
            { id: 'c2', start: 6, end: 9, text: 'it.', label: 'no', from: ['c2'], note: 'two' },
          ],
        },
      ],
    });
  });

  it.each([
    ['plant', { answer: { reason: 'r', value: 'oak' } }, /expected one of rose, fern, found "oak"/],
    ['plant', { answer: { reason: 'r', value: 'constructor' } }, /expected one of rose, fern/],
    ['plant', {}, /answer: expected an object, found nothing/],
    ['plant', [], /expected an object, found a list of 0/],
    ['safety', { harm: { reason: 'r', value: 5 } }, /dose: expected an object/],
    ['safety', { harm: { reason: 'r', value: 9 }, dose: { reason: 'r', value: 1 } }, /harm: .*from 1 to 5, found 9/],
    ['safety', { harm: { reason: 'r', value: '5' }, dose: { reason: 'r', value: 1 } }, /harm: .*found "5"/],
    ['safety', { harm: { reason: 'r', value: 2.5 }, dose: { reason: 'r', value: 1 } }, /harm: .*found 2.5/],
    [
      'contents',
      { water: { reason: 'r', value: 'na' }, light: { reason: 'r', value: 'yes' } },
      /water: .*always applies/,
    ],
    ['contents', { water: { reason: 'r', value: true }, light: { reason: 'r', value: 'yes' } }, /water: expected one/],
    ['claims', { things: 'all fine' }, /things: expected a list/],
    ['claims', { things: [null] }, /things: expected objects, found null/],
    ['claims', { things: [{ id: 'c1', label: 'yes' }] }, /1 of 2 have no label, the first is "c2"/],
    [
      'claims',
      {
        things: [
          { id: 'c1', label: 'yes' },
          { id: 'c1', label: 'no' },
        ],
      },
      /"c1" is labelled twice/,
    ],
    ['claims', { things: [{ id: 'c9', label: 'yes' }] }, /nothing with the id "c9"/],
    [
      'claims',
      {
        things: [
          { id: 'c1', label: 'maybe' },
          { id: 'c2', label: 'no' },
        ],
      },
      /label: expected one of yes, no/,
    ],
    [
      'claims',
      {
        things: [
          { id: 'c1', label: null },
          { id: 'c2', label: 'no' },
        ],
      },
      /"c1": expected a label, found null/,
    ],
  ] as const)('to %s is refused as a whole: %j', (name, output, fault) => {
    expect(read(name, output)).toEqual({ fault: expect.stringMatching(fault) });
  });

  it('keeps no endless reason', () => {
    const { cells } = read('plant', { answer: { reason: 'x'.repeat(100_000), value: 'rose' } });
    expect(cells?.[0]?.reason?.length).toBeLessThan(2100);
  });
});

test('a program asks a model the questions of a review, and does not ask them again', async () => {
  const store = openStore(reviewFolder());
  const server = await judgeServer(soundAnswer);
  const options = {
    model: 'openai-compatible/test',
    fields: ['claims'],
    baseUrl: server.url,
    environment: { OPENAI_COMPATIBLE_API_KEY: KEY },
  };
  expect(await judgeReview(store, 'pilot', options)).toMatchObject({ answered: 2, failures: [], stopped: null });
  expect(loadSnapshot(store, 'pilot').judgements.map(({ field }) => field)).toEqual(['claims', 'claims']);
  expect(await judgeReview(store, 'pilot', options)).toMatchObject({ answered: 0 });
  expect(server.calls).toHaveLength(2);
  store.close();
});
