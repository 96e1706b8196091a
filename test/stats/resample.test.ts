import { describe, expect, it } from 'vitest';

import type { UnitColumn } from '../../src/measure/unit-sums.ts';
import { eachDraw, resampledMeans, timesDraw } from '../../src/stats/resample.ts';

const COLUMNS: readonly UnitColumn[] = [
  { units: Int32Array.of(0, 1, 2, 3, 4), values: Float64Array.of(0.5, 2, -1, 4, 0.25) },
  // Only the units that add something.
  { units: Int32Array.of(0, 3), values: Float64Array.of(1, 10) },
];

// np.random.RandomState(42).randint(0, 5, 5) six times (numpy 2.4.6): 3 4 2 4 4, 1 2 2 2 4, 3 2 4 1 3, 1 3 4 0 3,
// 1 4 3 0 0, 2 2 1 3 3; the sums of those places of both columns.
const SIX = [
  [3.75, 10],
  [-0.75, 0],
  [9.25, 20],
  [10.75, 21],
  [7.25, 12],
  [8, 20],
];

describe('eachDraw', () => {
  // Several draws are added up at once: their number need not be a multiple of that.
  it.each([1, 3, 4, 5, 6])('hands on the sums of the first %d draws of numpy, in their order', async (resamples) => {
    const found: number[][] = [];
    await eachDraw(5, COLUMNS, resamples, timesDraw(5, 42), (sums) => found.push([...sums]));
    expect(found).toEqual(SIX.slice(0, resamples));
  });

  it('gives equal columns equal sums, and others with the same total their own', async () => {
    const [all, some] = [COLUMNS[0]!, COLUMNS[1]!];
    const empty = { units: new Int32Array(), values: new Float64Array() };
    const copy = { units: Int32Array.from(some.units), values: Float64Array.from(some.values) };
    const swapped = { units: Int32Array.of(0, 3), values: Float64Array.of(10, 1) };
    const found: number[][] = [];
    const columns = [some, empty, all, copy, swapped];
    await eachDraw(5, columns, 6, timesDraw(5, 42), (sums) => found.push([...sums]));
    // Places 0 and 3 come 0, 0, 0, 1, 2 and 0 times, and 1, 0, 2, 2, 1 and 2 times.
    const turned = [1, 0, 2, 12, 21, 2];
    expect(found).toEqual(SIX.map(([whole, part], at) => [part, 0, whole, part, turned[at]]));
  });

  it('says how much is done, at most 200 times and at the end', async () => {
    for (const resamples of [1, 5, 450]) {
      const shares: number[] = [];
      await eachDraw(
        5,
        COLUMNS,
        resamples,
        timesDraw(5, 42),
        () => undefined,
        (share) => void shares.push(share),
      );
      expect(shares.length).toBeLessThanOrEqual(200);
      expect(shares).toEqual(shares.toSorted((a, b) => a - b));
      expect(shares.at(-1)).toBe(1);
    }
  });

  it('takes each unit as many times as the draw says', async () => {
    const found: number[] = [];
    await eachDraw(
      5,
      COLUMNS,
      7,
      (times, at) => times.fill(0).fill(1, 0, at),
      (sums) => found.push(sums[1]!),
    );
    // With the first 0, 1, 2 … units: the second column has 1 at unit 0 and 10 at unit 3.
    expect(found).toEqual([0, 1, 1, 1, 11, 11, 11]);
  });
});

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
