import { describe, expect, test } from 'vitest';

import type { Item } from '../../src/data/item.ts';
import { caseOf, entity, relationship } from '../pair/items.ts';
import { type Scored, scoreWith } from './score-with.ts';

const triples = (...written: readonly (readonly [string, string, string])[]): Item[] =>
  written.map(([subject, predicate, object]) => relationship(subject, predicate, object));

function figures(scored: Scored): (number | null)[] {
  return ['precision', 'recall', 'f1'].map((name) => scored.value(name));
}

const GOLD = triples(
  ['Ada Quell', 'born_in', 'Norrvik'],
  ['Ada Quell', 'knows', 'Bora Lind'],
  ['Norrvik', 'in', 'Sweden'],
);

describe('triples/exact', () => {
  test('compares subject, predicate and object as written, but for white space around them', async () => {
    const predicted = triples(
      [' Ada Quell', 'born_in ', 'Norrvik\n'],
      ['Ada Quell', 'Knows', 'Bora Lind'],
      ['norrvik', 'in', 'Sweden'],
      ['Ada  Quell', 'in', 'Sweden'],
    );
    const scored = await scoreWith('triples/exact', caseOf({ gold: GOLD, predicted }));
    expect(figures(scored)).toEqual([1 / 4, 1 / 3, expect.closeTo(2 / 7, 12)]);
  });

  test('has no forgiving rule: neither inverse nor symmetric types, and no direction that may be turned', async () => {
    const predicted = triples(['Bora Lind', 'knows', 'Ada Quell'], ['Norrvik', 'birthplace_of', 'Ada Quell']);
    const given = caseOf({ gold: GOLD, predicted });
    expect((await scoreWith('triples/exact', given)).value('precision')).toBe(0);
    const symmetric = await scoreWith('triples/exact', given, ['pair.relationship.symmetric=[knows]']);
    expect(symmetric.value('precision')).toBe(1 / 2);
  });

  test('a triple that is listed twice is one, on either side', async () => {
    const scored = await scoreWith(
      'triples/exact',
      caseOf({ gold: [...GOLD, GOLD[0]!], predicted: [GOLD[0]!, GOLD[0]!] }),
    );
    expect(figures(scored)).toEqual([1, 1 / 3, 1 / 2]);
    expect(scored.count('excused', 'dedupe')).toBe(2);
  });

  test('entities do not count, and give their names to references', async () => {
    const gold = [entity('Ada Quell', 'Person', { id: 'q1' }), ...triples(['q1', 'born_in', 'Norrvik'])];
    const predicted = [
      entity('Ada Quell', 'Robot', { temp_id: 't' }),
      entity('Zed'),
      ...triples(['t', 'born_in', 'Norrvik']),
    ];
    const scored = await scoreWith('triples/exact', caseOf({ gold, predicted }));
    expect(figures(scored)).toEqual([1, 1, 1]);
    expect(scored.tally).toBe('1/0/0');
    expect(scored.count('excused', 'drop')).toBe(3);
  });
});

describe('triples/fuzzy', () => {
  test('forgives case, white space and a typing mistake in names, but no other predicate', async () => {
    const predicted = triples(
      ['ada quel', 'BORN_IN', ' Norrvik'],
      ['Ada  Quell', 'knows', 'Bora Lint'],
      // 6 of 7 letters are too few for 0.85 with one end, and the other end does not make up for it.
      ['Norrviken', 'in', 'Sweden'],
    );
    const scored = await scoreWith('triples/fuzzy', caseOf({ gold: GOLD, predicted }));
    expect(figures(scored)).toEqual([2 / 3, 2 / 3, expect.closeTo(2 / 3, 12)]);
    const other = triples(['Ada Quell', 'dwells_in', 'Norrvik']);
    expect((await scoreWith('triples/fuzzy', caseOf({ gold: GOLD, predicted: other }))).value('f1')).toBe(0);
  });

  test('two spellings of one triple are one', async () => {
    const predicted = triples(['Norrvik', 'in', 'Sweden'], ['norrvik', 'In', 'SWEDEN ']);
    expect((await scoreWith('triples/fuzzy', caseOf({ gold: GOLD, predicted }))).value('precision')).toBe(1);
    expect((await scoreWith('triples/exact', caseOf({ gold: GOLD, predicted }))).value('precision')).toBe(1 / 2);
  });

  test('pairs as many as there are, whatever the order', async () => {
    const gold = triples(['abcdefghij', 'is', 'x'], ['abcdefghik', 'is', 'x']);
    const predicted = triples(['abcdefghik', 'is', 'x'], ['abcdefghkk', 'is', 'x']);
    for (const list of [predicted, predicted.toReversed()])
      expect((await scoreWith('triples/fuzzy', caseOf({ gold, predicted: list }))).tally).toBe('2/0/0');
  });
});
