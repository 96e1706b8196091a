import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { codePointLength, hasSurrogates, splitsPair } from '../../src/text/code-points.ts';
import { anyText, runs } from './arbitraries.ts';

describe('hasSurrogates', () => {
  it.each([
    ['', false],
    ['plain', false],
    ['नमस्ते \u2028 ☕ \ue000\uffff\ud7ff', false],
    ['tea 🍵', true],
    ['\ud800', true],
    ['x\udfff', true],
  ])('%j: %s', (text, expected) => {
    expect(hasSurrogates(text)).toBe(expected);
  });
});

describe('splitsPair', () => {
  it('is true between the halves of a pair only', () => {
    expect([0, 1, 2, 3, 4].map((index) => splitsPair('a🍵b', index))).toEqual([false, false, true, false, false]);
    expect([0, 1, 2].map((index) => splitsPair('\udf75\ud83c', index))).toEqual([false, false, false]);
  });
});

describe('codePointLength', () => {
  it.each([
    ['', 0],
    ['tea', 3],
    ['नमस्ते', 6],
    ['e\u0301', 2],
    ['🍵', 1],
    ['👩‍👩‍👧', 5],
    ['\ud83c', 1],
    ['\udf75\ud83c', 2],
    ['\ud83c\ud83c\udf75\udf75', 3],
  ])('%j has %i', (text, expected) => {
    expect(codePointLength(text)).toBe(expected);
  });

  it('counts as iterating over the string does', () => {
    fc.assert(
      fc.property(anyText, (text) => {
        expect(codePointLength(text)).toBe([...text].length);
      }),
      runs,
    );
  });
});
