import { describe, expect, test } from 'vitest';

import { makeCriterion } from '../../src/pair/criterion.ts';
import { makePairer, pair } from '../../src/pair/pair.ts';
import { entity, numbered, object, relationship, span } from './items.ts';

const PLAIN = { assign: 'greedy', ties: 'content', partial: 1, unit: 'item' } as const;

describe('what comes into question', () => {
  test('spans that touch, where every criterion looks at places', () => {
    const reach = (...similarities: string[]): number | null =>
      makePairer({
        ...PLAIN,
        accept: similarities.map((similarity, at) => makeCriterion('c', { similarity, tolerance: at })),
      }).reach;
    expect(reach('iou')).toBe(0);
    // A tolerance of two characters is at most four units.
    expect(reach('exact', 'predicted-in-gold', 'inside-gold')).toBe(4);
    expect(reach('iou', 'jaccard')).toBeNull();
  });

  test('a span without a place matches nothing, not even its like', () => {
    for (const similarity of ['exact', 'iou', 'containment', 'inside-gold', 'covers-gold']) {
      const lost = span(-1, -1, 'LOC', { text: 'Oslo' });
      expect(pair([lost], [lost], { similarity, threshold: 0.5 }).pairs, similarity).toEqual([]);
      expect(pair([span(0, 4, 'LOC', { text: 'Oslo' })], [lost], { similarity }).pairs, similarity).toEqual([]);
    }
  });

  test('objects are compared by their text, whether a quote was found in the document or not', () => {
    const found = { ...object('food', 'Two dosas'), start: 3, end: 12 };
    const lost = object('food', 'two dosas');
    const elsewhere = { ...object('food', 'two dosas'), start: 40, end: 49 };
    const options = { similarity: 'exact', normalise: ['lower'] } as const;
    expect(pair([found], [lost], options).pairs).toHaveLength(1);
    expect(pair([found], [elsewhere], options).pairs).toHaveLength(1);
    // Also when a scheme beside it has found the pairs that touch: there are none.
    const pairer = makePairer({ ...PLAIN, accept: [makeCriterion('c', options)] });
    expect(pairer.pair([found], [elsewhere], { gold: [], predicted: [] }).pairs).toHaveLength(1);
  });

  test('nothing in common is no match, even at threshold 0', () => {
    expect(pair([object('food', 'a')], [object('food', 'b')], { similarity: 'jaccard', threshold: 0 }).pairs).toEqual(
      [],
    );
    expect(pair([object('food', 'a')], [object('food', 'b')], { similarity: () => 0, threshold: 0 }).pairs).toEqual([]);
  });
});

describe('alternatives', () => {
  test('the first criterion that accepts a pair gives it its name and similarity', () => {
    const accept = [
      makeCriterion('equal', { similarity: 'exact', gate: ['label'], threshold: 1 }),
      makeCriterion('wide', { similarity: 'iou', threshold: 0.3 }),
    ];
    const pairer = makePairer({ ...PLAIN, accept });
    const { pairs } = pairer.pair(
      [span(0, 10, 'LOC'), span(20, 30, 'LOC')],
      [span(0, 10, 'LOC'), span(20, 30, 'PERSON')],
    );
    expect(pairs.map(({ rule, similarity }) => [rule, similarity])).toEqual([
      ['equal', 1],
      ['wide', 1],
    ]);
  });

  test('an accepted pair that lost to a better one says so, whichever criterion accepted it', () => {
    const accept = [
      makeCriterion('inside', { similarity: 'predicted-in-gold', threshold: 1 }),
      makeCriterion('wide', { similarity: 'iou', threshold: 0.9 }),
    ];
    const { predicted } = makePairer({ ...PLAIN, accept }).pair([span(0, 10)], [span(0, 4), span(5, 9)]);
    expect(predicted[0]?.rejected?.why).toMatch(/^it went to predicted/);
  });
});

describe('ties', () => {
  const gold = numbered([object('food', 'a b', { n: 1 })]);
  const predicted = numbered([object('food', 'b a', { n: 9 }), object('food', 'a b', { n: 5 })]);

  test('as given: the first of the list', () => {
    const { pairs } = pair(gold, predicted, { similarity: 'jaccard', ties: 'given' });
    expect(pairs[0]?.predicted.fields).toEqual({ n: 9 });
  });

  test('by content: the same whatever the order', () => {
    for (const list of [predicted, predicted.toReversed()]) {
      const { pairs } = pair(gold, list, { similarity: 'jaccard' });
      expect(pairs[0]?.predicted.fields).toEqual({ n: 5 });
    }
  });
});

describe('what was not taken, and why', () => {
  const reasons = (...given: Parameters<typeof pair>): (string | undefined)[] =>
    pair(...given).gold.map(({ rejected }) => rejected?.why);

  test.each([
    [[span(0, 9, 'LOC')], [span(0, 9, 'ORG')], { gate: ['label'] }, 'label differs: LOC in gold, ORG predicted'],
    [[span(0, 9, 'LOC')], [span(0, 9, 'LOC ')], { gate: ['label'] }, 'label differs: "LOC" in gold, "LOC " predicted'],
    [[span(0, 9)], [span(0, 3)], { similarity: 'iou', threshold: 0.5 }, 'similarity 0.333 is under 0.5'],
    // 0.8496 must not read as 0.85.
    [
      [object('a', 'x')],
      [object('a', 'y')],
      { similarity: () => 0.8496, threshold: 0.85 },
      'similarity 0.849 is under 0.85',
    ],
    [
      [object('a', 'x', { by: 1 })],
      [object('a', 'x', { by: 2 })],
      { similarity: 'jaccard', gate: ['by'] },
      'by differs',
    ],
    [[object('a', 'x')], [object('a', 'y')], { similarity: 'jaccard' }, undefined],
  ] as const)('%#', (gold, predicted, options, why) => {
    expect(reasons(gold, predicted, options)).toEqual([why]);
  });

  test.each([
    ['knows', ['Ann', 'Bob'], 'knows', ['Bob', 'Ann'], 'the ends are swapped and the type is not symmetric'],
    ['knows', ['Ann', 'Bob'], 'owns', ['Ann', 'Bob'], 'type differs: knows in gold, owns predicted'],
    ['knows', ['Ann', 'Bob'], 'owns', ['Bob', 'Ann'], 'type and direction differs: knows in gold, owns predicted'],
    ['knows', ['Ann', 'Bob'], 'knows', ['Ann', 'Zed'], 'the ends are not similar enough (one has 0, each needs 0.85)'],
  ] as const)('%s %j, extracted %s %j', (goldType, [source, target], type, [from, to], why) => {
    const options = { similarity: 'relation', threshold: 0.85 };
    expect(reasons([relationship(source, goldType, target)], [relationship(from, type, to)], options)).toEqual([why]);
  });

  test('a better candidate that another one took', () => {
    const { predicted } = pair([entity('Ann')], [entity('Ann'), entity('Anne')], {
      similarity: 'levenshtein',
      threshold: 0.7,
    });
    expect(predicted[0]?.rejected).toMatchObject({
      similarity: 0.75,
      why: 'it went to predicted "Ann" (similarity 1)',
    });
  });
});

test('a pair that is not the same is worth what the settings say', () => {
  const { pairs } = pair([span(0, 4), span(10, 14)], [span(0, 4), span(10, 13)], { similarity: 'iou', partial: 0.5 });
  expect(pairs.map(({ credit }) => credit)).toEqual([1, 0.5]);
});
