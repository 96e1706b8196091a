import { describe, expect, it } from 'vitest';
import { UsageError } from '../../src/data/problems.ts';
import { neededPairs } from '../../src/stats/power.ts';

describe('neededPairs', () => {
  // Two-sided paired t test by the noncentral t distribution (scipy.stats.nct), as G*Power 3.1 has it (matched pairs:
  // dz 0.2, 0.5, 0.8 need 199, 34, 15).
  it.each([
    [0.2, 0.05, 0.8, 199],
    [0.5, 0.05, 0.8, 34],
    [0.8, 0.05, 0.8, 15],
    [0.1, 0.05, 0.8, 787],
    [0.3, 0.05, 0.8, 90],
    [0.6, 0.05, 0.8, 24],
    [1, 0.05, 0.8, 10],
    [0.2, 0.05, 0.9, 265],
    [0.5, 0.05, 0.9, 44],
    [0.8, 0.05, 0.9, 19],
    [0.2, 0.01, 0.8, 296],
    [0.5, 0.01, 0.8, 51],
    [0.8, 0.01, 0.8, 22],
  ])('an effect of %d at alpha %d and power %d needs %i pairs', (dz, alpha, power, expected) => {
    expect(neededPairs(dz, { alpha, power })).toBe(expected);
    expect(neededPairs(-dz, { alpha, power })).toBe(expected);
  });

  it('is one short of the noncentral t distribution for some effects', () => {
    expect(neededPairs(0.4)).toBe(51); // noncentral t: 52
    expect(neededPairs(1, { alpha: 0.01 })).toBe(15); // noncentral t: 16
  });

  it('never goes below what a sign-flip test needs: 2 of 2^6 ways are at most 0.05, 2 of 2^5 are not', () => {
    expect(neededPairs(100)).toBe(6);
    expect(neededPairs(100, { alpha: 0.01 })).toBe(8);
    expect(neededPairs(100, { alpha: 0.5 })).toBe(2);
  });

  it('is null where no number of pairs would do', () => {
    expect(neededPairs(0)).toBeNull();
    expect(neededPairs(null)).toBeNull();
    expect(neededPairs(1e-200)).toBeNull();
  });

  it('asks for no fewer pairs when the power that is wanted is small', () => {
    expect(neededPairs(0.5, { power: 0.001 })).toBe(6);
  });

  it('refuses what is no effect, level or power', () => {
    expect(() => neededPairs(NaN)).toThrow(UsageError);
    expect(() => neededPairs(Infinity)).toThrow(UsageError);
    expect(() => neededPairs(0.5, { alpha: 0 })).toThrow(UsageError);
    expect(() => neededPairs(0.5, { alpha: 5 })).toThrow(UsageError);
    expect(() => neededPairs(0.5, { power: 1 })).toThrow(UsageError);
    expect(() => neededPairs(0.5, { power: 80 })).toThrow(UsageError);
  });
});
