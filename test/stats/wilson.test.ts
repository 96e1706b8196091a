import { describe, expect, it } from 'vitest';
import { UsageError } from '../../src/data/problems.ts';
import { wilson } from '../../src/stats/wilson.ts';

describe('wilson', () => {
  // scipy.stats.binomtest(k, n).proportion_ci(level, method='wilson'), SciPy 1.17.1. The first four are the examples of
  // Newcombe (1998), table I, method 3: 0.2553 to 0.3662, 0.0624 to 0.1605, 0 to 0.1611, 0.0061 to 0.1718.
  it.each([
    [81, 263, 0.95, 0.2552885198782742, 0.36620957698280004],
    [15, 148, 0.95, 0.06238639953073629, 0.16048724172330803],
    [0, 20, 0.95, 0, 0.16112515805281935],
    [1, 29, 0.95, 0.006113214292762667, 0.17175521879320282],
    [29, 29, 0.95, 0.8830302015002592, 1],
    [5, 10, 0.9, 0.26927182113826725, 0.7307281788617328],
    [7, 8, 0.99, 0.4248288727064644, 0.9851501085991721],
    [3, 1_000_000, 0.95, 1.0202712409681223e-6, 8.821149774312435e-6],
    [1, 1, 0.95, 0.20654931437723745, 1],
    [123, 456, 0.5, 0.25595290829212763, 0.2839797701764068],
  ])('of %i in %i at level %d is SciPy to the last bit', (successes, n, level, low, high) => {
    expect(wilson(successes, n, level)).toEqual({ interval: { low, high, level, method: 'wilson' }, noInterval: null });
  });

  it('has the level 0.95 unless told', () => {
    expect(wilson(81, 263)).toEqual(wilson(81, 263, 0.95));
  });

  it('has none of nothing, with the reason', () => {
    expect(wilson(0, 0)).toEqual({ interval: null, noInterval: 'there is nothing to take a proportion of' });
  });

  it.each([
    [3, 2, 0.95],
    [-1, 2, 0.95],
    [0.5, 2, 0.95],
    [1, 2.5, 0.95],
    [1, -2, 0.95],
    [NaN, 2, 0.95],
    [1, Infinity, 0.95],
    [1, 2, 0],
    [1, 2, 1],
    [1, 2, 95],
    [1, 2, NaN],
  ])('refuses %d of %d at level %d', (successes, n, level) => {
    expect(() => wilson(successes, n, level)).toThrow(UsageError);
  });
});
