import { describe, expect, it } from 'vitest';

import { claimsOf } from '../../src/review/outcomes.ts';
import { type ReviewLine, reviewLines } from '../../src/review/review-lines.ts';
import { snapshotOfLines } from '../../src/review/line-snapshot.ts';
import { ANNOTATORS, CLAIM_DECISIONS, CLAIM_FORM, CLAIM_ITEMS, CLAIM_WORK, claims } from './claim-set.ts';
import { claim, formOf, madeSnapshot } from './made-snapshot.ts';

const form = formOf({
  fields: {
    kind: { type: 'choice', of: 'case', title: 'Which?', options: { a: 'A', b: 'B' } },
    quality: { type: 'scale', title: 'How good?', dimensions: { safety: 'Safety', efficacy: 'Efficacy' } },
    has: { type: 'checklist', title: 'Has', items: { herbs: 'Herbs' }, notApplicable: ['herbs'] },
    comment: { type: 'text', title: 'Comment' },
  },
});
const short = ({ case_id: id, system, reviewer, role, field, part, value }: ReviewLine): string =>
  `${id} ${system ?? '-'} ${role === 'adjudicator' ? '*' : ''}${reviewer} ${field}${part === null ? '' : `.${part}`}=${String(value)}`;

describe('the lines of a review', () => {
  const items = [
    { id: 'i1', caseId: 'K10', system: 'rag' },
    { id: 'i2', caseId: 'K2', system: 'vanilla', language: 'hi' },
    { id: 'i3', caseId: 'K2', system: 'rag' },
    { id: 'i4', caseId: 'K2', kind: 'case' },
  ] as const;
  const work = [
    { person: 'b2', item: 'i1', cells: { 'quality.efficacy': 2, 'quality.safety': 1 } },
    { person: 'b10', item: 'i2', cells: { 'has.herbs': 'na', comment: 'Fine.' } },
    { person: 'b2', item: 'i2', cells: { 'has.herbs': false, comment: ' ' } },
    { person: 'b2', item: 'i3', cells: { 'quality.safety': 5 }, committed: false },
    { person: 'b10', item: 'i4', cells: { kind: 'a', quality: 3 }, at: '2026-02-02T00:00:00.000Z' },
  ];
  const decisions = [{ itemId: 'i2', field: 'has', part: 'herbs', value: true, because: 'Ashwagandha is named.' }];
  const snapshot = madeSnapshot({
    form,
    reviewers: { b10: [], b2: [] },
    others: { judy: 'adjudicator' },
    items,
    work,
    decisions,
  });

  it('are the committed answers and decisions, by case, system, reviewer and order of the form', () => {
    expect(reviewLines(snapshot).map(short)).toEqual([
      'K2 - b10 kind=a',
      'K2 vanilla b2 has.herbs=false',
      'K2 vanilla b10 has.herbs=na',
      'K2 vanilla b10 comment=Fine.',
      'K2 vanilla *judy has.herbs=true',
      'K10 rag b2 quality.safety=1',
      'K10 rag b2 quality.efficacy=2',
    ]);
  });

  it('are whole', () => {
    const lines = reviewLines(snapshot);
    expect(lines[0]).toEqual({
      case_id: 'K2',
      system: null,
      language: null,
      reviewer: 'b10',
      role: 'reviewer',
      field: 'kind',
      part: null,
      value: 'a',
      text: null,
      because: null,
      at: '2026-02-02T00:00:00.000Z',
    });
    expect(lines[4]).toMatchObject({ language: 'hi', because: 'Ashwagandha is named.', role: 'adjudicator' });
  });

  it('have drafts only when asked', () => {
    expect(reviewLines(snapshot, { drafts: true }).map(short)).toContain('K2 rag b2 quality.safety=5');
  });

  it('do not depend on the order in which anything came', () => {
    const turned = { ...snapshot, items: snapshot.items.toReversed(), states: snapshot.states.toReversed() };
    expect(reviewLines(turned)).toEqual(reviewLines(snapshot));
  });
});

describe('the lines of claims', () => {
  const annotators = { form: CLAIM_FORM, reviewers: ANNOTATORS, items: CLAIM_ITEMS, work: CLAIM_WORK };

  it('are one for each claim, by place, with its words', () => {
    const lines = reviewLines(madeSnapshot(annotators)).filter(({ field }) => field === 'claims');
    expect(lines).toHaveLength(5 + 5 + 4 + 5);
    expect(lines[0]).toMatchObject({ part: '0-10', value: 'grounded', text: 'words 0 to 10' });
  });

  it('have a line for each claim of a stretch that was decided, and false where nothing is left of it', () => {
    const decided = (decisions: Parameters<typeof madeSnapshot>[0]['decisions'] = []): string[] =>
      reviewLines(madeSnapshot({ ...annotators, decisions, others: { judy: 'adjudicator' } }))
        .filter(({ role }) => role === 'adjudicator')
        .map((line) => `${short(line)} ${line.text ?? '-'}`);
    expect(decided(CLAIM_DECISIONS)).toEqual([
      'K1 rag *judy claims.21-30=paraphrased words 21 to 30',
      'K1 rag *judy claims.41-50=hallucinated words 41 to 50',
      'K2 rag *judy claims.21-30=grounded words 21 to 30',
      'K2 rag *judy claims.41-50=grounded words 41 to 50',
      'K2 rag *judy claims.51-60=hallucinated words 51 to 60',
    ]);
    expect(decided([{ itemId: 'A2', field: 'claims', part: '41-60', value: [] }])).toEqual([
      'K2 rag *judy claims.41-60=false -',
    ]);
  });

  it('are all that it takes to come to the same claims again', () => {
    const again = (decisions: Parameters<typeof madeSnapshot>[0]['decisions'] = []): string[][] => {
      const snapshot = madeSnapshot({ ...annotators, decisions, others: { judy: 'adjudicator' } });
      const lines = snapshotOfLines(reviewLines(snapshot), CLAIM_FORM);
      return [snapshot, lines].map((one) =>
        one.items.flatMap(({ id, caseId }) =>
          claimsOf(one, id, 'claims').map(({ part, label, how }) => `${caseId} ${part} ${label ?? '?'} ${how}`),
        ),
      );
    };
    const stretch = { itemId: 'A2', field: 'claims', part: '41-60' };
    for (const decisions of [
      [],
      CLAIM_DECISIONS,
      [{ ...stretch, value: claims('41-60 p') }],
      [{ ...stretch, value: claims('41-55 g, 56-60 h') }],
      [{ ...stretch, value: [] }],
    ]) {
      const [before, after] = again(decisions);
      expect(after).toEqual(before);
    }
  });

  it('have decisions on what is no conflict any more, but not what a later decision replaced', () => {
    const decisions = [
      { itemId: 'A1', field: 'claims', part: '0-20', value: claims('0-10 h, 11-20 p') },
      { itemId: 'A1', field: 'claims', part: '0-10', value: 'grounded' },
    ];
    const lines = reviewLines(madeSnapshot({ ...annotators, decisions })).filter(({ role }) => role === 'adjudicator');
    expect(lines.map(({ part, value }) => [part, value])).toEqual([
      ['0-10', 'grounded'],
      ['11-20', 'paraphrased'],
    ]);
  });

  it('tell two claims at one place apart, and name what has no place by what was proposed', () => {
    const content = { proposed: { claims: [{ id: 'p1', start: -1, end: -1, text: 'ghee' }] } };
    const things = [
      claim(0, 10, 'grounded', { id: 'a' }),
      claim(0, 10, 'hallucinated', { id: 'b' }),
      claim(-1, -1, 'grounded', { id: 'p1' }),
      claim(11, 12, null),
    ];
    const work = [{ person: 'Dev', item: 'A1', cells: { claims: things } }];
    const items = [{ id: 'A1', content }];
    expect(reviewLines(madeSnapshot({ ...annotators, items, work })).map(({ part }) => part)).toEqual([
      '0-10',
      '0-10#2',
      'p1',
    ]);
  });
});
