import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { damerau } from '../../src/text/damerau.ts';
import { levenshtein } from '../../src/text/levenshtein.ts';
import { anyText, runs } from './arbitraries.ts';

describe('damerau', () => {
  it.each([
    ['', '', 0],
    ['', 'abc', 3],
    ['same', 'same', 0],
    ['recall', 'reacll', 1],
    ['precision', 'percision', 1],
    ['kitten', 'sitting', 3],
    ['ca', 'abc', 3], // no edit within a swap
    ['a😀', '😀a', 1],
    ['किताब', 'कितबा', 1],
  ])('%j and %j are %i apart', (a, b, expected) => {
    expect(damerau(a, b)).toBe(expected);
    expect(damerau(b, a)).toBe(expected);
  });

  it('is at most the Levenshtein distance and at least half of it', () => {
    fc.assert(
      fc.property(anyText, anyText, (a, b) => {
        const plain = levenshtein(a, b);
        expect(damerau(a, b)).toBeLessThanOrEqual(plain);
        expect(2 * damerau(a, b)).toBeGreaterThanOrEqual(plain);
      }),
      runs,
    );
  });
});
