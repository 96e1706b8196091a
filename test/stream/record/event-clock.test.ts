import { describe, expect, it } from 'vitest';

import { eventTime } from '../../../src/stream/record/event-clock.ts';

describe('the time of an event', () => {
  it.each<[number | string, number]>([
    [1_767_607_200_000, 1_767_607_200_000],
    [1_767_607_200_000.6, 1_767_607_200_001],
    ['2026-01-05T10:00:00Z', 1_767_607_200_000],
    ['2026-01-05T10:00:00.123456+00:00', 1_767_607_200_123],
    ['2026-01-05 11:00:00,5+01:00', 1_767_607_200_500],
    ['2026-01-05T05:00-0500', 1_767_607_200_000],
  ])('%j is a moment', (given, ms) => {
    expect(eventTime(given)).toEqual({ ms });
  });

  it.each<[number | string, string]>([
    [1_767_607_200, 'if these are seconds, multiply them by 1000'],
    [0, 'expected milliseconds since 1970, found 0'],
    [-5, 'found -5'],
    [Number.NaN, 'found NaN'],
    [1e300, 'found 1e+300'],
    ['2026-01-05T10:00:00', 'with Z or an offset'],
    ['2026-13-05T10:00:00Z', 'expected a time such as'],
    ['yesterday', 'found "yesterday"'],
    ['1767607200000', 'expected a time such as'],
    ['1970-01-01T00:00:00Z', 'expected a time after 1973'],
  ])('%j is none', (given, message) => {
    expect(eventTime(given)).toEqual({ fault: expect.stringContaining(message) });
  });
});
