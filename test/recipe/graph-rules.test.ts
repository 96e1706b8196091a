import { describe, expect, test } from 'vitest';

import type { Item } from '../../src/data/item.ts';
import { labelCounts } from '../../src/report/label-counts.ts';
import { caseOf, entity, relationship } from '../pair/items.ts';
import { type Scored, scoreWith } from './score-with.ts';

/* Every row of the rules of a graph, with values worked out by hand. */

function score(gold: readonly Item[], predicted: readonly Item[], ...set: string[]): Promise<Scored> {
  return scoreWith('graph/openspec', caseOf({ gold, predicted }), set);
}

function pairs(scored: Scored, kind: string): string[] {
  return scored
    .verdicts()
    .filter((one) => one.kind === kind && one.verdict === 'hit')
    .map(
      ({ gold, predicted, match }) =>
        `${gold?.text ?? ''} = ${predicted?.text ?? ''}${match === null ? '' : ` (${match})`}`,
    );
}

describe('names', () => {
  test('are compared in lower case, trimmed, with white space collapsed', async () => {
    const scored = await score([entity('New York')], [entity('  NEW \t york ')]);
    expect(scored.verdicts()[0]?.similarity).toBe(1);
    expect((await score([entity('New York')], [entity('  NEW \t york ')], 'pair.normalise=[]')).tally).toBe('0/1/1');
  });

  test.each([
    ['John Smith', 'John D. Smith', 1 - 3 / 13],
    ['Bethlehem', 'Bethleham', 1 - 1 / 9],
    ['', '', 1],
    ['a', 'b', null],
    ['', 'a', null],
    // One character more of four; each emoji is one.
    ['🍵🍵🍵', '🍵🍵🍵🍵', 1 - 1 / 4],
  ])('%j and %j have the similarity %s', async (gold, predicted, similarity) => {
    const scored = await score([entity(gold)], [entity(predicted)], 'pair.threshold=0');
    expect(scored.verdicts()[0]?.similarity ?? null).toBe(similarity);
  });

  test('match from 0.85', async () => {
    // 3 edits of 20 characters are 0.85 exactly, 4 are 0.8.
    const name = 'abcdefghijklmnopqrst';
    expect((await score([entity(name)], [entity('abcdefghijklmnopq')])).tally).toBe('1/0/0');
    expect((await score([entity(name)], [entity('abcdefghijklmnop')])).tally).toBe('0/1/1');
  });
});

describe('entities', () => {
  test('best similarity first, one to one; in-order and optimal are options', async () => {
    // abcdefghij (10). To abcdefghiX: 0.9; to abcdefghij: 1. abcdefghiY to abcdefghiX 0.9, to abcdefghij 0.9.
    const gold = [entity('abcdefghiY'), entity('abcdefghij')];
    const predicted = [entity('abcdefghij'), entity('abcdefghiX')];
    expect(pairs(await score(gold, predicted), 'entity')).toEqual([
      'abcdefghiY = abcdefghiX',
      'abcdefghij = abcdefghij',
    ]);
    // In order, the first expected one takes its best: both are at 0.9, so the first in the list.
    const inOrder = await score(gold, predicted, 'pair.assign=in-order', 'pair.ties=given');
    expect(pairs(inOrder, 'entity')).toEqual(['abcdefghiY = abcdefghij', 'abcdefghij = abcdefghiX']);
    expect((await score(gold, predicted, 'pair.assign=optimal')).tally).toBe('2/0/0');
  });

  test('the type does not gate; it is what type_accuracy counts', async () => {
    const scored = await score(
      [entity('Ann', 'Person'), entity('Bo', 'Person')],
      [entity('Ann', 'Place'), entity('Bo', 'PERSON')],
    );
    expect(scored.tally).toBe('2/0/0');
    expect(scored.value('type_accuracy')).toBe(0.5);
    expect((await score([entity('Ann', 'Person')], [entity('Ann', 'Place')], 'pair.entity.gate=[label]')).tally).toBe(
      '0/1/1',
    );
  });

  test('duplicates are kept: two equal extras are two', async () => {
    const scored = await score([entity('Ann')], [entity('Ann'), entity('Ann'), entity('Ann')]);
    expect(scored.tally).toBe('1/2/0');
    expect(scored.verdicts()[1]?.rejected?.why).toBe('it went to predicted "Ann" (similarity 1)');
  });
});

describe('relationships', () => {
  const ends = [entity('Ann'), entity('Bob')];
  const match = async (expected: Item, extracted: Item, ...set: string[]): Promise<string | null | undefined> => {
    const scored = await score([...ends, expected], [...ends, extracted], ...set);
    return scored.verdicts().find((one) => one.kind === 'relationship' && one.verdict === 'hit')?.match;
  };

  test('types are equal after normalisation', async () => {
    expect(await match(relationship('Ann', 'knows well', 'Bob'), relationship('Ann', ' KNOWS  Well', 'Bob'))).toBe(
      'exact',
    );
    expect(await match(relationship('Ann', 'knows', 'Bob'), relationship('Ann', 'owns', 'Bob'))).toBeUndefined();
  });

  test('exact when both ends are equal after normalisation, else fuzzy', async () => {
    const gold = [entity('Benedikta'), entity('Bob'), relationship('Benedikta', 'knows', 'Bob')];
    const fuzzy = await score(gold, [entity('Benedikto'), entity('Bob'), relationship('Benedikto', 'knows', 'Bob')]);
    expect(pairs(fuzzy, 'relationship')).toEqual(['Benedikta --knows--> Bob = Benedikto --knows--> Bob (fuzzy)']);
    const exact = await score(gold, [entity('BENEDIKTA'), entity('bob'), relationship('BENEDIKTA', 'knows', 'bob')]);
    expect(pairs(exact, 'relationship')[0]).toContain('(exact)');
  });

  test('preference: exact, fuzzy, inverse, inverse-fuzzy, whatever the similarity', async () => {
    // Against "Benedikta employs Bob": inverse with equal ends, fuzzy with one letter off.
    const gold = [relationship('Benedikta', 'employs', 'Bob')];
    const entities = [entity('Benedikta'), entity('Benedikto'), entity('Bob')];
    const inverse = relationship('Bob', 'employed_by', 'Benedikta');
    const fuzzy = relationship('Benedikto', 'employs', 'Bob');
    const inverseFuzzy = relationship('Bob', 'employed_by', 'Benedikto');
    const exact = relationship('Benedikta', 'employs', 'Bob');
    const best = async (...extracted: Item[]): Promise<string | null | undefined> => {
      const scored = await score([...entities, ...gold], [...entities, ...extracted]);
      return scored.verdicts().find((one) => one.kind === 'relationship' && one.verdict === 'hit')?.match;
    };
    expect(await best(inverseFuzzy, inverse, fuzzy, exact)).toBe('exact');
    expect(await best(inverseFuzzy, inverse, fuzzy)).toBe('fuzzy');
    expect(await best(inverseFuzzy, inverse)).toBe('inverse');
    expect(await best(inverseFuzzy)).toBe('inverse-fuzzy');
  });

  test('in order, each expected one takes the first free one of the best kind', async () => {
    const entities = [entity('Benedikta'), entity('Benedikto'), entity('Benedikte'), entity('Bob')];
    const scored = await score(
      [...entities, relationship('Benedikta', 'knows', 'Bob')],
      [...entities, relationship('Benedikto', 'knows', 'Bob'), relationship('Benedikte', 'knows', 'Bob')],
      'pair.assign=in-order',
      'pair.ties=given',
    );
    expect(pairs(scored, 'relationship')).toEqual(['Benedikta --knows--> Bob = Benedikto --knows--> Bob (fuzzy)']);
  });

  test('a recipe extends or replaces the inverse pairs and symmetric types', async () => {
    const teaches = relationship('Ann', 'teaches', 'Bob');
    const taught = relationship('Bob', 'taught_by', 'Ann');
    expect(await match(teaches, taught)).toBeUndefined();
    expect(await match(teaches, taught, 'pair.relationship.inverse+=[[teaches, taught_by]]')).toBe('inverse');
    const parent = relationship('Ann', 'parent_of', 'Bob');
    const child = relationship('Bob', 'child_of', 'Ann');
    expect(await match(parent, child, 'pair.relationship.inverse+=[[teaches, taught_by]]')).toBe('inverse');
    expect(await match(parent, child, 'pair.relationship.inverse=[[teaches, taught_by]]')).toBeUndefined();
    const knows = relationship('Bob', 'teaches', 'Ann');
    expect(await match(teaches, knows, 'pair.relationship.symmetric+=teaches')).toBe('exact');
  });

  test('an end is a temp_id or a name; one that resolves to nothing makes it spurious, with that reason', async () => {
    const gold = [...ends, relationship('Ann', 'knows', 'Bob')];
    const withIds = [entity('Ann', 'Person', { temp_id: 'e1' }), entity('Bob', 'Person', { temp_id: 'e2' })];
    expect((await score(gold, [...withIds, relationship('e1', 'knows', 'e2')])).tally).toBe('3/0/0');
    expect((await score(gold, [...withIds, relationship('ANN', 'knows', 'e2')])).tally).toBe('3/0/0');
    const lost = await score(gold, [...withIds, relationship('e1', 'knows', 'e7')]);
    expect(lost.tally).toBe('2/1/1');
    expect(lost.verdicts().at(-1)).toMatchObject({
      verdict: 'spurious',
      rule: 'unresolved',
      because: 'no extracted entity is called "e7"',
      predicted: { text: 'Ann --knows--> e7', unresolved: ['e7'] },
    });
    expect(lost.measure('relationship_precision')).toMatchObject({ value: 0, n: 1 });
  });

  test('triples without entities are compared by name: gold against itself is 1', async () => {
    const gold = [relationship('Ann', 'knows', 'Bob'), relationship('Bob', 'lives_in', 'Oslo')];
    const itself = await score(gold, gold);
    expect(itself.value('relationship_f1')).toBe(1);
    // One of two found; the other has a wrong type, not a lost end: P = R = F1 = 1/2.
    const half = await score(gold, [gold[0]!, relationship('Bob', 'lives_near', 'Oslo')]);
    expect(half.value('relationship_f1')).toBe(1 / 2);
    expect(half.count('spurious', 'no-match')).toBe(1);
    expect((await score(gold, gold, 'prepare.resolve-refs.unresolved=spurious')).value('relationship_f1')).toBe(0);
  });

  test('an end that is not among the entities is compared by name', async () => {
    // Oslo was not extracted, and the relationship is right; e7 is nothing that anybody speaks of.
    const gold = [...ends, entity('Oslo', 'Place'), relationship('Ann', 'lives_in', 'Oslo')];
    const found = await score(gold, [...ends, relationship('Ann', 'lives_in', 'oslo')]);
    expect(pairs(found, 'relationship')).toEqual(['Ann --lives_in--> Oslo = Ann --lives_in--> oslo (exact)']);
    const some = [ends[0]!, relationship('Ann', 'knows', 'Bob')];
    expect((await score(some, some)).value('relationship_f1')).toBe(1);
    expect((await score(gold, [...ends, relationship('Ann', 'lives_in', 'e7')])).count('spurious', 'unresolved')).toBe(
      1,
    );
  });

  test('left out, it leaves the denominator of precision and not that of accuracy', async () => {
    const gold = [...ends, relationship('Ann', 'knows', 'Bob')];
    const predicted = [...gold, relationship('Ann', 'knows', 'Zed')];
    const scored = await score(gold, predicted, 'prepare.resolve-refs.unresolved=leave-out');
    expect(scored.measure('relationship_precision')).toMatchObject({ value: 1, n: 1 });
    expect(scored.measure('relationship_accuracy')).toMatchObject({ value: 1 / 2, n: 2 });
    expect(scored.count('excused', 'resolve-refs')).toBe(1);
  });
});

describe('scores', () => {
  test('each is recorded under its name', async () => {
    // Entities: 2 of 3 extracted, 2 of 2 expected: P 2/3, R 1, F1 4/5. Relationships: 1 of 2, 1 of 1: P 1/2, R 1, F1 2/3.
    const scored = await score(
      [entity('Ann'), entity('Bob'), relationship('Ann', 'knows', 'Bob')],
      [
        entity('Ann'),
        entity('Bob', 'Dog'),
        entity('Cy'),
        relationship('Ann', 'knows', 'Bob'),
        relationship('Ann', 'owns', 'Bob'),
      ],
    );
    const expected = {
      entity_precision: 2 / 3,
      entity_recall: 1,
      entity_f1: 4 / 5,
      type_accuracy: 1 / 2,
      relationship_accuracy: 1 / 2,
      relationship_precision: 1 / 2,
      relationship_recall: 1,
      relationship_f1: 2 / 3,
      overall_quality: (4 / 5 + 2 / 3) / 2,
    };
    for (const [name, value] of Object.entries(expected)) expect(scored.value(name), name).toBeCloseTo(value, 14);
  });

  test('by label, a wrong type is missed under its own and spurious under the one that was given', async () => {
    // Person: Ann is right, Bob is missed, Cy is spurious: 1 of 2 and 1 of 2. Dog: nobody's gold, Bob was called one.
    const gold = [
      entity('Ann'),
      entity('Bob'),
      entity('Dee', 'Thing', { type: 'Thing', acceptable_types: ['Object'] }),
    ];
    const predicted = [entity('Ann'), entity('Bob', 'Dog'), entity('Cy'), entity('Dee', 'Object')];
    const scored = await score(gold, predicted);
    const row = (label: string): unknown[] => [
      scored.value('entity_precision', { label }),
      scored.value('entity_recall', { label }),
      scored.value('entity_f1', { label }),
      scored.measure('entity_f1', { label }).n,
    ];
    expect(row('Person')).toEqual([1 / 2, 1 / 2, 1 / 2, 3]);
    expect(row('Dog')).toEqual([0, null, 0, 1]);
    // A type that gold accepts is right.
    expect(row('Thing')).toEqual([1, 1, 1, 1]);
    // Overall the type does not gate: 3 of 4 and 3 of 3; the pairs of each label say how often it was right.
    expect([scored.value('entity_precision'), scored.value('entity_recall')]).toEqual([3 / 4, 1]);
    expect(scored.value('type_accuracy', { label: 'Person' })).toBe(1 / 2);
    // What is predicted adds up: 4 of 4. So does gold: 3 of 3.
    const sum = (name: string): number =>
      ['Person', 'Dog', 'Thing'].reduce((n, label) => n + scored.measure(name, { label }).n, 0);
    expect([sum('entity_precision'), sum('entity_recall')]).toEqual([4, 3]);
    const counts = labelCounts(scored).get('entity');
    expect(counts?.get('Person')).toEqual({ hit: 1, missed: 1, spurious: 1, excused: 0 });
    expect(counts?.get('Dog')).toEqual({ hit: 0, missed: 0, spurious: 1, excused: 0 });
  });

  test('0/0 is undefined with a reason, or a number by zeroDivision', async () => {
    const scored = await score([entity('Ann')], [entity('Ann')]);
    expect(scored.measure('relationship_f1')).toMatchObject({ value: null, n: 0 });
    expect(scored.measure('overall_quality').undefined).toBe(
      'relationship_f1 is undefined: there is neither gold nor a prediction that counts',
    );
    expect((await score([entity('Ann')], [entity('Ann')], 'zeroDivision=0')).value('overall_quality')).toBe(0.5);
  });

  test('aggregate: mean, min, max and standard deviation over items, beside the micro totals', async () => {
    // Entity recall 1, 1/2 and undefined; micro 2 of 3.
    const scored = await scoreWith('graph/openspec', [
      caseOf({ id: 'a', gold: [entity('Ann')], predicted: [entity('Ann')] }),
      caseOf({ id: 'b', gold: [entity('Bob'), entity('Cyd')], predicted: [entity('Bob')] }),
      caseOf({ id: 'c' }),
    ]);
    const { value, cases } = scored.measure('entity_recall');
    expect(value).toBe(2 / 3);
    expect(cases).toEqual({ n: 2, undefined: 1, mean: 0.75, min: 0.5, max: 1, sd: Math.sqrt(0.125) });
  });

  test('failed items are counted, not averaged; their gold stays in the ledger', async () => {
    const scored = await scoreWith('graph/openspec', [
      caseOf({ id: 'a', gold: [entity('Ann')], predicted: [entity('Ann')] }),
      caseOf({ id: 'b', gold: [entity('Bob')], failed: 'time-out' }),
    ]);
    expect(scored.cases).toEqual({ total: 2, failed: 1, unanswered: 0 });
    expect(scored.value('entity_recall')).toBe(1);
    expect(scored.measure('entity_recall').cases).toMatchObject({ n: 1, undefined: 0 });
    expect(scored.verdicts().at(-1)).toMatchObject({
      case: 'b',
      verdict: 'excused',
      rule: 'failed',
      because: 'time-out',
    });
  });
});

describe('beyond the seed', () => {
  const ends = [entity('Ann'), entity('Rome')];

  test('equivalent types of relationships, also through a third, with inverse and symmetric types', async () => {
    const tally = async (expected: Item, extracted: Item, groups: string): Promise<string> =>
      (await score([...ends, expected], [...ends, extracted], `pair.relationship.equivalent=${groups}`)).tally;
    const travels = relationship('Ann', 'TRAVELS_TO', 'Rome');
    expect(await tally(travels, relationship('Ann', 'MOVED_TO', 'Rome'), '[]')).toBe('2/1/1');
    expect(await tally(travels, relationship('Ann', 'moved_to', 'Rome'), '[[TRAVELS_TO, MOVED_TO]]')).toBe('3/0/0');
    expect(
      await tally(travels, relationship('Ann', 'went_to', 'Rome'), '[[travels_to, moved_to], [moved_to, went_to]]'),
    ).toBe('3/0/0');
    expect(await tally(travels, relationship('Rome', 'moved_to', 'Ann'), '[[TRAVELS_TO, MOVED_TO]]')).toBe('2/1/1');
    // hires is employs, whose inverse is employed_by; spouse_of is married_to, which has no direction.
    expect(
      await tally(
        relationship('Ann', 'hires', 'Rome'),
        relationship('Rome', 'employed_by', 'Ann'),
        '[[hires, employs]]',
      ),
    ).toBe('3/0/0');
    expect(
      await tally(
        relationship('Ann', 'spouse_of', 'Rome'),
        relationship('Rome', 'spouse_of', 'Ann'),
        '[[spouse_of, married_to]]',
      ),
    ).toBe('3/0/0');
  });

  test('equivalent types of entities', async () => {
    const types = async (...set: string[]): Promise<number | null> =>
      (await score([entity('Rome', 'City')], [entity('Rome', 'TOWN')], ...set)).value('type_accuracy');
    expect(await types()).toBe(0);
    expect(await types('attributes.type.equivalent=[[City, Town]]')).toBe(1);
  });

  test('acceptable_types of one expected entity or relationship', async () => {
    const rome = entity('Rome', 'City', { acceptable_types: ['Place', 'Capital'] });
    expect((await score([rome], [entity('Rome', 'capital')])).value('type_accuracy')).toBe(1);
    expect((await score([rome], [entity('Rome', 'River')])).value('type_accuracy')).toBe(0);
    const visits = relationship('Ann', 'visits', 'Rome', { acceptable_types: ['sees'] });
    expect((await score([...ends, visits], [...ends, relationship('Ann', 'SEES', 'Rome')])).tally).toBe('3/0/0');
    expect((await score([...ends, visits], [...ends, relationship('Ann', 'likes', 'Rome')])).tally).toBe('2/1/1');
  });

  test('strict beside relaxed F1: entities with the right type, relationships of the very type expected', async () => {
    const scored = await score(
      [...ends, relationship('Ann', 'married_to', 'Rome'), relationship('Ann', 'owns', 'Rome')],
      [
        entity('Ann'),
        entity('Rome', 'Dog'),
        relationship('Rome', 'married_to', 'Ann'),
        relationship('Rome', 'owned_by', 'Ann'),
      ],
    );
    expect(scored.value('entity_f1')).toBe(1);
    expect(scored.value('entity_strict_f1')).toBe(0.5);
    // The symmetric one is exact, the inverse one is right and not what was asked for.
    expect(scored.value('relationship_f1')).toBe(1);
    expect(scored.value('relationship_strict_f1')).toBe(0.5);
  });

  test('over-extraction is extracted / expected', async () => {
    const scored = await score([entity('Ann'), entity('Bob')], [entity('Ann'), entity('Cy'), entity('Di')]);
    expect(scored.measure('entity_over_extraction')).toMatchObject({ value: 3 / 2, n: 2, direction: 'lower' });
    expect(scored.measure('relationship_over_extraction').undefined).toBe('there is no gold');
  });

  test('a confidence filter takes predictions out, visibly, and leaves accuracy to what is left', async () => {
    const sure = (item: Item, confidence: number): Item => ({ ...item, fields: { ...item.fields, confidence } });
    const gold = [...ends, relationship('Ann', 'visits', 'Rome')];
    const scored = await score(
      gold,
      [
        sure(entity('Ann'), 0.9),
        sure(entity('Rome'), 0.7),
        sure(entity('Cy'), 0.69),
        entity('Di'),
        sure(relationship('Ann', 'visits', 'Rome'), 0.8),
        sure(relationship('Ann', 'owns', 'Rome'), 0.1),
      ],
      'prepare.min-confidence.min=0.7',
    );
    expect(scored.value('entity_precision')).toBe(2 / 3);
    expect(scored.value('relationship_accuracy')).toBe(1);
    const out = scored.verdicts().filter(({ rule }) => rule === 'min-confidence');
    expect(out.map(({ predicted, because }) => [predicted?.text, because])).toEqual([
      ['Cy', 'confidence 0.69 < 0.7'],
      ['Ann --owns--> Rome', 'confidence 0.1 < 0.7'],
    ]);
  });
});
