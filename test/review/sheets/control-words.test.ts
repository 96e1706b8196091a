import fc from 'fast-check';
import { expect, it } from 'vitest';

import { isClear, escapedWords, wordsIn } from '../../../src/review/sheets/sheet-columns.ts';
import { runsHere } from '../../many-runs.ts';

it('words of ours get brackets where somebody means them as words, and lose them again', () => {
  expect(escapedWords('[clear]')).toBe('[[clear]]');
  expect(escapedWords('[[Clear]]')).toBe('[[[Clear]]]');
  expect(escapedWords('clear')).toBe('clear');
  expect(wordsIn('[[clear]]')).toBe('[clear]');
  expect(wordsIn('[see] [clear]')).toBe('[see] [clear]');
  expect([' [Clear] ', '[[clear]]'].map(isClear)).toEqual([true, false]);
});

it('any text comes back, and none is taken for a word of ours', () => {
  const hard = fc.array(fc.constantFrom('[', ']', 'clear', 'REMOVE', ' ', '\n', 'x'), { maxLength: 8 });
  fc.assert(
    fc.property(hard, (pieces) => {
      const text = pieces.join('');
      expect(wordsIn(escapedWords(text))).toBe(text);
      expect(isClear(escapedWords(text))).toBe(false);
    }),
    { numRuns: runsHere(3000), seed: 6 },
  );
});
