import { describe, expect, it } from 'vitest';

import { makeCriterion } from '../../src/pair/criterion.ts';
import { endsSearch } from '../../src/pair/ends-search.ts';
import { relationship } from './items.ts';

const criterion = makeCriterion('pair', { similarity: 'relation', threshold: 0.8, normalise: ['lower'] });

describe('endsSearch', () => {
  const gold = [relationship('Ada Quell', 'knows', 'Bora Lind'), relationship('Cem Aydin', 'owns', 'Norrvik')];
  const predicted = [
    relationship('ada quel', 'knows', 'bora lind'),
    relationship('Bora Lind', 'visited', 'Ada Quell'),
    relationship('Ada Quell', 'knows', 'Norrvik'),
    { ...relationship('Cem Aydin', 'owns', 'Norrvik'), target: null },
  ];
  const { near, closest } = endsSearch(criterion, gold, predicted);

  it('finds the relationships with both ends alike, as they are or swapped', () => {
    expect(near).toEqual({ gold: [0, 0], predicted: [0, 1] });
  });

  it('finds the closest by the mean of the ends, and leaves out those that were accepted', () => {
    expect(closest('gold', 0, new Set())).toBe(1);
    expect(closest('gold', 0, new Set([1]))).toBe(0);
    // Norrvik is the same; what resolved to nothing is close to nothing.
    expect(closest('gold', 1, new Set())).toBe(2);
    // (1 + (1 - 6/9)) / 2 against ((1 - 8/9) + 1) / 2.
    expect(closest('predicted', 2, new Set())).toBe(0);
    expect(closest('predicted', 2, new Set([0]))).toBe(1);
    expect(closest('predicted', 3, new Set())).toBe(-1);
  });
});
