import { expect, test } from 'vitest';

import { around, placesOf } from '../../../web/src/rate/places-of.ts';

test('words are found wherever they stand, also where they overlap themselves', () => {
  expect(placesOf('an anna and an', 'an')).toEqual([0, 3, 8, 12]);
  expect(placesOf('aaa', 'aa')).toEqual([0, 1]);
  expect(placesOf('anna', 'Anna')).toEqual([]);
  expect(placesOf('anna', '')).toEqual([]);
});

test('a place is shown with what is around it, cut at words', () => {
  const text = 'One two three four five six seven.';
  expect(around(text, 14, 18, 9)).toEqual({ before: '…three ', after: ' five…' });
  expect(around(text, 0, 3, 100)).toEqual({ before: '', after: text.slice(3) });
  expect(around('a\n\nb', 3, 4)).toEqual({ before: 'a ', after: '' });
});
