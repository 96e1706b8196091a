import { describe, expect, it } from 'vitest';
import { characterKind, kind } from '../../src/text/character-kind.ts';

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
