import { describe, expect, it } from 'vitest';

import { LARGEST_WHOLE, startKernel, TOGETHER } from '../../src/stats/draw-kernel.ts';
import { MersenneTwister } from '../../src/stats/mersenne-twister.ts';
import { resampleTimes } from '../../src/stats/resample.ts';

describe('the kernel', () => {
  it('runs here: what follows does not test a way around it', () => {
    expect(startKernel(5, [])).not.toBeNull();
  });

  it.each([1, 2, 3, 31, 32, 33, 512, 513, 1000, 1025, 5000])('draws %d units as numpy does', (units) => {
    const kernel = startKernel(units, [])!;
    const draw = kernel.resample(42);
    let at = 0;
    for (const times of resampleTimes(units, { resamples: 25, seed: 42 })) {
      const next = at++ % TOGETHER;
      draw(next);
      expect([...kernel.times[next]!]).toEqual([...times]);
    }
  });

  it('refuses a seed that is none', () => {
    expect(() => startKernel(5, [])!.resample(-1)).toThrow('seed -1: expected a whole number from 0 to 4294967295');
  });

  it.each([1, 7, 8, 9, 16, 1000, LARGEST_WHOLE])('adds up rows of %d whole numbers', (units) => {
    const random = new MersenneTwister(units);
    const rows = [
      Int16Array.from({ length: units }, () => random.below(65_535) - LARGEST_WHOLE),
      new Int16Array(units).fill(LARGEST_WHOLE),
      new Int16Array(units).fill(-LARGEST_WHOLE),
      new Int16Array(units),
      Int16Array.from({ length: units }, (_, at) => at % 2),
    ];
    const kernel = startKernel(units, rows)!;
    // One draw of the first unit alone, one of the last, one of each once, one at random.
    kernel.times[0]![0] = units;
    kernel.times[1]![units - 1] = units;
    kernel.times[2]!.fill(1);
    for (let left = units; left > 0; left -= 1) kernel.times[3]![random.below(units)]! += 1;
    kernel.add(0);
    const expected = rows.flatMap((row) =>
      kernel.times.map((times) => row.reduce((sum, value, at) => sum + value * times[at]!, 0)),
    );
    expect([...kernel.sums]).toEqual(expected);
  });
});
