import { expect, test } from 'vitest';

import type { OffsetUnit } from '../../src/text/offsets.ts';
import type { Span } from '../../src/text/span.ts';
import { type SpanFit, spanFitter } from '../../src/text/span-fit.ts';

const fits = (text: string, said: string, place: Span, unit: OffsetUnit): SpanFit[] =>
  spanFitter(unit)(text, said, place);
const TEXT = 'Anna met Bert in Oslo';

test.each([
  [[0, 3], { kind: 'shift', start: 0, end: 1 }],
  [[1, 5], { kind: 'shift', start: -1, end: -1 }],
  [[1, 4], { kind: 'shift', start: -1, end: 0 }],
] as const)('Anna at %j fits with %j', ([start, end], fit) => {
  expect(fits(TEXT, 'Anna', { start, end }, 'codepoint')).toEqual([fit]);
});

test('units, before shifts that would do as well', () => {
  // The cup is one character, two UTF-16 units and four bytes.
  const text = '🍵 Anna met Bert';
  expect(fits(text, 'Anna', { start: 3, end: 7 }, 'codepoint')).toEqual([
    { kind: 'unit', unit: 'utf16' },
    { kind: 'shift', start: -1, end: -1 },
  ]);
  expect(fits(text, 'Anna', { start: 5, end: 9 }, 'codepoint')).toEqual([
    { kind: 'unit', unit: 'byte' },
    { kind: 'shift', start: -3, end: -3 },
  ]);
  expect(fits(text, 'Anna', { start: 2, end: 6 }, 'utf16')).toEqual([
    { kind: 'unit', unit: 'codepoint' },
    { kind: 'shift', start: 1, end: 1 },
  ]);
});

test('line breaks of another length', () => {
  const text = 'Anna\nBert\nOslo';
  // Two breaks before Oslo: 12 instead of 10.
  expect(fits(text, 'Oslo', { start: 12, end: 16 }, 'codepoint')).toEqual([
    { kind: 'breaks', length: 2 },
    { kind: 'shift', start: -2, end: -2 },
  ]);
  expect(fits(text, 'Bert\r\nOslo', { start: 6, end: 16 }, 'codepoint')).toEqual([{ kind: 'breaks', length: 2 }]);
  expect(fits('Anna\r\nBert\r\nOslo', 'Oslo', { start: 10, end: 14 }, 'codepoint')).toEqual([
    { kind: 'breaks', length: 1 },
    { kind: 'shift', start: 2, end: 2 },
  ]);
});

test('one after another, each in its own text', () => {
  const fitsOf = spanFitter('codepoint');
  expect(fitsOf('🍵 Anna', 'Anna', { start: 3, end: 7 })).toHaveLength(2);
  expect(fitsOf('x\nAnna', 'Anna', { start: 3, end: 7 })).toEqual([
    { kind: 'breaks', length: 2 },
    { kind: 'shift', start: -1, end: -1 },
  ]);
});

test('a text that differs in case and white space only is at the right place', () => {
  expect(fits('in New\nYork today', 'new york', { start: 3, end: 11 }, 'codepoint')).toEqual([{ kind: 'spelling' }]);
});

test('what fits nowhere near does not fit', () => {
  expect(fits(TEXT, 'Zoe', { start: 0, end: 3 }, 'codepoint')).toEqual([]);
  expect(fits(TEXT, 'Oslo', { start: 0, end: 4 }, 'codepoint')).toEqual([]);
  expect(fits(TEXT, 'Anna', { start: -1, end: 400 }, 'codepoint')).toEqual([]);
  expect(fits(TEXT, '', { start: 0, end: 0 }, 'codepoint')).toEqual([]);
});
