import { describe, expect, it } from 'vitest';

import { count, plural, figure, levelText, percent } from '../../src/text/figures.ts';

describe('figure', () => {
  it.each([
    [0.7307692, '0.731'],
    [0, '0.000'],
    [1, '1.000'],
    [1.25, '1.250'],
    [0.9996, '0.9996'],
    [0.0002, '0.0002'],
    [12.345, '12.3'],
    [1234.5, '1,235'],
    [0.00004, '0.00004'],
    [0.00000001, '<0.000001'],
    [0.99999999, '>0.999999'],
  ])('writes %d as %s, perfect or zero only when it is', (value, text) => {
    expect(figure(value)).toBe(text);
  });
});

describe('count', () => {
  it.each([
    [0, '0'],
    [999, '999'],
    [1591, '1,591'],
    [1234567, '1,234,567'],
    [2.5, '2.5'],
    [12345.5, '12,345.5'],
  ])('writes %d as %s', (value, text) => {
    expect(count(value)).toBe(text);
  });
});

describe('percent', () => {
  it('rounds', () => expect(percent(10, 38)).toBe('26 %'));
  it('says 0 only for nothing', () => expect([percent(0, 5), percent(1, 1000)]).toEqual(['0 %', '<1 %']));
  it('says 100 only for all', () => expect([percent(5, 5), percent(999, 1000)]).toEqual(['100 %', '>99 %']));
});

describe('counted', () => {
  it('knows one from many', () => expect([plural(1, 'case'), plural(0, 'case')]).toEqual(['1 case', '0 cases']));
});

describe('levelText', () => {
  it.each([
    [0.5, '50 %'],
    [0.95, '95 %'],
    [0.975, '97.5 %'],
    [0.995, '99.5 %'],
    [0.999999, '99.9999 %'],
  ])('writes the level %d as %s: never rounded up to certainty', (level, text) => {
    expect(levelText(level)).toBe(text);
  });
});
