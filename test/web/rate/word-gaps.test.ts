import { expect, test } from 'vitest';

import { closestPlace, likelyGap, wordGaps } from '../../../web/src/rate/word-gaps.ts';

test('a claim can be cut before every word but the first', () => {
  expect(wordGaps(' one  two three ')).toEqual([6, 10]);
  expect(wordGaps('one')).toEqual([]);
  expect(wordGaps('गरम भोजन लें')).toEqual([4, 9]);
});

test('a cut is proposed after a pause in the sentence, and otherwise near the middle', () => {
  expect(likelyGap('Sleep early, and eat warm food that is cooked')).toBe(13);
  expect(likelyGap('Sleep early and eat')).toBe(12);
  expect(likelyGap('Sleep')).toBeNull();
});

test('of two places equally near the first is taken', () => {
  expect(closestPlace([2, 4], 3)).toBe(2);
  expect(closestPlace([], 3)).toBeNull();
});
