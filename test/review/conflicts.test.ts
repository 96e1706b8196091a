import { describe, expect, it } from 'vitest';

import { conflictId, conflictsOf } from '../../src/review/conflicts.ts';
import { ANNOTATORS, CLAIM_DECISIONS, CLAIM_FORM, CLAIM_ITEMS, CLAIM_WORK, claims } from './claim-set.ts';
import { EXPERT_FORM, EXPERT_ITEMS, EXPERT_WORK, EXPERTS } from './expert-set.ts';
import { claim, formOf, madeSnapshot } from './made-snapshot.ts';

const experts = { form: EXPERT_FORM, reviewers: EXPERTS, items: EXPERT_ITEMS, work: EXPERT_WORK };
const annotators = { form: CLAIM_FORM, reviewers: ANNOTATORS, items: CLAIM_ITEMS, work: CLAIM_WORK };
const where = (snapshot: ReturnType<typeof madeSnapshot>): string[] =>
  conflictsOf(snapshot).map(
    ({ item, part, decision }) => `${item.id} ${part ?? ''}${decision === null ? '' : ' decided'}`,
  );

describe('conflicts on a choice', () => {
  it('are the cases without a majority, not those where one of three differs', () => {
    const found = conflictsOf(madeSnapshot(experts));
    expect(found.map(({ item }) => item.id)).toEqual(['K3', 'K7']);
    expect(found[0]).toMatchObject({
      id: conflictId('K3', 'prakriti', null),
      field: 'prakriti',
      part: null,
      decision: null,
      waiting: 0,
      answers: [
        { value: 'vata', people: ['Asha'], comments: [null] },
        { value: 'pitta', people: ['Bina'], comments: [null] },
        { value: 'kapha', people: ['Chand'], comments: [null] },
      ],
    });
  });

  it('carry the decision that holds, and what people wrote', () => {
    const work = EXPERT_WORK.map((one) =>
      one.person === 'Bina' ? { ...one, cells: { ...one.cells, comment: 'The skin is dry.' } } : one,
    );
    const decisions = [{ itemId: 'K7', field: 'prakriti', value: 'vata' }];
    const found = conflictsOf(madeSnapshot({ ...experts, work, decisions }));
    expect(found.map(({ decision }) => decision?.value ?? null)).toEqual([null, 'vata']);
    expect(found[0]!.answers.map(({ comments }) => comments)).toEqual([[null], ['The skin is dry.'], [null]]);
  });

  it('count committed work only, and say how many answers may still settle it', () => {
    const work = EXPERT_WORK.map((one) => ({ ...one, committed: one.person !== 'Chand' }));
    const found = conflictsOf(madeSnapshot({ ...experts, work }));
    expect(found.map(({ item, waiting }) => [item.id, waiting])).toEqual([
      ['K3', 1],
      ['K6', 1],
      ['K7', 1],
    ]);
    expect(conflictsOf(madeSnapshot({ ...experts, work: work.filter(({ person }) => person !== 'Bina') }))).toEqual([]);
  });

  it('have ids that tell item, field and part apart', () => {
    const ids = [
      conflictId('a', 'b', 'c'),
      conflictId('a', 'b', null),
      conflictId('ab', '', 'c'),
      conflictId('a', 'bc', null),
    ];
    expect(new Set(ids).size).toBe(4);
    expect(ids[0]).toMatch(/^[0-9a-f]{16}$/);
  });
});

describe('which questions have conflicts', () => {
  const form = formOf({
    fields: {
      has: { type: 'checklist', title: 'Has', items: { diet: 'Diet', herbs: 'Herbs' }, notApplicable: ['herbs'] },
      free: { type: 'scale', title: 'Free' },
      strict: { type: 'scale', title: 'Strict', dimensions: { a: 'A', b: 'B' }, adjudicate: true },
      kept: { type: 'choice', title: 'Kept', options: { x: 'X', y: 'Y' }, adjudicate: false },
      comment: { type: 'text', title: 'Comment', adjudicate: true },
    },
  });

  it('is said by the form: ticks without being asked, scales when asked, comments never', () => {
    const work = [
      { 'has.diet': true, 'has.herbs': 'na', free: 1, 'strict.a': 4, 'strict.b': 4, kept: 'x', comment: 'one' },
      { 'has.diet': true, 'has.herbs': false, free: 5, 'strict.a': 4, 'strict.b': 5, kept: 'y', comment: 'two' },
    ].map((cells, at) => ({ person: at === 0 ? 'a' : 'b', item: 'i', cells }));
    const found = conflictsOf(madeSnapshot({ form, reviewers: { a: [], b: [] }, items: ['i'], work }));
    expect(found.map(({ field, part }) => `${field} ${part ?? ''}`)).toEqual(['has herbs', 'strict b']);
  });

  it('on a scale is every difference, also where two of three say the same', () => {
    const work = [4, 4, 5].map((rating, at) => ({ person: 'abc'[at]!, item: 'i', cells: { 'strict.a': rating } }));
    const found = conflictsOf(madeSnapshot({ form, reviewers: { a: [], b: [], c: [] }, items: ['i'], work }));
    expect(found[0]!.answers.map(({ value, people }) => [value, people])).toEqual([
      [4, ['a', 'b']],
      [5, ['c']],
    ]);
  });
});

describe('conflicts on claims', () => {
  it('are labels that differ, and stretches that were cut differently with both ways to cut them', () => {
    const snapshot = madeSnapshot(annotators);
    expect(where(snapshot)).toEqual(['A1 21-30', 'A1 41-50', 'A2 21-30', 'A2 41-60']);
    const [label, , , stretch] = conflictsOf(snapshot);
    expect(label!.answers).toEqual([
      { value: 'paraphrased', people: ['Dev'], comments: [null] },
      { value: 'grounded', people: ['Esha'], comments: ['The fifth is nowhere.'] },
    ]);
    expect(stretch!.answers).toEqual([
      { value: claims('41-60 g'), people: ['Dev'], comments: [null] },
      { value: claims('41-50 g, 51-60 h'), people: ['Esha'], comments: [null] },
    ]);
  });

  it('are decided by what was decided on them, or on a stretch around them', () => {
    expect(where(madeSnapshot({ ...annotators, decisions: CLAIM_DECISIONS }))).toEqual([
      'A1 21-30 decided',
      'A1 41-50 decided',
      'A2 21-30 decided',
      'A2 41-60 decided',
    ]);
    const wide = [{ itemId: 'A1', field: 'claims', part: '11-35', value: claims('11-35 p') }];
    expect(where(madeSnapshot({ ...annotators, decisions: wide }))).toContain('A1 21-30 decided');
  });

  it('have the note that somebody made on the claim before the comment on the whole', () => {
    const work = [
      {
        person: 'Dev',
        item: 'A1',
        cells: { claims: [claim(0, 9, 'grounded', { note: 'Passage 2.' })], comment: 'Long.' },
      },
      { person: 'Esha', item: 'A1', cells: { claims: [claim(0, 9, 'hallucinated')], comment: 'Short.' } },
    ];
    expect(conflictsOf(madeSnapshot({ ...annotators, work }))[0]!.answers.map(({ comments }) => comments)).toEqual([
      ['Passage 2.'],
      ['Short.'],
    ]);
  });

  it('are none where only the words were mended', () => {
    const work = ['Dev', 'Esha'].map((person) => ({
      person,
      item: 'A1',
      cells: { claims: [claim(0, 9, 'grounded', { text: `as ${person} has it`, id: person })] },
    }));
    expect(conflictsOf(madeSnapshot({ ...annotators, work }))).toEqual([]);
  });
});
