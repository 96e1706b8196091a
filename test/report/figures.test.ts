import { describe, expect, it, test } from 'vitest';

import { intervalOf, valuePair } from '../../src/report/comparison-words.ts';
import {
  costText,
  durationText,
  effectText,
  endFigure,
  latencyText,
  pSentence,
  pText,
  signedFigure,
} from '../../src/text/figures.ts';
import { difference } from './made-up-comparison.ts';

describe('a p value', () => {
  it.each([
    [0.0312, '0.031'],
    [0.5, '0.500'],
    [1, '1.000'],
    [0.001, '0.001'],
    [0.00099, '< 0.001'],
    [1 / 10_001, '< 0.001'],
    [0, '< 0.001'],
    [0.9997, '> 0.999'],
    [null, '–'],
  ])('%d is written %s', (p, text) => {
    expect(pText(p, 0.05)).toBe(text);
  });

  it('is never rounded to the other side of the threshold', () => {
    expect(pText(0.0499, 0.05)).toBe('0.0499');
    expect(pText(0.04996, 0.05)).toBe('0.04996');
    expect(pText(0.05, 0.05)).toBe('0.050');
    expect(pText(0.0501, 0.05)).toBe('0.050');
    expect(pText(0.00993, 0.01)).toBe('0.0099');
  });

  it('is not called smaller than 0.001 where the threshold is smaller still', () => {
    expect(pText(0.0006, 0.0005)).toBe('0.001');
    expect(pText(0.0004, 0.0005)).toBe('< 0.001');
  });

  it('has its own sign in a sentence', () => {
    expect(pSentence(0.0004, 0.05)).toBe('p < 0.001');
    expect(pSentence(0.0312, 0.05)).toBe('p = 0.031');
    expect(pSentence(0.9998, 0.05)).toBe('p > 0.999');
  });
});

describe('a difference', () => {
  it.each([
    [0.0312, '+0.031'],
    [-0.2, '-0.200'],
    [0, '0.000'],
    [-0, '0.000'],
    [5e-17, '0.000'],
    [0.0002, '+0.0002'],
    [-0.99984, '-0.9998'],
    [-2e-8, '-2e-8'],
    [12.5, '+12.5'],
    [null, '–'],
  ])('%d is written %s', (value, text) => {
    expect(signedFigure(value)).toBe(text);
  });

  it('has ends with a minus only', () => {
    expect(endFigure(0.25)).toBe('0.250');
    expect(intervalOf(difference('f1'))).toBe('-0.050 to 0.250');
    expect(intervalOf(difference('f1', { interval: null }))).toBe('–');
  });
});

it('effect sizes have two decimals and a sign, but none for nothing', () => {
  expect([0.456, -1.2, 0.001, -0.004, null].map(effectText)).toEqual(['+0.46', '-1.20', '0.00', '0.00', '–']);
});

it('values are whole numbers where both are and they count', () => {
  expect(valuePair({ baseline: 1065, other: 12 })).toEqual(['1,065', '12']);
  expect(valuePair({ baseline: 1, other: 0 })).toEqual(['1.000', '0.000']);
  expect(valuePair({ baseline: 1.5, other: 3 })).toEqual(['1.500', '3.000']);
  expect(valuePair({ baseline: null, other: 0.25 })).toEqual(['–', '0.250']);
});

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
