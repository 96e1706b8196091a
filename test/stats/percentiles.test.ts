import { describe, expect, it } from 'vitest';

import { percentile } from '../../src/measure/numpy.ts';
import { MersenneTwister } from '../../src/stats/mersenne-twister.ts';
import { percentiles } from '../../src/stats/percentiles.ts';

const SHARES = [0, 1e-9, 0.025, 0.05, 0.3, 0.5, 0.975, 1 - 1e-9, 1];
const random = new MersenneTwister(8);
const uniform = (): number => random.uint32() / 2 ** 32;
const listOf = (n: number, valueOf: (at: number) => number): Float64Array =>
  Float64Array.from({ length: n }, (_, at) => valueOf(at));

const LISTS: Readonly<Record<string, Float64Array>> = {
  'one value': listOf(1, () => 3),
  'two values': listOf(2, (at) => -at),
  'three values': listOf(3, (at) => at / 3),
  even: listOf(10_000, uniform),
  'around a middle': listOf(10_000, () => uniform() + uniform() + uniform() - uniform()),
  'whole numbers': listOf(9_999, () => random.below(30) - 15),
  'two different values': listOf(5000, () => random.below(2)),
  'one far out': listOf(5000, (at) => (at === 17 ? 1e300 : uniform())),
  'all but equal': listOf(3000, () => 1 + random.below(5) * Number.EPSILON),
  skewed: listOf(8000, () => uniform() ** 40),
  'zeros of both signs': listOf(4000, (at) => [0, -0, 1e-300, -1e-300][at % 4]!),
  'the whole range of doubles': listOf(2000, (at) => (at % 2 === 0 ? 1 : -1) * Number.MAX_VALUE * uniform()),
  'below what a double divides': listOf(2000, () => random.below(5) * Number.MIN_VALUE),
  infinite: listOf(2000, (at) => [Infinity, 1, 2, -Infinity][at % 4]!),
  'all the same': listOf(100, () => 0.1),
};

describe('percentiles', () => {
  it.each(Object.keys(LISTS))('of a list that is not sorted are those of the sorted one, to the bit: %s', (name) => {
    const values = LISTS[name]!;
    const sorted = values.toSorted();
    const found = percentiles(values, SHARES, sorted[0]!, sorted.at(-1)!);
    expect(found).toEqual(SHARES.map((share) => percentile(sorted, share)));
  });
});
