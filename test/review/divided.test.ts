import { describe, expect, it } from 'vitest';

import { dividedItems } from '../../src/review/overview.ts';
import { ANNOTATORS, CLAIM_DECISIONS, CLAIM_FORM, CLAIM_ITEMS, CLAIM_WORK } from './claim-set.ts';
import { EXPERT_FORM, EXPERT_ITEMS, EXPERT_WORK, EXPERTS } from './expert-set.ts';
import { formOf, madeSnapshot } from './made-snapshot.ts';

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
