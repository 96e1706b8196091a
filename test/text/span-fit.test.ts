import { expect, test } from 'vitest';

import type { OffsetUnit } from '../../src/text/offsets.ts';
import type { Span } from '../../src/text/span.ts';
import { shiftWords, spanFitter } from '../../src/text/span-fit.ts';

const fits = (text: string, said: string, place: Span, unit: OffsetUnit): string[] =>
  spanFitter(unit)(text, said, place);
const TWO = 'line breaks counted as two characters (CR LF) instead of one';
const ONE = 'line breaks counted as one character instead of two (CR LF)';
const TEXT = 'Anna met Bert in Oslo';

test.each([
  [[0, 3], shiftWords(0, 1)],
  [[1, 5], shiftWords(-1, -1)],
  [[1, 4], shiftWords(-1, 0)],
] as const)('Anna at %j fits with %j', ([start, end], fit) => {
  expect(fits(TEXT, 'Anna', { start, end }, 'codepoint')).toEqual([fit]);
});

test('units, before shifts that would do as well', () => {
  // The cup is one character, two UTF-16 units and four bytes.
  const text = '🍵 Anna met Bert';
  expect(fits(text, 'Anna', { start: 3, end: 7 }, 'codepoint')).toEqual([
    'offsets were UTF-16 units',
    shiftWords(-1, -1),
  ]);
  expect(fits(text, 'Anna', { start: 5, end: 9 }, 'codepoint')).toEqual([
    'offsets were UTF-8 bytes',
    shiftWords(-3, -3),
  ]);
  expect(fits(text, 'Anna', { start: 2, end: 6 }, 'utf16')).toEqual([
    'offsets were characters (code points)',
    shiftWords(1, 1),
  ]);
});

test('line breaks of another length', () => {
  const text = 'Anna\nBert\nOslo';
  // Two breaks before Oslo: 12 instead of 10.
  expect(fits(text, 'Oslo', { start: 12, end: 16 }, 'codepoint')).toEqual([TWO, shiftWords(-2, -2)]);
  expect(fits(text, 'Bert\r\nOslo', { start: 6, end: 16 }, 'codepoint')).toEqual([TWO]);
  expect(fits('Anna\r\nBert\r\nOslo', 'Oslo', { start: 10, end: 14 }, 'codepoint')).toEqual([ONE, shiftWords(2, 2)]);
});

test('one after another, each in its own text', () => {
  const fitsOf = spanFitter('codepoint');
  expect(fitsOf('🍵 Anna', 'Anna', { start: 3, end: 7 })).toHaveLength(2);
  expect(fitsOf('x\nAnna', 'Anna', { start: 3, end: 7 })).toEqual([TWO, shiftWords(-1, -1)]);
});

test('a text that differs in case and white space only is at the right place', () => {
  expect(fits('in New\nYork today', 'new york', { start: 3, end: 11 }, 'codepoint')).toEqual([
    'upper and lower case and white space did not count',
  ]);
});

test('what fits nowhere near does not fit', () => {
  expect(fits(TEXT, 'Zoe', { start: 0, end: 3 }, 'codepoint')).toEqual([]);
  expect(fits(TEXT, 'Oslo', { start: 0, end: 4 }, 'codepoint')).toEqual([]);
  expect(fits(TEXT, 'Anna', { start: -1, end: 400 }, 'codepoint')).toEqual([]);
  expect(fits(TEXT, '', { start: 0, end: 0 }, 'codepoint')).toEqual([]);
});
