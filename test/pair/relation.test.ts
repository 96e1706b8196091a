import { describe, expect, test } from 'vitest';

import { makeCriterion } from '../../src/pair/criterion.ts';
import { endsComparer, relationMatcher, type RelationMatch } from '../../src/pair/relation.ts';
import { relationship } from './items.ts';

const criterion = makeCriterion('c', {
  similarity: 'relation',
  threshold: 0.8,
  normalise: ['lower', 'trim', 'collapse'],
  inverse: [
    ['employs', 'employed_by'],
    ['part_of', 'part_of'],
  ],
  symmetric: ['married_to'],
  equivalent: [['Employs', 'hires']],
  acceptable: 'also',
});
const { accept: compare } = relationMatcher(criterion, endsComparer(criterion));

describe('relationMatcher', () => {
  test.each<[string, string, RelationMatch | null, number?]>([
    ['Anna employs Bob', 'Anna employs Bob', 'exact', 1],
    ['Anna employs Bob', 'ANNA  EMPLOYS bob', 'exact', 1],
    // One letter of five: 0.8 and 1.
    ['Annas employs Bob', 'Annat employs Bob', 'fuzzy', 0.9],
    ['Anna employs Bob', 'Bob employed_by Anna', 'inverse', 1],
    ['Annas employs Bob', 'Bob employed_by Annat', 'inverse-fuzzy', 0.9],
    ['Anna employs Bob', 'Anna employed_by Bob', null],
    ['Anna married_to Bob', 'Bob married_to Anna', 'exact', 1],
    ['Annas married_to Bob', 'Bob married_to Annat', 'fuzzy', 0.9],
    ['Anna hires Bob', 'Anna employs Bob', 'exact', 1],
    ['Anna hires Bob', 'Bob employed_by Anna', 'inverse', 1],
    // Both ends must reach the threshold: 1 and 0 do not make 0.5 enough.
    ['Anna employs Bob', 'Anna employs Zed', null],
    ['Anna employs Bob', 'Anna owns Bob', null],
    // A type that is its own inverse is better said of as exact where the ends allow it.
    ['Anna part_of Anna', 'Anna part_of Anna', 'exact', 1],
    ['Anna part_of Bob', 'Bob part_of Anna', 'inverse', 1],
  ])('%s | %s: %s', (gold, predicted, match, similarity) => {
    const parse = (text: string): ReturnType<typeof relationship> => {
      const [source = '', type = '', target = ''] = text.split(/\s+/);
      return relationship(source, type, target);
    };
    const found = compare(parse(gold), parse(predicted));
    expect([found?.match ?? null, found?.similarity]).toEqual([match, similarity]);
  });

  test('a gold relationship may accept further types, their inverses included', () => {
    const gold = relationship('Anna', 'owns', 'Bob', { also: ['has', 'employs'] });
    expect(compare(gold, relationship('Anna', 'HAS', 'Bob'))?.match).toBe('exact');
    expect(compare(gold, relationship('Anna', 'hires', 'Bob'))?.match).toBe('exact');
    expect(compare(gold, relationship('Bob', 'employed_by', 'Anna'))?.match).toBe('inverse');
    expect(compare(gold, relationship('Anna', 'keeps', 'Bob'))).toBeNull();
    // It is the gold one that accepts, and a lone text is a list of one.
    expect(compare(relationship('Anna', 'has', 'Bob'), { ...gold })).toBeNull();
    expect(compare(relationship('Anna', 'x', 'Bob', { also: 'y' }), relationship('Anna', 'y', 'Bob'))?.match).toBe(
      'exact',
    );
  });

  test('the ends may be swapped if gold’s type or the accepted one is symmetric', () => {
    const accepted = relationship('Anna', 'lives_with', 'Bob', { also: 'married_to' });
    expect(compare(accepted, relationship('Bob', 'married_to', 'Anna'))?.match).toBe('exact');
    const accepting = relationship('Anna', 'married_to', 'Bob', { also: 'lives_with' });
    expect(compare(accepting, relationship('Bob', 'lives_with', 'Anna'))?.match).toBe('exact');
    expect(compare(accepted, relationship('Bob', 'lives_with', 'Anna'))).toBeNull();
  });

  test('an end that resolved to nothing is like nothing', () => {
    const lost = { ...relationship('Anna', 'employs', 'Bob'), target: null };
    expect(compare(relationship('Anna', 'employs', 'Bob'), lost)).toBeNull();
  });
});
