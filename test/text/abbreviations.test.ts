import { describe, expect, it } from 'vitest';
import { fullStopEnds } from '../../src/text/abbreviations.ts';

describe('a full stop', () => {
  it.each([
    ['rice', 'eat', 'Then', true],
    ['rice', 'eat', 'then', true],
    ['Dr', 'by', 'Rao', false],
    ['डॉ', '', 'राव', false],
    ['etc', 'nuts,', 'are', false],
    ['etc', 'nuts,', 'Avoid', true],
    ['No', 'see', '5', false],
    ['No', '', 'It', true],
    ['p.m', '5', 'daily', false],
    ['p.m', '5', 'Drink', true],
    ['B.A.M.S', 'a', 'Hospital', false],
    ['B.A.M.S', 'a', 'She', true],
    ['K', 'A.', 'Rao', false],
    ['C', 'vitamin', 'Oranges', true],
    ['2', 'these:', 'Rice', false],
    ['2', '', 'Rice', false],
    ['2', 'took', 'Then', true],
    ['dept', 'the', 'of', false],
    ['constructor', 'the', 'Then', true],
  ])('after %j (%j before it, %j after it) ends a sentence: %s', (word, before, next, ends) => {
    expect(fullStopEnds({ word, before, next })).toBe(ends);
  });
});
