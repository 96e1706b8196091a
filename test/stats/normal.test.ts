import { describe, expect, it } from 'vitest';
import { UsageError } from '../../src/data/problems.ts';
import { normalCdf, normalQuantile } from '../../src/stats/normal.ts';

// z, scipy.stats.norm.cdf(z), norm.sf(z), SciPy 1.17.1.
const SCIPY = [
  [0, 0.5, 0.5],
  [-1.96, 0.024997895148220435, 0.9750021048517795],
  [1, 0.8413447460685429, 0.15865525393145707],
  [2.5, 0.9937903346742238, 0.006209665325776132],
  [-3, 0.0013498980316300933, 0.9986501019683699],
  [0.001, 0.500398942213911, 0.49960105778608893],
  [-Math.SQRT2, 0.07864960352514251, 0.9213503964748575],
  [-5, 2.866515718791933e-7, 0.9999997133484281],
  [6, 0.9999999990134123, 9.865876450376946e-10],
  [8.5, 1, 9.47953482220325e-18],
  [-10, 7.61985302416047e-24, 1],
  [-20, 2.7536241186061556e-89, 1],
  [-37.5, 4.605353009581954e-308, 1],
] as const;

describe('normalCdf', () => {
  it.each(SCIPY)('of %d have the bits of SciPy', (z, below, above) => {
    expect(normalCdf(z)).toBe(below);
    expect(normalCdf(-z)).toBe(above);
  });

  it('come within 1e-13 of the true value even at ten and twenty standard deviations', () => {
    // mpmath 1.3, ncdf with 40 digits.
    expect(normalCdf(-10) / 7.619853024160525e-24 - 1).toBeCloseTo(0, 13);
    expect(normalCdf(-20) / 2.7536241186062337e-89 - 1).toBeCloseTo(0, 13);
  });

  it('go on below the smallest normal number, where SciPy gives 0', () => {
    // mpmath: ncdf(-38) = 2.88542836e-316
    expect(normalCdf(-38)).toBeGreaterThan(2.8854e-316);
    expect(normalCdf(-38)).toBeLessThan(2.8855e-316);
  });

  it('are 0 and 1 at infinity', () => {
    expect(normalCdf(-Infinity)).toBe(0);
    expect(normalCdf(Infinity)).toBe(1);
  });

  it('refuse NaN', () => {
    expect(() => normalCdf(NaN)).toThrow(UsageError);
  });
});

describe('normalQuantile', () => {
  // scipy.stats.norm.ppf, SciPy 1.17.1.
  it.each([
    [0.5, 0],
    [0.975, 1.959963984540054],
    [0.025, -1.9599639845400545],
    [0.8, 0.8416212335729143],
    [0.95, 1.6448536269514722],
    [0.995, 2.5758293035489004],
    [0.1, -1.2815515655446004],
    [0.001, -3.090232306167813],
    [0.135, -1.1030625561995975],
    [0.1354, -1.101222112591979],
    [0.865, 1.1030625561995975],
    [0.50001, 2.5066282748820864e-5],
    [0.999999999999, 7.0344869100478356],
    [1e-10, -6.361340902404056],
    [1e-20, -9.262340089798409],
    [1e-300, -37.0470962993612],
    [5e-324, -38.467405617144344],
    [0, -Infinity],
    [1, Infinity],
  ])('of %d has the bits of SciPy', (p, expected) => {
    expect(normalQuantile(p)).toBe(expected);
  });

  it.each([-0.1, 1.1, 95, NaN])('refuses %d, which is no probability', (p) => {
    expect(() => normalQuantile(p)).toThrow(UsageError);
  });
});
