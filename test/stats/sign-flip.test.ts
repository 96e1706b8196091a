import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { UsageError } from '../../src/data/problems.ts';
import { permutationTest } from '../../src/stats/sign-flip.ts';

const THIRTEEN = [-2.5, 1.5, -3.5, -4.5, 0.5, -1, -6, 2, -3, -1.25, -2.25, 0.75, -5];

describe('permutationTest', () => {
  it('works out by hand: of the eight signs of 1 2 3 two reach a mean of 2', () => {
    expect(permutationTest([1, 2, 3])).toEqual({ pValue: 0.25, exact: true, resamples: 8, n: 3, undefined: null });
    expect(permutationTest([7])).toMatchObject({ pValue: 1, exact: true, resamples: 2 });
  });

  // scipy.stats.permutation_test((d,), mean, permutation_type='samples', n_resamples=100000), SciPy 1.17.1.
  it.each([
    [[0.1, 0.2, -0.3], 1],
    [[0.5, -0.25, 0.75, 1.25, -0.1, 0.3], 0.15625],
    [[3, 3, -1, 2, 0, 2, -2, 4, 1, 1], 0.0859375],
    [[0.02, 0.06, -0.03, 0.1, -0.02, 0.11, 0.05, 0.08, 0, 0.04], 0.03515625],
    [[1, -1, 1, -1], 1],
    [[0.3, 0.3, 0.3, 0.3, 0.3], 0.0625],
    [[1e-9, 1, 2, -1e-9], 0.375],
    [THIRTEEN, 0.025390625],
  ])('of %j goes through all signs and finds %d', (differences, expected) => {
    const found = permutationTest(differences);
    expect(found.pValue).toBe(expected);
    expect(found.exact).toBe(true);
    expect(found.n).toBe(differences.length);
  });

  it('goes through all signs while they are no more than the resamples, zeros not counted', () => {
    expect(permutationTest(THIRTEEN, { resamples: 8192 })).toMatchObject({ exact: true, resamples: 8192 });
    expect(permutationTest(THIRTEEN, { resamples: 8191 })).toMatchObject({ exact: false, resamples: 8191 });
    const zeros = Array.from({ length: 100 }, () => 0);
    expect(permutationTest([...zeros, 1, 2, 3])).toMatchObject({ pValue: 0.25, exact: true, n: 103 });
  });

  it('draws signs at random beyond that and comes close to the exact p value', () => {
    const exact = permutationTest(THIRTEEN, { resamples: 10_000 }).pValue!;
    const drawn = permutationTest(THIRTEEN, { resamples: 8191 }).pValue!;
    // Four standard errors of a share of 0.0254 in 8191.
    expect(Math.abs(drawn - exact)).toBeLessThan(4 * Math.sqrt((exact * (1 - exact)) / 8191));
    // Every p value is (count + 1) / (resamples + 1).
    expect(drawn * 8192).toBe(Math.round(drawn * 8192));
    expect(permutationTest(THIRTEEN, { resamples: 8191, seed: 7 }).pValue).not.toBe(drawn);
  });

  it('does not let rounding decide: on paper these add up to 0, in doubles to −1e-16', () => {
    // SciPy's tolerance is a share of that 1e-16, so it finds 0.984375.
    const pairs = [0.7 - 0.9, -0.6, 0.7, 0.3 - 0.5, 0.3 - 0.5, 0.8, 0.6 - 0.9];
    expect(permutationTest(pairs).pValue).toBe(1);
  });

  it('is never 0 when signs were drawn', () => {
    const alike = Array.from({ length: 60 }, () => 0.1);
    expect(permutationTest(alike, { resamples: 999 }).pValue).toBe(1 / 1000);
  });

  it('is 1 when the mean is 0, drawn or not', () => {
    const balanced = Array.from({ length: 40 }, (_, i) => (i % 2 === 0 ? 0.1 : -0.1));
    expect(permutationTest(balanced, { resamples: 500 })).toMatchObject({ pValue: 1, exact: false });
    expect(permutationTest([0, 0])).toMatchObject({ pValue: 1, exact: true, resamples: 1, n: 2 });
  });

  it('depends neither on the order of the pairs nor on which system is the first nor on the unit', () => {
    const lists = fc.array(fc.double({ min: -1, max: 1, noNaN: true }), { minLength: 1, maxLength: 40 });
    fc.assert(
      fc.property(lists, (differences) => {
        const found = permutationTest(differences, { resamples: 300 });
        expect(permutationTest(differences.toReversed(), { resamples: 300 })).toEqual(found);
        expect(
          permutationTest(
            differences.map((d) => -d),
            { resamples: 300 },
          ),
        ).toEqual(found);
      }),
      { seed: 42, numRuns: 100 },
    );
    expect(permutationTest([1e308, 1e308, -1e307])).toEqual(permutationTest([10, 10, -1]));
  });

  it('is undefined without pairs, with the reason', () => {
    expect(permutationTest([])).toEqual({
      pValue: null,
      exact: false,
      resamples: 0,
      n: 0,
      undefined: 'there are no pairs',
    });
  });

  it('refuses numbers that are not finite and settings that cannot be', () => {
    expect(() => permutationTest([1, NaN])).toThrow(UsageError);
    expect(() => permutationTest([1], { resamples: 0 })).toThrow(UsageError);
    expect(() => permutationTest([1], { resamples: 1.5 })).toThrow(UsageError);
    expect(() => permutationTest([1], { seed: -1 })).toThrow(UsageError);
  });
});
