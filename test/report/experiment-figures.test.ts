import { expect, test } from 'vitest';

import { costText, durationText, latencyText } from '../../src/text/figures.ts';

test.each([
  [0, '0'],
  [1e-9, '<0.000001'],
  [0.00000123, '0.00000123'],
  [0.01234, '0.0123'],
  [0.75, '0.750'],
  [0.9996, '1.00'],
  [1, '1.00'],
  [12.345, '12.35'],
  [1234.5, '1,234.50'],
  [1_234_567.891, '1,234,567.89'],
])('a cost of %d is %s', (value, expected) => {
  expect(costText(value)).toBe(expected);
  expect(costText(value, 'USD')).toBe(`${expected} USD`);
});

test.each([
  [0, '0.0 s'],
  [9.94, '9.9 s'],
  [10.4, '10 s'],
  [59.4, '59 s'],
  [59.9, '1 min'],
  [192, '3 min 12 s'],
  [3599.9, '1 h'],
  [7260, '2 h 1 min'],
  [86_400, '1 d'],
  [90_000, '1 d 1 h'],
])('%d seconds are %s', (seconds, expected) => expect(durationText(seconds)).toBe(expected));

test.each([
  [0.2, '<1 ms'],
  [812.4, '812 ms'],
  [999.7, '1.00 s'],
  [2345, '2.35 s'],
  [65_000, '1 min 5 s'],
])('a latency of %d ms is %s', (ms, expected) => expect(latencyText(ms)).toBe(expected));
