import { describe, expect, it } from 'vitest';

import { UsageError } from '../../../src/data/problems.ts';
import { parseDuration, waitText } from '../../../src/experiment/limits/duration.ts';

describe('parseDuration', () => {
  it.each([
    ['30s', 30_000],
    ['10m', 600_000],
    ['2h', 7_200_000],
    ['1h30m', 5_400_000],
    ['1d', 86_400_000],
    ['250ms', 250],
    ['1.5s', 1500],
    [' 2H ', 7_200_000],
    ['90', 90_000],
    ['0.5', 500],
    [90, 90_000],
  ])('reads %j as %d ms', (given, ms) => {
    expect(parseDuration(given, '--time')).toBe(ms);
  });

  it.each(['', 'soon', '10 parsecs', '-5s', '5s!', 's', '1e3', 'NaN', NaN, -1, Infinity, '9'.repeat(400), '99999999d'])(
    'refuses %j',
    (given) => {
      expect(() => parseDuration(given, '--time')).toThrow(UsageError);
    },
  );

  it('says where, what was found and what is expected', () => {
    let error: unknown;
    try {
      parseDuration('ten\u001b[2J', 'budget.time');
    } catch (thrown) {
      error = thrown;
    }
    expect(error).toMatchObject({
      message: 'budget.time: "ten\\u001b[2J" is no duration',
      next: 'expected a number with its unit, such as 30s, 10m, 2h or 1h30m, or a plain number of seconds',
    });
  });
});

it.each([
  ['0', '--time: "0" is no time at all'],
  ['0s', '--time: "0s" is no time at all'],
  // A tenth of a microsecond is no millisecond.
  ['0.0000001s', '--time: "0.0000001s" is no time at all'],
  ['999999h', '--time: "999999h" is too long'],
  [4e9, '--time: "4000000000" is too long'],
  ['-5s', '--time: "-5s" is no duration'],
])('a limit of %j is refused for what it is', (given, message) => {
  expect(() => parseDuration(given, '--time')).toThrow(message);
});

it.each([
  [11_200, '12 s'],
  [3_600_000, '3600 s'],
  // 100,000 s are 27 h 46 min 40 s.
  [100_000_000, '1 d 4 h'],
  [1e14, 'more than a year'],
  [Infinity, 'more than a year'],
])('a wait of %d ms is told as %s', (ms, text) => {
  expect(waitText(ms)).toBe(text);
});
