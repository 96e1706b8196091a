import fc from 'fast-check';
import { expect, it } from 'vitest';

import { isClear, ownWords, wordsIn } from '../../../src/review/sheets/control-words.ts';
import { runsHere } from '../../many-runs.ts';

it('words of ours get brackets where somebody means them as words, and lose them again', () => {
  expect(ownWords('[clear]')).toBe('[[clear]]');
  expect(ownWords('[[Clear]]')).toBe('[[[Clear]]]');
  expect(ownWords('clear')).toBe('clear');
  expect(wordsIn('[[clear]]')).toBe('[clear]');
  expect(wordsIn('[see] [clear]')).toBe('[see] [clear]');
  expect([' [Clear] ', '[[clear]]'].map(isClear)).toEqual([true, false]);
});

it('any text comes back, and none is taken for a word of ours', () => {
  const hard = fc.array(fc.constantFrom('[', ']', 'clear', 'REMOVE', ' ', '\n', 'x'), { maxLength: 8 });
  fc.assert(
    fc.property(hard, (pieces) => {
      const text = pieces.join('');
      expect(wordsIn(ownWords(text))).toBe(text);
      expect(isClear(ownWords(text))).toBe(false);
    }),
    { numRuns: runsHere(3000), seed: 6 },
  );
});
