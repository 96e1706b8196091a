import { describe, expect, test } from 'vitest';

import type { Item } from '../../src/data/item.ts';
import { makeCriterion } from '../../src/pair/criterion.ts';
import { compareFor, isModulePath, SIMILARITIES, similarityNamed } from '../../src/pair/similarity.ts';
import { object, span } from './items.ts';

function compare(similarity: string, gold: Item, predicted: Item, more: object = {}): number {
  return compareFor(makeCriterion('c', { similarity, ...more }))(gold, predicted, 0);
}

describe('by place', () => {
  test.each([
    ['iou', span(0, 4), span(2, 6), {}, 2 / 6],
    ['iou', span(10, 20), span(11, 22), { tolerance: 1 }, 10 / 12],
    ['inside-gold', span(10, 20), span(18, 22), {}, 2 / 4],
    ['covers-gold', span(10, 20), span(18, 22), {}, 2 / 10],
    ['exact', span(10, 20), span(10, 20), {}, 1],
    ['exact', span(10, 20), span(11, 20), {}, 0],
    ['exact', span(10, 20), span(11, 19), { tolerance: 1 }, 1],
    ['exact', span(10, 20), span(12, 20), { tolerance: 1 }, 0],
    ['containment', span(10, 20), span(12, 15), {}, 1],
    ['containment', span(12, 15), span(10, 20), {}, 1],
    ['containment', span(10, 20), span(15, 22), {}, 0],
    ['containment', span(10, 20), span(15, 22), { tolerance: 2 }, 1],
    ['predicted-in-gold', span(10, 20), span(12, 15), {}, 1],
    ['predicted-in-gold', span(12, 15), span(10, 20), {}, 0],
    ['gold-in-predicted', span(12, 15), span(10, 20), {}, 1],
    ['gold-in-predicted', span(10, 20), span(12, 15), {}, 0],
  ])('%s %#', (name, gold, predicted, more, expected) => {
    expect(compare(name, gold, predicted, more)).toBe(expected);
  });
});

describe('by text', () => {
  test.each([
    ['exact', 'Ann', 'ann', {}, 0],
    ['exact', 'Ann', ' ann ', { normalise: ['lower', 'trim'] }, 1],
    ['jaccard', 'a b c', 'b c d', {}, 2 / 4],
    ['jaccard', 'a, b', 'a b', { words: 'unicode' }, 1],
    ['jaccard', '', '', {}, 1],
    ['levenshtein', 'kitten', 'sitting', {}, 1 - 3 / 7],
    ['levenshtein', 'Kitten', 'kitten', { normalise: ['lower'] }, 1],
    ['containment', 'in the city', 'city', {}, 1],
    ['containment', 'city', 'in the city', {}, 1],
    ['containment', '', 'city', {}, 0],
    ['containment', '', '', {}, 1],
    ['predicted-in-gold', 'city', 'in the city', {}, 0],
    ['gold-in-predicted', 'City', 'in the city', { normalise: ['lower'] }, 1],
  ])('%s of %j and %j with %j is %s', (name, gold, predicted, more, expected) => {
    expect(compare(name, object('x', gold), object('x', predicted), more)).toBe(expected);
  });
});

describe('names', () => {
  test('each says what it is', () => {
    for (const [name, { about }] of Object.entries(SIMILARITIES)) expect(about.length, name).toBeGreaterThan(10);
  });

  test('a wrong one gets the nearest right one; one that every object has is wrong, too', () => {
    expect(() => similarityNamed('levenstein')).toThrow(expect.objectContaining({ next: 'did you mean levenshtein?' }));
    expect(() => similarityNamed('constructor')).toThrow('there is no similarity called constructor');
  });

  test('a path names a function of one’s own', () => {
    expect(['./mine.js', './mine.js#close', 'mine.mjs', 'lib/mine.ts'].map(isModulePath)).toEqual([
      true,
      true,
      true,
      true,
    ]);
    expect(['iou', 'inside-gold'].map(isModulePath)).toEqual([false, false]);
  });

  test('relation is for relationships', () => {
    expect(() => compare('relation', object('x', 'a'), object('x', 'a'))).toThrow('compares relationships only');
  });
});

describe('a function of one’s own', () => {
  const own = (returned: unknown): number =>
    compareFor(makeCriterion('c', { similarity: './mine.js', own: () => returned as number }))(
      object('x', 'a'),
      object('x', 'b'),
      0,
    );

  test('is asked as it is', () => {
    expect(own(0.25)).toBe(0.25);
  });

  test.each([
    [1.5, '1.5'],
    [-0.1, '-0.1'],
    [NaN, 'NaN'],
    [undefined, 'undefined'],
    ['0.5', '0.5'],
    [{}, 'an object'],
    [Promise.resolve(1), 'a promise (it must not be async)'],
  ])('must return a number from 0 to 1, not %s', (returned, shown) => {
    expect(() => own(returned)).toThrow(`the similarity ./mine.js returned ${shown} for gold "a" and predicted "b"`);
  });

  test('that throws is named with the pair it threw for', () => {
    const failing = (): number => {
      throw new Error('no such word');
    };
    const compared = compareFor(makeCriterion('c', { similarity: './mine.js', own: failing }));
    expect(() => compared(object('x', 'a'), object('x', 'b'), 0)).toThrow(
      'the similarity ./mine.js failed for gold "a" and predicted "b" (no such word)',
    );
  });
});
