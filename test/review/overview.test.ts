import { describe, expect, it } from 'vitest';

import { dividedItems, overviewOf } from '../../src/review/overview.ts';
import { ANNOTATORS, CLAIM_DECISIONS, CLAIM_FORM, CLAIM_ITEMS, CLAIM_WORK } from './claim-set.ts';
import { EXPERT_FORM, EXPERT_ITEMS, EXPERT_WORK, EXPERTS } from './expert-set.ts';
import { formOf, madeSnapshot } from './made-snapshot.ts';

const experts = {
  form: EXPERT_FORM,
  reviewers: EXPERTS,
  items: EXPERT_ITEMS,
  others: { judy: 'adjudicator', Olga: 'owner' } as const,
};

describe('what the owner sees', () => {
  it('counts what is committed, what is begun, and items that all have done', () => {
    const work = EXPERT_WORK.filter(({ person, item }) => person !== 'Chand' || item < 'K5').map((one) => ({
      ...one,
      committed: one.person !== 'Chand' || one.item !== 'K4',
    }));
    const emptied = { person: 'Chand', item: 'K5', cells: { prakriti: null }, committed: false };
    const found = overviewOf(madeSnapshot({ ...experts, work: [...work, emptied] }));
    expect(found.people.map(({ name, role, done, begun, total }) => [name, role, done, begun, total])).toEqual([
      ['Asha', 'reviewer', 7, 0, 7],
      ['Bina', 'reviewer', 7, 0, 7],
      ['Chand', 'reviewer', 3, 1, 7],
      ['judy', 'adjudicator', 0, 0, 0],
      ['Olga', 'owner', 0, 0, 0],
    ]);
    expect(found.items).toEqual({ total: 7, done: 3 });
    expect(found.people[0]).toMatchObject({ groups: ['expert'], lastAt: '2026-01-01T10:06:00.000Z' });
    expect(found.people[4]!.lastAt).toBeNull();
  });

  it('counts conflicts that are open and decided, and shows agreement and what divides people', () => {
    const decisions = [{ itemId: 'K7', field: 'prakriti', value: 'vata', at: '2026-03-01T00:00:00.000Z' }];
    const found = overviewOf(madeSnapshot({ ...experts, work: EXPERT_WORK, decisions }));
    expect(found.conflicts).toEqual({ open: 1, decided: 1 });
    expect(found.agreement.map(({ field, n }) => [field, n])).toEqual([['prakriti', 7]]);
    expect(found.divided[0]).toMatchObject({ item: 'K3', apart: 1 });
    expect(found.people[3]!.lastAt).toBe('2026-03-01T00:00:00.000Z');
    expect(found.judge).toEqual([]);
  });

  it('takes an item that was given to nobody for not done', () => {
    const found = overviewOf(madeSnapshot({ ...experts, assigned: [['Asha', 'K1']], work: EXPERT_WORK.slice(0, 1) }));
    expect(found.items).toEqual({ total: 7, done: 1 });
  });
});

describe('what divides people most', () => {
  it('of a choice is where all three differ (1), then where one does (a half); agreement is left out', () => {
    const found = dividedItems(
      madeSnapshot({ form: EXPERT_FORM, reviewers: EXPERTS, items: EXPERT_ITEMS, work: EXPERT_WORK }),
    );
    expect(found.map(({ item, apart }) => [item, apart])).toEqual([
      ['K3', 1],
      ['K7', 1],
      ['K2', 0.5],
      ['K6', 0.5],
    ]);
    expect(found[2]).toMatchObject({
      caseId: 'K2',
      title: 'about K2',
      field: 'prakriti',
      part: null,
      values: [
        { value: 'pitta', count: 2 },
        { value: 'vata', count: 1 },
      ],
    });
  });

  it('of a scale is the share of it that the ratings span, of ticks as divided as two answers can be', () => {
    const form = formOf({
      fields: {
        quality: { type: 'scale', title: 'How good?', dimensions: { safety: 'Safety', efficacy: 'Efficacy' } },
        has: { type: 'checklist', title: 'Has', items: { diet: 'Diet', herbs: 'Herbs' }, notApplicable: ['herbs'] },
      },
    });
    const work = [
      { 'quality.safety': 2, 'quality.efficacy': 4, 'has.diet': true, 'has.herbs': true },
      { 'quality.safety': 5, 'quality.efficacy': 4, 'has.diet': true, 'has.herbs': true },
      { 'quality.safety': 3, 'quality.efficacy': 4, 'has.diet': false, 'has.herbs': 'na' },
    ].map((cells, at) => ({ person: 'abc'[at]!, item: 'i', cells }));
    const found = dividedItems(madeSnapshot({ form, reviewers: { a: [], b: [], c: [] }, items: ['i'], work }));
    expect(found.map(({ field, part, apart }) => [field, part, apart])).toEqual([
      ['has', 'diet', 1],
      ['quality', 'safety', 0.75],
      ['has', 'herbs', 0.5],
    ]);
  });

  it('of claims is the share of those on which people differ, whatever was decided since', () => {
    const annotators = { form: CLAIM_FORM, reviewers: ANNOTATORS, items: CLAIM_ITEMS, work: CLAIM_WORK };
    const found = dividedItems(madeSnapshot({ ...annotators, decisions: CLAIM_DECISIONS }));
    expect(found.map(({ item, part, apart }) => [item, part, apart])).toEqual([
      ['A2', null, 2 / 4],
      ['A1', null, 2 / 5],
    ]);
    expect(found[1]!.values).toEqual([
      { value: 'grounded', count: 2 },
      { value: 'paraphrased', count: 1 },
      { value: 'hallucinated', count: 1 },
    ]);
    expect(dividedItems(madeSnapshot(annotators), 1)).toHaveLength(1);
  });

  it('is nothing while one person has committed', () => {
    const work = EXPERT_WORK.map((one) => ({ ...one, committed: one.person === 'Asha' }));
    expect(dividedItems(madeSnapshot({ form: EXPERT_FORM, reviewers: EXPERTS, items: EXPERT_ITEMS, work }))).toEqual(
      [],
    );
  });
});
