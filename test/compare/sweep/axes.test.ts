import { describe, expect, test } from 'vitest';

import { rangeValues } from '../../../src/compare/sweep/axes.ts';

describe('a range', () => {
  test.each([
    ['0.1..0.9', ['0.1', '0.2', '0.3', '0.4', '0.5', '0.6', '0.7', '0.8', '0.9']],
    ['1..10', ['1', '2', '3', '4', '5', '6', '7', '8', '9', '10']],
    ['0..3', ['0', '1', '2', '3']],
    ['0..1', ['0', '0.1', '0.2', '0.3', '0.4', '0.5', '0.6', '0.7', '0.8', '0.9', '1']],
    ['0.2..0.25', ['0.2', '0.21', '0.22', '0.23', '0.24', '0.25']],
    ['-0.2..0.1', ['-0.2', '-0.1', '0', '0.1']],
    ['0..1:0.25', ['0', '0.25', '0.5', '0.75', '1']],
    ['0..1:0.3', ['0', '0.3', '0.6', '0.9']],
    ['1..1000:333', ['1', '334', '667', '1000']],
    ['1e-3..3e-3', ['0.001', '0.002', '0.003']],
    [' 1..3 ', ['1', '2', '3']],
  ])('%s goes in steps of its last decimal place, or in those it names', (written, values) => {
    expect(rangeValues(written)).toEqual(values);
  });

  test('is exact: no step gathers what rounding leaves', () => {
    const hundredths = rangeValues('0.00..1.00');
    expect(hundredths).toHaveLength(101);
    expect(hundredths.map(Number)).toEqual(Array.from({ length: 101 }, (_, at) => at / 100));
    expect(rangeValues('0.1..0.9')[2]).toBe('0.3');
  });

  test.each([
    ['greedy,in-order,optimal', ['greedy', 'in-order', 'optimal']],
    ['on, off', ['on', 'off']],
    ['{LOC: 0.3, ORG: 0.2},{LOC: 0.5}', ['{LOC: 0.3, ORG: 0.2}', '{LOC: 0.5}']],
    ['[a, b],[b, a]', ['[a, b]', '[b, a]']],
    ['"a,b",c', ['"a,b"', 'c']],
    ["don't,do", ["don't", 'do']],
    ['../a.ts,./b.ts', ['../a.ts', './b.ts']],
    ['0.5,0.1', ['0.5', '0.1']],
  ])('%s is a list, split at commas outside brackets and quotes', (written, values) => {
    expect(rangeValues(written)).toEqual(values);
  });

  test.each([
    ['0..1:0', 'the step must be above 0'],
    ['0..1:-0.1', 'the step must be above 0'],
    ['1..0', 'goes down'],
    ['1..1', 'begins where it ends'],
    ['NaN..1', 'expected numbers'],
    ['0..Infinity', 'expected numbers'],
    ['0..1:', 'expected numbers'],
    ['a..b', 'expected numbers'],
    ['1..2..3', 'expected numbers'],
    ['0..1:1e-9', 'has 1000000001 values'],
    ['0..1000000000', 'has 1000000001 values'],
    ['0..1e99', 'expected numbers'],
    ['0.5', 'one value'],
    ['', 'there is no range'],
    ['a,,b', 'nothing between two commas'],
    ['a,b,a', 'a is there twice'],
    ['{a: 1,b', 'not closed'],
    ['"a,b', 'not closed'],
    [Array.from({ length: 102 }, (_, at) => `v${at}`).join(), 'has 102 values'],
    ['x'.repeat(5000), 'the most is 2000'],
  ])('%s is refused in words', (written, message) => {
    expect(() => rangeValues(written)).toThrow(message);
  });
});
