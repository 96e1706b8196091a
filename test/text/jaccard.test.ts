import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { jaccard, wordSet } from '../../src/text/jaccard.ts';
import { anyText, runs } from './arbitraries.ts';

const anySet = fc.array(fc.constantFrom('a', 'b', 'c', 'd', 'e')).map((members) => new Set(members));

describe('jaccard', () => {
  it('is what both have over what either has', () => {
    expect(jaccard(new Set(['a', 'b', 'c']), new Set(['b', 'c', 'd', 'e']))).toBe(2 / 5);
    expect(jaccard(new Set(['a']), new Set(['b']))).toBe(0);
    expect(jaccard(new Set(['a', 'b']), new Set(['b', 'a']))).toBe(1);
  });

  it('is 1 for two empty sets and 0 for one', () => {
    expect(jaccard(new Set(), new Set())).toBe(1);
    expect(jaccard(new Set(), new Set(['a']))).toBe(0);
    expect(jaccard(new Set(['a']), new Set())).toBe(0);
  });

  it('is symmetric, lies in [0, 1], and is 1 exactly for equal sets', () => {
    fc.assert(
      fc.property(anySet, anySet, (a, b) => {
        const value = jaccard(a, b);
        expect(value).toBe(jaccard(b, a));
        expect(value).toBeGreaterThanOrEqual(0);
        expect(value).toBeLessThanOrEqual(1);
        expect(value === 1).toBe(a.symmetricDifference(b).size === 0);
      }),
      runs,
    );
  });

  it('never falls when a word that b has is added to a', () => {
    fc.assert(
      fc.property(anySet, anySet, (a, b) => {
        for (const word of b) expect(jaccard(new Set([...a, word]), b)).toBeGreaterThanOrEqual(jaccard(a, b));
      }),
      runs,
    );
  });
});

describe('wordSet', () => {
  it('lower-cases, and holds each word once', () => {
    expect(wordSet('No pain, no GAIN', 'whitespace')).toEqual(new Set(['no', 'pain,', 'gain']));
    expect(wordSet('No pain, no GAIN', 'unicode')).toEqual(new Set(['no', 'pain', 'gain']));
  });

  it('gives quotes that differ in a full stop 1/3 or 1, as the rule has it', () => {
    const similarity = (rule: 'whitespace' | 'unicode') =>
      jaccard(wordSet('bad headache.', rule), wordSet('bad headache', rule));
    expect(similarity('whitespace')).toBe(1 / 3);
    expect(similarity('unicode')).toBe(1);
  });

  it('does not depend on upper and lower case of ASCII letters', () => {
    fc.assert(
      fc.property(anyText, (text) => {
        const shouted = text.replace(/[a-z]/g, (letter) => letter.toUpperCase());
        expect(wordSet(shouted, 'whitespace')).toEqual(wordSet(text, 'whitespace'));
      }),
      runs,
    );
  });
});
