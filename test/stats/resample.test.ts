import { describe, expect, it } from 'vitest';

import { resampledMeans } from '../../src/stats/resample.ts';

const TWELVE = Float64Array.of(0.53, 0.46, 0.34, 0.68, 0, 0.72, 0, 0.41, 0.98, 0.37, 0, 0.51);
const THREE = Float64Array.of(3.5, 1, 2.25);

/** rs = np.random.RandomState(42); four times np.mean(rs.choice(v, len(v), replace=True)), numpy 2.4.6. */
const EXPECTED = {
  twelve: [0.18416666666666667, 0.4266666666666667, 0.4191666666666667, 0.35083333333333333],
  three: [2.6666666666666665, 3.0833333333333335, 1.8333333333333333, 2.25],
};

describe('resampledMeans', () => {
  it('gives each list numpy’s means, whatever other lists there are', async () => {
    const settings = { resamples: 4, seed: 42 };
    const doubled = TWELVE.map((value) => 2 * value);
    const means = await resampledMeans([TWELVE, THREE, doubled, Float64Array.of(7)], settings);
    expect(means.map((list) => [...list])).toEqual([
      EXPECTED.twelve,
      EXPECTED.three,
      EXPECTED.twelve.map((mean) => 2 * mean),
      [7, 7, 7, 7],
    ]);
  });

  it('tells how far it is, up to the whole, and has nothing to do for no list', async () => {
    const shares: number[] = [];
    await resampledMeans([TWELVE, THREE], { resamples: 400, seed: 1 }, (share) => void shares.push(share));
    expect(shares).toEqual(shares.toSorted((a, b) => a - b));
    expect(shares.at(-1)).toBe(1);
    expect(await resampledMeans([], { resamples: 400, seed: 1 })).toEqual([]);
  });
});
