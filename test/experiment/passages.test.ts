import { describe, expect, it } from 'vitest';

import { bm25, splitPassages } from '../../src/experiment/passages.ts';

// 3, 6 and 3 words: 4 in the mean.
const TEXTS = ['The cat sat.', 'The dog sat on the mat.', 'Cats and dogs'];
const USUAL = { k1: 1.2, b: 0.75 };

describe('bm25', () => {
  const index = bm25(TEXTS, USUAL);

  it('weighs a word that one text of three has by ln(1 + 2.5 / 1.5)', () => {
    // k1 · (1 - b + b · 6 / 4) = 1.2 · 1.375 = 1.65, and the word is there once: 1 / 2.65.
    const [only, ...rest] = index.search('mat', 5);
    expect(rest).toEqual([]);
    expect(only?.index).toBe(1);
    expect(only?.score).toBeCloseTo(Math.log(8 / 3) / 2.65, 12);
  });

  it('adds up the words of a query; a shorter text gains, a word said twice gains', () => {
    // Both words are in two texts: ln(1 + 1.5 / 2.5) = ln 1.6. Of 3 words: 1.2 · 0.8125 = 0.975; of 6: 1.65.
    const found = index.search('THE sat', 5);
    expect(found.map((one) => one.index)).toEqual([0, 1]);
    expect(found[0]?.score).toBeCloseTo((Math.log(1.6) * 2) / 1.975, 12);
    expect(found[1]?.score).toBeCloseTo(Math.log(1.6) * (2 / 3.65 + 1 / 2.65), 12);
  });

  it('counts a word of the query as often as it is there', () => {
    const found = index.search('the the', 5);
    expect(found.map((one) => one.index)).toEqual([1, 0]);
    expect(found[0]?.score).toBeCloseTo((2 * Math.log(1.6) * 2) / 3.65, 12);
  });

  it('does not look at lengths with b = 0, nor at counts with k1 = 0', () => {
    const [first, second] = bm25(TEXTS, { k1: 1.2, b: 0 }).search('sat', 5);
    expect(first?.score).toBeCloseTo(Math.log(1.6) / 2.2, 12);
    expect(second?.score).toBe(first?.score);
    expect(bm25(TEXTS, { k1: 0, b: 0.75 }).search('the', 1)[0]?.score).toBeCloseTo(Math.log(1.6), 12);
  });

  it('finds no more than asked for, the earlier text first where scores are equal, and nothing for nothing', () => {
    const same = bm25(['a b', 'b a', 'c'], USUAL);
    expect(same.search('a', 1)).toMatchObject([{ index: 0 }]);
    expect(same.search('x', 5)).toEqual([]);
    expect(same.search('…', 5)).toEqual([]);
    expect(bm25([], USUAL).search('a', 5)).toEqual([]);
  });

  it('finds Hindi words, whichever way their letters are composed', () => {
    const hindi = bm25(['वात दोष में नींद कम आती है।', 'पित्त दोष में क़ब्ज़ नहीं होता।'], USUAL);
    expect(hindi.search('नींद?', 5).map((one) => one.index)).toEqual([0]);
    // क़ as one code point, and as letter and dot.
    expect(hindi.search('\u0958ब्\u095b', 5).map((one) => one.index)).toEqual([1]);
    expect(hindi.search('दोष', 5)).toHaveLength(2);
    // A word is not found by a part of it.
    expect(hindi.search('नी', 5)).toEqual([]);
  });
});

describe('passages', () => {
  it('share words where they are to, and end with what is left', () => {
    expect(splitPassages('a b c d e f', { size: 3, overlap: 1 })).toEqual(['a b c', 'c d e', 'e f']);
    expect(splitPassages('a b c d e', { size: 3, overlap: 1 })).toEqual(['a b c', 'c d e']);
    expect(splitPassages('a b c d', { size: 2, overlap: 0 })).toEqual(['a b', 'c d']);
  });

  it('are stretches of the text as it stands', () => {
    expect(splitPassages('\n# Tea\n\nis  hot. ', { size: 3, overlap: 0 })).toEqual(['# Tea\n\nis', 'hot.']);
    expect(splitPassages(' \n', { size: 3, overlap: 0 })).toEqual([]);
  });
});
