import { expect, test } from 'vitest';

import { fitOfSpan } from '../../src/text/span-fit.ts';

const TEXT = 'Anna met Bert in Oslo';

test.each([
  [[0, 3], { kind: 'shift', start: 0, end: 1 }],
  [[1, 5], { kind: 'shift', start: -1, end: -1 }],
  [[1, 4], { kind: 'shift', start: -1, end: 0 }],
] as const)('Anna at %j fits with %j', ([start, end], fit) => {
  expect(fitOfSpan(TEXT, 'Anna', { start, end }, 'codepoint')).toEqual(fit);
});

test('a unit is told before a shift', () => {
  // The cup is one character, two UTF-16 units and four bytes.
  const text = '🍵 Anna met Bert';
  expect(fitOfSpan(text, 'Anna', { start: 3, end: 7 }, 'codepoint')).toEqual({ kind: 'unit', unit: 'utf16' });
  expect(fitOfSpan(text, 'Anna', { start: 5, end: 9 }, 'codepoint')).toEqual({ kind: 'unit', unit: 'byte' });
  expect(fitOfSpan(text, 'Anna', { start: 2, end: 6 }, 'utf16')).toEqual({ kind: 'unit', unit: 'codepoint' });
});

test('a text that differs in case and white space only is at the right place', () => {
  expect(fitOfSpan('in New\nYork today', 'new york', { start: 3, end: 11 }, 'codepoint')).toEqual({ kind: 'spelling' });
});

test('what fits nowhere near does not fit', () => {
  expect(fitOfSpan(TEXT, 'Zoe', { start: 0, end: 3 }, 'codepoint')).toBeNull();
  expect(fitOfSpan(TEXT, 'Oslo', { start: 0, end: 4 }, 'codepoint')).toBeNull();
  expect(fitOfSpan(TEXT, 'Anna', { start: -1, end: 400 }, 'codepoint')).toBeNull();
  expect(fitOfSpan(TEXT, '', { start: 0, end: 0 }, 'codepoint')).toBeNull();
});
