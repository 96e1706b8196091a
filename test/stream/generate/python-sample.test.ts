import { describe, expect, it } from 'vitest';

import { pythonSample } from '../../../src/stream/generate/dataset-config.ts';

const numbers = (n: number): number[] => Array.from({ length: n }, (_, at) => at);

describe('pythonSample', () => {
  it('draws what Python 3.11 draws: from a set of the list, and from a pool where the list is short', () => {
    // random.Random(42).sample(range(302), 40), which is how the 40 published cases were chosen
    expect(pythonSample(numbers(302), 40, 42)).toEqual([
      57, 12, 140, 125, 114, 71, 52, 279, 44, 216, 16, 15, 47, 111, 119, 258, 13, 287, 101, 214, 112, 229, 301, 142, 3,
      81, 174, 79, 110, 172, 194, 49, 183, 176, 135, 22, 235, 274, 63, 193,
    ]);
    expect(pythonSample(numbers(30), 6, 7)).toEqual([10, 4, 12, 20, 1, 2]);
    expect(pythonSample(numbers(5), 5, 0)).toEqual([3, 4, 0, 1, 2]);
    expect(pythonSample(numbers(100), 3, 4294967295)).toEqual([81, 79, 26]);
    expect(pythonSample(numbers(16), 16, 42)).toEqual([3, 0, 11, 4, 15, 13, 2, 1, 8, 12, 10, 14, 6, 5, 9, 7]);
    expect(pythonSample(['a', 'b', 'c', 'd', 'e'], 2, 42)).toEqual(['a', 'e']);
  });

  it('is all of a list that is no longer than what is asked for', () => {
    expect(pythonSample([], 3, 1)).toEqual([]);
    expect(pythonSample(numbers(3), 9, 1).toSorted((a, b) => a - b)).toEqual([0, 1, 2]);
  });
});
