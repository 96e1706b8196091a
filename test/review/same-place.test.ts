import { describe, expect, it } from 'vitest';

import { agreementFigures } from '../../src/review/agreement-figures.ts';
import { claimsOf } from '../../src/review/outcomes.ts';
import { conflictsOf } from '../../src/review/conflicts.ts';
import { judgeFigures } from '../../src/review/judge-agreement.ts';
import { reviewLines } from '../../src/review/review-lines.ts';
import { snapshotOfLines } from '../../src/review/line-snapshot.ts';
import type { ReviewSnapshot } from '../../src/review/snapshot.ts';
import type { ItemAnswer } from '../../src/store/review-records.ts';
import { formOf, madeSnapshot, type MadeReview } from './made-snapshot.ts';

/** Two labels on one stretch, as detectors give them: a name that is a person’s and a firm’s. */
const TEXT = 'From Ada Weaver, in Leiden.';
const PROPOSED = [
  { id: 'p1', start: 5, end: 15, text: 'Ada Weaver', kind: 'PERSON' },
  { id: 'p2', start: 5, end: 15, text: 'Ada Weaver', kind: 'ORG' },
  { id: 'p3', start: 19, end: 25, text: 'Leiden', kind: 'LOC' },
];
const FORM = formOf({
  fields: {
    spans: {
      type: 'items',
      title: 'Right?',
      from: 'predicted',
      labels: { right: 'Right', wrong_label: 'Wrong label', wrong: 'Wrong' },
      allow: ['remove', 'add'],
    },
  },
});
const CONTENT = {
  title: 'A letter',
  blocks: [{ name: 'text', title: 'Text', text: TEXT }],
  under: 'text',
  proposed: { spans: PROPOSED },
};

/** Labels of p1, p2 and p3; – for one that was removed. */
function spans(labels: string): ItemAnswer[] {
  return labels.split(' ').flatMap((label, at) => {
    const { kind: _, ...place } = PROPOSED[at]!;
    return label === '–' ? [] : [{ ...place, label, from: [place.id] }];
  });
}

function reviewOf(
  ada: readonly ItemAnswer[],
  ben: readonly ItemAnswer[],
  more: Partial<MadeReview> = {},
): ReviewSnapshot {
  return madeSnapshot({
    form: FORM,
    reviewers: { Ada: [], Ben: [] },
    others: { judy: 'adjudicator' },
    items: [{ id: 'I1', content: CONTENT }],
    work: [
      { person: 'Ada', item: 'I1', cells: { spans: ada } },
      { person: 'Ben', item: 'I1', cells: { spans: ben } },
    ],
    ...more,
  });
}

const outcomes = (snapshot: ReviewSnapshot): unknown[] =>
  claimsOf(snapshot, 'I1', 'spans').map(({ part, label, how }) => [part, label, how]);
const open = (snapshot: ReviewSnapshot): unknown[] =>
  conflictsOf(snapshot).map(({ part, answers, decision }) => [
    part,
    answers.map(({ value }) => (Array.isArray(value) ? value.length : value)),
    decision?.value ?? null,
  ]);

describe('two things that were proposed at one place', () => {
  it('are compared each with itself, in whatever order the lists have them', () => {
    const alike = spans('right wrong_label right');
    for (const ben of [alike, alike.toReversed()]) {
      const snapshot = reviewOf(alike, ben);
      expect(conflictsOf(snapshot)).toEqual([]);
      // All the same: po = 1, pe = (2/3)² + (1/3)² = 5/9, kappa = 1.
      expect(agreementFigures(snapshot)).toMatchObject([{ value: 1, n: 3 }]);
      expect(agreementFigures(snapshot)[0]?.notes.join()).not.toContain('cut differently');
      expect(outcomes(snapshot)).toEqual([
        ['5-15', 'right', 'agreed'],
        ['5-15#2', 'wrong_label', 'agreed'],
        ['19-25', 'right', 'agreed'],
      ]);
    }
  });

  it('are a conflict each, and a decision on one leaves the other open', () => {
    const ada = spans('right wrong_label right');
    const ben = spans('wrong right right');
    expect(open(reviewOf(ada, ben))).toEqual([
      ['5-15', ['right', 'wrong'], null],
      ['5-15#2', ['wrong_label', 'right'], null],
    ]);
    for (const [part, other] of [
      ['5-15#2', '5-15'],
      ['5-15', '5-15#2'],
    ] as const) {
      const decided = reviewOf(ada, ben, { decisions: [{ itemId: 'I1', field: 'spans', part, value: 'right' }] });
      expect(conflictsOf(decided).filter(({ decision }) => decision === null)).toMatchObject([{ part: other }]);
      expect(outcomes(decided)).toContainEqual([part, 'right', 'adjudicated']);
      expect(outcomes(decided)).toContainEqual([other, null, 'disputed']);
      expect(outcomes(decided)).toHaveLength(3);
    }
  });

  it('stay apart where one person removed one of them', () => {
    const ada = spans('right wrong_label right');
    const ben = spans('right – right');
    expect(open(reviewOf(ada, ben))).toEqual([['5-15#2', [1, 0], null]]);
    // Kappa over what both see: 5-15 and 19-25.
    expect(agreementFigures(reviewOf(ada, ben))[0]).toMatchObject({ n: 2 });
    const none = reviewOf(ada, ben, { decisions: [{ itemId: 'I1', field: 'spans', part: '5-15#2', value: [] }] });
    expect(open(none)).toEqual([['5-15#2', [1, 0], []]]);
    expect(outcomes(none)).toEqual([
      ['5-15', 'right', 'agreed'],
      ['19-25', 'right', 'agreed'],
    ]);
    // A label for the other settles nothing here.
    const other = reviewOf(ada, ben, { decisions: [{ itemId: 'I1', field: 'spans', part: '5-15', value: 'wrong' }] });
    expect(open(other)).toEqual([['5-15#2', [1, 0], null]]);
  });

  it('are not taken for each other where each person removed the other one', () => {
    const snapshot = reviewOf(spans('right – right'), spans('– right right'));
    expect(open(snapshot)).toEqual([['5-15', [1, 1], null]]);
    expect(agreementFigures(snapshot)[0]).toMatchObject({ n: 1 });
  });

  it('keep their parts in lines, there and back', () => {
    const lines = reviewLines(reviewOf(spans('– right right'), spans('wrong right right')));
    expect(lines.map(({ reviewer, part, value }) => [reviewer, part, value])).toEqual([
      ['Ada', '5-15#2', 'right'],
      ['Ada', '19-25', 'right'],
      ['Ben', '5-15', 'wrong'],
      ['Ben', '5-15#2', 'right'],
      ['Ben', '19-25', 'right'],
    ]);
    const back = snapshotOfLines(lines, FORM, 'any');
    expect(reviewLines(back).map(({ part }) => part)).toEqual(lines.map(({ part }) => part));
    expect(conflictsOf(back).map(({ part }) => part)).toEqual(['5-15']);
  });

  it('are told apart in what a model says, by list and by id', () => {
    const people = spans('right wrong_label right');
    const judged = (judgements: NonNullable<MadeReview['judgements']>) =>
      judgeFigures(reviewOf(people, people, { judgements }))[0];
    const itemId = 'I1';
    expect(judged([{ itemId, field: 'spans', value: people.toReversed() }])).toMatchObject({ value: 1, n: 3 });
    const byId = ['right', 'wrong_label', 'right'].map((value, at) => ({
      itemId,
      field: 'spans',
      part: `p${at + 1}`,
      value,
    }));
    expect(judged(byId)).toMatchObject({ value: 1, n: 3 });
  });
});

describe('things at one place that were not proposed', () => {
  const added = (...labels: string[]): ItemAnswer[] =>
    labels.map((label, at) => ({ id: `added-${at + 2}`, start: 0, end: 4, text: `w${at}`, label, from: [] }));

  it('are set beside each other by their order, where all have as many', () => {
    expect(open(reviewOf(added('right', 'wrong'), added('right', 'right')))).toEqual([
      ['0-4#2', ['wrong', 'right'], null],
    ]);
    expect(open(reviewOf(added('right', 'wrong'), added('right')))).toEqual([['0-4', [2, 1], null]]);
  });
});
