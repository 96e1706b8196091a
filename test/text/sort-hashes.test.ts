import fc from 'fast-check';
import { describe, expect, test } from 'vitest';

import { sortHashes } from '../../src/text/sort-hashes.ts';

function sorted(hashes: readonly number[]): number[] {
  const own = Uint32Array.from(hashes);
  sortHashes(own);
  return [...own];
}

describe('hashes in rising order', () => {
  test('short lists', () => {
    expect(sorted([])).toEqual([]);
    expect(sorted([7])).toEqual([7]);
    expect(sorted([0xffffffff, 0, 0x80000000, 0x7fffffff])).toEqual([0, 0x7fffffff, 0x80000000, 0xffffffff]);
    expect(sorted([3, 1, 2, 1, 3])).toEqual([1, 1, 2, 3, 3]);
  });

  test('whatever the numbers, as a plain sort has them', () => {
    const small = fc.nat({ max: 9 });
    const any = fc.nat({ max: 0xffffffff });
    fc.assert(
      fc.property(fc.array(fc.oneof(small, any), { maxLength: 600 }), (hashes) => {
        expect(sorted(hashes)).toEqual(hashes.toSorted((a, b) => a - b));
      }),
    );
  });

  test('a list of each length around those where buckets or the way change', () => {
    for (const length of [255, 256, 257, 4096, 4097, 16_384, 16_385]) {
      const hashes = Array.from({ length }, (_, at) => Math.imul(at, 0x9e3779b1) >>> 0);
      expect(sorted(hashes)).toEqual(hashes.toSorted((a, b) => a - b));
    }
  });
});
