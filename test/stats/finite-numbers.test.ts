import { expect, it } from 'vitest';
import { UsageError } from '../../src/data/problems.ts';
import { expectFinite } from '../../src/stats/finite-numbers.ts';

it('lets finite numbers pass and names the first that is not', () => {
  expect(() => expectFinite('x', [])).not.toThrow();
  expect(() => expectFinite('x', [0, -1e308, 5e-324])).not.toThrow();
  expect(() => expectFinite('x', [0, NaN, Infinity])).toThrow(UsageError);
  expect(() => expectFinite('x', [0, NaN, Infinity])).toThrow('x[1] is NaN, expected a finite number');
});
