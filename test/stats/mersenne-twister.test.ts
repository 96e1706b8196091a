import { describe, expect, test } from 'vitest';

import { MersenneTwister } from '../../src/stats/mersenne-twister.ts';

describe('MersenneTwister', () => {
  // np.random.RandomState(seed).randint(0, 2**32, 5, dtype=np.uint32), numpy 2.4.6.
  test.each([
    [0, [2357136044, 2546248239, 3071714933, 3626093760, 2588848963]],
    [42, [1608637542, 3421126067, 4083286876, 787846414, 3143890026]],
    [4294967295, [419326371, 479346978, 3918654476, 2416749639, 3388880820]],
  ])('seed %i gives numpy’s numbers', (seed, expected) => {
    const random = new MersenneTwister(seed);
    expect(expected.map(() => random.uint32())).toEqual(expected);
  });

  test('the 10,000th number of seed 5489 is the one its authors’ code and the C++ standard name', () => {
    const random = new MersenneTwister(5489);
    for (let at = 1; at < 10_000; at += 1) random.uint32();
    expect(random.uint32()).toBe(4123659995);
  });

  // np.random.RandomState(42).randint(0, n, 12): masked, and drawn again while too large.
  test.each([
    [1, [0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0]],
    [2, [0, 1, 0, 0, 0, 1, 0, 0, 0, 1, 0, 0]],
    [5, [3, 4, 2, 4, 4, 1, 2, 2, 2, 4, 3, 2]],
    [1000, [102, 435, 860, 270, 106, 71, 700, 20, 614, 121, 466, 214]],
    [
      2 ** 31,
      [
        1608637542, 1273642419, 1935803228, 787846414, 996406378, 1201263687, 423734972, 415968276, 670094950,
        1914837113, 669991378, 429389014,
      ],
    ],
  ])('below %i draws as numpy’s randint does', (n, expected) => {
    const random = new MersenneTwister(42);
    expect(expected.map(() => random.below(n))).toEqual(expected);
  });

  test('a resample counts what below would draw, across the refill of the state', () => {
    const [one, other] = [new MersenneTwister(7), new MersenneTwister(7)];
    for (const n of [1, 3, 700, 64, 65]) {
      const times = new Float64Array(n);
      one.resample(times, n);
      const expected = new Float64Array(n);
      for (let at = 0; at < n; at += 1) expected[other.below(n)]! += 1;
      expect(times).toEqual(expected);
    }
    expect(one.uint32()).toBe(other.uint32());
  });

  test.each([-1, 0.5, 2 ** 32, Number.NaN])('seed %d is refused', (seed) => {
    expect(() => new MersenneTwister(seed)).toThrow(/whole number from 0 to 4294967295/);
  });

  test('more than 2³¹ cannot be drawn from', () => {
    expect(() => new MersenneTwister(1).below(2 ** 31 + 1)).toThrow(/more than can be drawn from/);
  });
});
