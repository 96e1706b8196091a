import { describe, expect, it } from 'vitest';

import { UsageError } from '../../../src/data/problems.ts';
import { cohenKappa } from '../../../src/stats/agreement/cohen-kappa.ts';
import { codeRatings } from '../../../src/stats/agreement/rating.ts';
import { fleissKappa } from '../../../src/stats/agreement/pair-agreement.ts';
import { krippendorffAlpha } from '../../../src/stats/agreement/krippendorff-alpha.ts';

describe('what cannot be a rating is refused with its row and rater', () => {
  it.each([
    [
      'a category nobody declared',
      () =>
        fleissKappa(
          [
            ['a', 'a'],
            ['a', 'c'],
          ],
          { categories: ['a', 'b'] },
        ),
      'row 2, rater 2: "c"',
    ],
    [
      'rows of different length',
      () => fleissKappa([['a', 'a'], ['a']]),
      'row 2: expected 2 ratings as in row 1, found 1',
    ],
    [
      'NaN',
      () =>
        fleissKappa([
          ['a', 'a'],
          [NaN, 'a'],
        ]),
      'row 2, rater 1: NaN',
    ],
    ['infinity', () => krippendorffAlpha([[1, Infinity]], { metric: 'interval' }), 'row 1, rater 2: Infinity'],
    [
      'a word on an interval scale',
      () =>
        krippendorffAlpha(
          [
            [1, 2],
            [1, 'x'],
          ],
          { metric: 'interval' },
        ),
      'row 2, rater 2: "x" is not a number',
    ],
    [
      'yes and no on a ratio scale',
      () => krippendorffAlpha([[1, true]], { metric: 'ratio' }),
      'row 1, rater 2: true is not a number',
    ],
    ['a negative ratio', () => krippendorffAlpha([[1, -2]], { metric: 'ratio' }), 'row 1, rater 2: -2 is below 0'],
    ['a third rater for Cohen', () => cohenKappa([['a', 'a', 'a']]), 'exactly two raters, found 3'],
    [
      'weights over words of unknown order',
      () =>
        cohenKappa(
          [
            ['low', 'mid'],
            ['high', 'low'],
          ],
          { weights: 'linear' },
        ),
      'order of the categories is needed',
    ],
    [
      'numbers mixed with words on an ordinal scale',
      () =>
        krippendorffAlpha(
          [
            [1, 'x'],
            [2, 3],
          ],
          { metric: 'ordinal' },
        ),
      'order',
    ],
    ['a category declared twice', () => fleissKappa([['a', 'a']], { categories: ['a', 'b', 'a'] }), 'declared twice'],
    ['no category declared', () => fleissKappa([['a', 'a']], { categories: [] }), 'the list is empty'],
  ])('%s', (_, call, message) => {
    expect(call).toThrow(UsageError);
    expect(call).toThrow(message);
  });
});

it('takes a hole in a row for a mistake, not for a rating', () => {
  const row = ['a'];
  row.length = 2;
  expect(() => fleissKappa([['a', 'b'], row])).toThrow('row 2, rater 2: nothing is no rating');
});

it('puts numbers in order of size, texts in natural order, and keeps a declared order', () => {
  expect(codeRatings([[10, 9, 2]]).categories).toEqual([2, 9, 10]);
  expect(codeRatings([['a10', 'a9', null]]).categories).toEqual(['a9', 'a10']);
  expect(codeRatings([[true, 'x', 3, false]]).categories).toEqual([3, false, true, 'x']);
  const coded = codeRatings([['b', null, 'a']], { categories: ['b', 'c', 'a'] });
  expect(coded.codes).toEqual([[0, -1, 2]]);
});

it('says which categories are perhaps meant to be one', () => {
  const { notes } = codeRatings([['Vata', 'vata ', 1, '1', 'x']]);
  expect(notes).toEqual([
    '1 and "1" count as different categories: is one a slip for the other?',
    '"Vata" and "vata " count as different categories: is one a slip for the other?',
  ]);
});
