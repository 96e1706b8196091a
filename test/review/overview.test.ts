import { describe, expect, it } from 'vitest';

import { overviewOf } from '../../src/review/overview.ts';
import { EXPERT_FORM, EXPERT_ITEMS, EXPERT_WORK, EXPERTS } from './expert-set.ts';
import { madeSnapshot } from './made-snapshot.ts';

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
