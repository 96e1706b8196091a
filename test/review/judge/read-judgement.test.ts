import { describe, expect, it } from 'vitest';

import { reviewSection } from '../../../src/recipe/review-section.ts';
import type { ProposedItem } from '../../../src/review/content.ts';
import { readJudgement } from '../../../src/review/judge/judge-question.ts';
import { FORM } from '../../server/review/serving-review.ts';

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
