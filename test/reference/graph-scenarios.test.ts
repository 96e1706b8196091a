import { describe, expect, test } from 'vitest';

import type { Item } from '../../src/data/item.ts';
import type { Verdict } from '../../src/judge/verdict.ts';
import { caseOf, entity, relationship } from '../pair/items.ts';
import { type Scored, scoreWith } from '../recipe/score-with.ts';
import { INVERSES, SYMMETRIC } from './seed-relations.ts';

/*
 * The scenarios of the extraction-evaluation specification, each under its own name. Names in a relationship are those
 * of entities, which are there with it.
 */

function scoreGraph(
  expected: readonly Item[],
  extracted: readonly Item[],
  set: readonly string[] = [],
): Promise<Scored> {
  return scoreWith('graph/openspec', caseOf({ gold: withEnds(expected), predicted: withEnds(extracted) }), set);
}

function withEnds(items: readonly Item[]): Item[] {
  const names = new Set(items.flatMap(({ source, target }) => [source, target]).filter((name) => name !== null));
  for (const { kind, text } of items) if (kind === 'entity') names.delete(text);
  return [...items, ...[...names].map((name) => entity(name))];
}

async function matchOf(expected: Item, extracted: Item, set: readonly string[] = []): Promise<Verdict | undefined> {
  const scored = await scoreGraph([expected], [extracted], set);
  return scored.verdicts().find(({ kind, verdict }) => kind === expected.kind && verdict === 'hit');
}

describe('Requirement: Entity Matching', () => {
  test('Scenario: Exact name match', async () => {
    const match = await matchOf(entity('John Smith'), entity('John Smith'));
    expect(match?.similarity).toBe(1);
  });

  test('Scenario: Fuzzy name match', async () => {
    // 3 edits ("D", ".", " ") over 13 characters: 1 - 3 / 13 = 0.769. It does not exceed 0.85.
    expect(await matchOf(entity('John Smith'), entity('John D. Smith'), ['pair.threshold=0.85'])).toBeUndefined();
    const match = await matchOf(entity('John Smith'), entity('John D. Smith'), ['pair.threshold=0.75']);
    expect(match?.similarity).toBeCloseTo(1 - 3 / 13, 12);
    // 1 edit over 9 characters: 0.889 does.
    expect((await matchOf(entity('Bethlehem'), entity('Bethleham')))?.similarity).toBeCloseTo(1 - 1 / 9, 12);
  });

  test('Scenario: Case-insensitive matching', async () => {
    const match = await matchOf(entity('John Smith'), entity('JOHN SMITH'));
    expect(match?.similarity).toBe(1);
  });
});

describe('Requirement: Relationship Matching', () => {
  test('Scenario: Exact relationship match', async () => {
    const match = await matchOf(relationship('John', 'parent_of', 'Mary'), relationship('John', 'parent_of', 'Mary'));
    expect(match?.match).toBe('exact');
  });

  test('Scenario: Inverse relationship match', async () => {
    const match = await matchOf(relationship('John', 'parent_of', 'Mary'), relationship('Mary', 'child_of', 'John'));
    expect(match?.match).toBe('inverse');
    // The ends must be swapped: the inverse type with the ends as they were says the contrary.
    const contrary = relationship('John', 'child_of', 'Mary');
    expect(await matchOf(relationship('John', 'parent_of', 'Mary'), contrary)).toBeUndefined();
  });

  test('Scenario: Symmetric relationship match', async () => {
    const expected = relationship('John', 'married_to', 'Mary');
    expect((await matchOf(expected, relationship('Mary', 'married_to', 'John')))?.match).toBe('exact');
    expect((await matchOf(expected, relationship('John', 'married_to', 'Mary')))?.match).toBe('exact');
    // A type that is not symmetric has a direction.
    const turned = relationship('Mary', 'parent_of', 'John');
    expect(await matchOf(relationship('John', 'parent_of', 'Mary'), turned)).toBeUndefined();
  });

  test('Scenario: Fuzzy entity names in relationships', async () => {
    const expected = relationship('J. Smith', 'parent_of', 'Mary');
    // "j. smith" to "john smith": 3 edits over 10 characters, 0.7.
    const lower = ['pair.threshold=0.7'];
    expect(await matchOf(expected, relationship('John Smith', 'parent_of', 'Mary'))).toBeUndefined();
    expect((await matchOf(expected, relationship('John Smith', 'parent_of', 'Mary'), lower))?.match).toBe('fuzzy');
    expect((await matchOf(expected, relationship('Mary', 'child_of', 'John Smith'), lower))?.match).toBe(
      'inverse-fuzzy',
    );
  });

  test.each(INVERSES)('Scenario: Inverse relationship types supported: %s <-> %s', async (one, other) => {
    expect((await matchOf(relationship('A', one, 'B'), relationship('B', other, 'A')))?.match).toBe('inverse');
    expect((await matchOf(relationship('A', other, 'B'), relationship('B', one, 'A')))?.match).toBe('inverse');
    expect(await matchOf(relationship('A', one, 'B'), relationship('A', other, 'B'))).toBeUndefined();
  });

  test.each(SYMMETRIC)('Scenario: Symmetric relationship types supported: %s', async (type) => {
    expect((await matchOf(relationship('A', type, 'B'), relationship('B', type, 'A')))?.match).toBe('exact');
  });
});

describe('Requirement: Extraction Quality Metrics', () => {
  // Expected: Ann, Bob, Cleo, Dora. Extracted: Ann, Bob (as a place), Ed. 2 of 3 right, 2 of 4 found.
  const expected = [entity('Ann'), entity('Bob'), entity('Cleo'), entity('Dora')];
  const extracted = [entity('Ann'), entity('Bob', 'Place'), entity('Ed')];

  test('Scenario: Entity precision calculation', async () => {
    expect((await scoreGraph(expected, extracted)).value('entity_precision')).toBe(2 / 3);
  });

  test('Scenario: Entity recall calculation', async () => {
    expect((await scoreGraph(expected, extracted)).value('entity_recall')).toBe(0.5);
  });

  test('Scenario: Entity F1 score calculation', async () => {
    // 2 * (2/3 * 1/2) / (2/3 + 1/2) = (2/3) / (7/6) = 4/7
    expect((await scoreGraph(expected, extracted)).value('entity_f1')).toBeCloseTo(4 / 7, 15);
  });

  test('Scenario: Relationship accuracy calculation', async () => {
    // Of three extracted relationships one is expected, one is its double, one is nowhere: 1 / 3.
    const knows = relationship('Ann', 'friend_of', 'Bob');
    const scored = await scoreGraph(
      [...expected, knows, relationship('Cleo', 'owns', 'Dora')],
      [...extracted, knows, relationship('Bob', 'friend_of', 'Ann'), relationship('Ann', 'owns', 'Ed')],
    );
    expect(scored.value('relationship_accuracy')).toBe(1 / 3);
    expect(scored.value('relationship_precision')).toBe(1 / 3);
    expect(scored.value('relationship_recall')).toBe(0.5);
  });

  test('Scenario: Type accuracy calculation', async () => {
    // Ann and Bob are matched by name; Bob's type is wrong.
    expect((await scoreGraph(expected, extracted)).value('type_accuracy')).toBe(0.5);
  });
});
