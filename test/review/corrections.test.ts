import { describe, expect, it } from 'vitest';

import { memorySource } from '../../src/data/source.ts';
import { conflictsOf } from '../../src/review/conflicts.ts';
import { goldVerdicts } from '../../src/review/gold-verdicts.ts';
import { claimsOf } from '../../src/review/outcomes.ts';
import { cellFault, missingCells } from '../../src/review/questions.ts';
import { snapshotOfLines } from '../../src/review/line-snapshot.ts';
import { readReviewLines } from '../../src/review/read-review-lines.ts';
import { reviewLines, writeReviewLines } from '../../src/review/review-lines.ts';
import { reviewedItems } from '../../src/review/review-work.ts';
import type { ItemAnswer } from '../../src/store/review-records.ts';
import { formOf, type MadeReview, madeSnapshot } from './made-snapshot.ts';

const FORM = formOf({
  under: 'text',
  fields: {
    spans: {
      type: 'items',
      title: 'Right?',
      from: 'predicted',
      labels: {
        right: { title: 'Right', gold: 'keep' },
        wrong_label: { title: 'Wrong label', gold: 'relabel' },
        wrong_boundary: { title: 'Wrong boundary', gold: 'resize' },
        not: { title: 'Not one', gold: 'drop' },
        missing: { title: 'Missing', gold: 'add' },
        unsure: 'Unsure',
      },
      allow: ['add', 'remove', 'relabel', 'resize'],
      kinds: ['ORG', 'PERSON'],
    },
  },
});
const TEXT = 'Ann Lee met Bo.';
const PROPOSED = [
  { id: 'p1', start: 0, end: 3, text: 'Ann', kind: 'PERSON' },
  { id: 'p2', start: 12, end: 14, text: 'Bo', kind: 'ORG' },
];
const content = { blocks: [{ name: 'text', title: '', text: TEXT }], under: 'text', proposed: { spans: PROPOSED } };

function thing(at: 0 | 1, label: string | null, more: Partial<ItemAnswer> = {}): ItemAnswer {
  const { kind: _, ...one } = PROPOSED[at]!;
  return { ...one, label, from: [one.id], ...more };
}
const LONGER = { end: 7, text: 'Ann Lee' };

/** A review of one document by two people. */
function review(ann: readonly ItemAnswer[], ben: readonly ItemAnswer[], more: Partial<MadeReview> = {}) {
  return madeSnapshot({
    form: FORM,
    reviewers: { Ann: [], Ben: [] },
    items: [{ id: 'd1', content }],
    work: [
      { person: 'Ann', item: 'd1', cells: { spans: ann } },
      { person: 'Ben', item: 'd1', cells: { spans: ben } },
    ],
    ...more,
  });
}

describe('corrected labels and boundaries', () => {
  it('are one answer if two people correct alike, and a conflict of what each has if not', () => {
    const ann = [thing(0, 'wrong_boundary', LONGER), thing(1, 'wrong_label', { kind: 'PERSON' })];
    expect(conflictsOf(review(ann, ann))).toEqual([]);
    expect(
      claimsOf(review(ann, ann), 'd1', 'spans').map(({ part, label, kind, how }) => [part, label, kind, how]),
    ).toEqual([
      ['0-7', 'wrong_boundary', 'PERSON', 'agreed'],
      ['12-14', 'wrong_label', 'PERSON', 'agreed'],
    ]);
    const other = [thing(0, 'right'), thing(1, 'wrong_label', { kind: 'CITY' })];
    const conflicts = conflictsOf(review(ann, other));
    expect(conflicts.map(({ part, answers }) => [part, answers.map(({ value }) => value)])).toEqual([
      ['0-7', [[ann[0]], [other[0]]]],
      ['12-14', [[ann[1]], [other[1]]]],
    ]);
    // The label it was proposed with, given as a correction, is no other answer.
    const same = [thing(0, 'right', { kind: 'PERSON' }), thing(1, 'right')];
    expect(conflictsOf(review(same, [thing(0, 'right'), thing(1, 'right')]))).toEqual([]);
  });

  it('are what an adjudicator takes of them', () => {
    const [ann, ben] = [
      [thing(0, 'right'), thing(1, 'wrong_label', { kind: 'PERSON' })],
      [thing(0, 'right'), thing(1, 'not')],
    ];
    const decisions = [{ itemId: 'd1', field: 'spans', part: '12-14', value: [ann[1]!] }];
    const snapshot = review(ann, ben, { decisions, others: { judy: 'adjudicator' } });
    expect(conflictsOf(snapshot).map(({ decision }) => decision?.value)).toEqual([[ann[1]]]);
    expect(claimsOf(snapshot, 'd1', 'spans')[1]).toMatchObject({
      label: 'wrong_label',
      kind: 'PERSON',
      how: 'adjudicated',
    });
  });

  it('are checked: a label of the list, unless others may be typed, and one for what was added', () => {
    const fault = (kind: unknown, form = FORM) =>
      cellFault(form, { field: 'spans', part: null, value: [{ ...thing(0, 'right'), kind } as ItemAnswer] });
    expect(fault('ORG')).toBeNull();
    expect(fault('CITY')).toBe('entry 1: kind: expected one of ORG, PERSON, found "CITY"');
    expect(fault('')).toContain('kind: expected a text of up to 200 characters');
    const spans = FORM.fields['spans']!;
    expect(fault('CITY', { ...FORM, fields: { spans: { ...spans, otherKinds: true } as typeof spans } })).toBeNull();
    expect(fault('ORG', { ...FORM, fields: { spans: { ...spans, allow: [] } as typeof spans } })).toBe(
      'entry 1: kind: the form does not let labels be corrected',
    );
    const added = { ...thing(0, 'missing', LONGER), id: 'added', from: [] };
    const missing = (more: object) =>
      missingCells(FORM, ['spans'], [{ field: 'spans', part: null, value: [{ ...added, ...more }] }]);
    expect(missing({})).toEqual([{ field: 'spans', part: null }]);
    expect(missing({ kind: 'ORG' })).toEqual([]);
  });
});

describe('lines of a review', () => {
  it('have a column for corrected labels if there are any, and bring them back', async () => {
    const list = [thing(0, 'right'), thing(1, 'wrong_label', { kind: 'PERSON' })];
    const snapshot = review(list, list, { items: [{ id: 'd1', content, system: 'sys' }] });
    const lines = reviewLines(snapshot);
    for (const format of ['csv', 'jsonl'] as const) {
      const back = await readReviewLines([memorySource(`r.${format}`, writeReviewLines(lines, format))]);
      const again = snapshotOfLines(back, FORM);
      expect(claimsOf(again, again.items[0]!.id, 'spans').map(({ part, label, kind }) => [part, label, kind])).toEqual([
        ['0-3', 'right', null],
        ['12-14', 'wrong_label', 'PERSON'],
      ]);
    }
    const plain = [thing(0, 'right'), thing(1, 'right')];
    expect(writeReviewLines(reviewLines(review(plain, plain)), 'csv')).not.toContain('corrected_kind');
  });
});

describe('what an answer makes of gold', () => {
  const settled = (...list: readonly ItemAnswer[]) => {
    const snapshot = review(list, list);
    const field = FORM.fields['spans']!;
    if (field.type !== 'items') throw new Error('not of things');
    const { verdicts, unresolved } = goldVerdicts(snapshot, reviewedItems(snapshot)[0]!, 'spans', field);
    return {
      gold: verdicts.map(({ gold, thing: { start, end, text, label } }) => [gold, start, end, text, label]),
      open: unresolved.map(({ text, because }) => `${text}: ${because}`),
    };
  };

  it('follows the form: kept, corrected, added, rejected or removed', () => {
    const added = { id: 'added', start: 8, end: 11, text: 'met', label: 'missing', kind: 'ORG', from: [] };
    expect(settled(thing(0, 'wrong_boundary', LONGER), added)).toEqual({
      gold: [
        [false, 12, 14, 'Bo', 'ORG'],
        [true, 0, 7, 'Ann Lee', 'PERSON'],
        [true, 8, 11, 'met', 'ORG'],
      ],
      open: [],
    });
    expect(settled(thing(0, 'not'), thing(1, 'right')).gold).toEqual([
      [false, 0, 3, 'Ann', 'PERSON'],
      [true, 12, 14, 'Bo', 'ORG'],
    ]);
  });

  it('is open if something is wrong and nobody said what is right, or the answer leaves it open', () => {
    expect(settled(thing(0, 'wrong_boundary'), thing(1, 'wrong_label'))).toEqual({
      gold: [],
      open: [
        'Ann: “Wrong boundary”, and nobody said which is right',
        'Bo: “Wrong label”, and nobody said which is right',
      ],
    });
    expect(settled(thing(0, 'unsure'), thing(1, 'right')).open).toEqual(['Ann: “Unsure” leaves it open']);
  });
});
