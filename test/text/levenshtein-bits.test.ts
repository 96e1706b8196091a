import { describe, expect, it } from 'vitest';
import { bitParallelDistance } from '../../src/text/levenshtein-bits.ts';

const units = (text: string) => Int32Array.from(text, (character) => character.codePointAt(0) ?? 0);
const between = (short: string, long: string, limit: number) =>
  bitParallelDistance(units(short), short.length, units(long), long.length, 0, limit);

describe('bitParallelDistance', () => {
  it('gives the distance', () => {
    expect(between('kitten', 'sitting', 7)).toBe(3);
    expect(between('a', 'b', 1)).toBe(1);
    expect(between('abc', 'xxabcxx', 7)).toBe(4);
  });

  it('stops at the limit', () => {
    expect(between('kitten', 'sitting', 3)).toBe(3);
    expect(between('kitten', 'sitting', 2)).toBe(3);
    expect(between('kitten', 'sitting', 1)).toBe(2);
  });

  it('starts where it is told and looks no further than the lengths', () => {
    expect(bitParallelDistance(units('##abc!'), 3, units('##axc?'), 3, 2, 3)).toBe(1);
  });

  it('remembers nothing of the call before, also of one that stopped early', () => {
    between('abcdef', 'ghijkl', 1);
    expect(between('ab', 'ba', 2)).toBe(2);
    expect(between('ab', 'abab', 4)).toBe(2);
  });
});
