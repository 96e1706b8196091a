import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  characterKind,
  codePointLength,
  hasSurrogates,
  isWhiteSpace,
  kind,
  splitsPair,
} from '../../src/text/characters.ts';
import { anyText, runs } from './arbitraries.ts';

describe('isWhiteSpace', () => {
  it("knows the 29 characters at which Python's str.split() splits, and no other", () => {
    const found = Array.from({ length: 0x10000 }, (_, unit) => unit).filter((unit) => isWhiteSpace(unit));
    expect(found).toEqual([
      0x09, 0x0a, 0x0b, 0x0c, 0x0d, 0x1c, 0x1d, 0x1e, 0x1f, 0x20, 0x85, 0xa0, 0x1680, 0x2000, 0x2001, 0x2002, 0x2003,
      0x2004, 0x2005, 0x2006, 0x2007, 0x2008, 0x2009, 0x200a, 0x2028, 0x2029, 0x202f, 0x205f, 0x3000,
    ]);
  });
});

describe('characterKind', () => {
  it.each([
    ['a', 'letterOrDigit'],
    ['ß', 'letterOrDigit'],
    ['क', 'letterOrDigit'],
    ['٣', 'letterOrDigit'],
    ['½', 'letterOrDigit'],
    ['𝒳', 'letterOrDigit'],
    ['\u0301', 'mark'],
    ['ि', 'mark'],
    ['्', 'mark'],
    ['\ufe0f', 'mark'],
    [' ', 'space'],
    ['\u2028', 'space'],
    ['.', 'other'],
    ['_', 'other'],
    ['$', 'other'],
    ['😀', 'other'],
    ['\u200d', 'other'],
    ['\ufeff', 'other'],
    ['\ud83d', 'other'],
    ['\0', 'other'],
  ] as const)('%j is %s, at the first look and at the second', (character, expected) => {
    const codePoint = character.codePointAt(0) ?? -1;
    expect(characterKind(codePoint)).toBe(kind[expected]);
    expect(characterKind(codePoint)).toBe(kind[expected]);
  });
});

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
