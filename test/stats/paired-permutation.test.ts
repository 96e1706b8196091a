import { describe, expect, test } from 'vitest';

import { alignTables } from '../../src/stats/align-tables.ts';
import type { PairedTest } from '../../src/stats/paired-difference.ts';
import { pairedPermutation, unitsOf } from '../../src/stats/paired-permutation.ts';
import { type Counts, counts, MEASURES, SYSTEMS, tableOf } from './made-up-counts.ts';

const PARTS = MEASURES.map((measure) => ({ measure, label: -1 }));

async function permuted(
  a: readonly Counts[],
  b: readonly Counts[],
  name: string,
  settings: { resamples?: number; seed?: number; clusters?: readonly string[] } = {},
): Promise<PairedTest> {
  const { resamples = 4000, seed = 42, clusters = [] } = settings;
  const [one, other] = alignTables(tableOf(a, clusters), tableOf(b, clusters));
  const found = await pairedPermutation(one, other, PARTS, { resamples, seed });
  return found[MEASURES.findIndex((measure) => measure.name === name)]!;
}

/**
 * From a numpy program of its own: itertools.product over the cases whose counts differ, swaps applied to the sums, the
 * share with |difference| not below the observed one. `many`: bits of RandomState(42)'s 32-bit numbers, lowest first,
 * over the 40 cases, 4,000 times, (1 + as large) / 4001.
 */
const EXPECTED: readonly [string, string, number, number][] = [
  ['twelve', 'f1', 12, 0.734375],
  ['twelve', 'precision', 12, 0.75390625],
  ['twelve', 'accuracy', 12, 0.11083984375],
  ['five', 'f1', 5, 0.3125],
  ['five', 'precision', 5, 0.75],
  ['five', 'accuracy', 5, 0.375],
  ['many', 'f1', 40, 0.31517120719820046],
  ['many', 'precision', 40, 0.49637590602349413],
  ['many', 'accuracy', 40, 0.12471882029492627],
  ['skewed', 'f1', 2, 0.5],
  ['skewed', 'precision', 2, 0.5],
  ['skewed', 'accuracy', 2, 1.0],
  ['seldom', 'f1', 7, 0.015625],
  ['seldom', 'precision', 7, 0.015625],
  ['seldom', 'accuracy', 7, 0.015625],
];

describe('pairedPermutation', () => {
  test.each(EXPECTED)('%s, %s: as numpy has it', async (set, name, differing, p) => {
    const { a, b } = SYSTEMS[set]!;
    const found = await permuted(a, b, name, { resamples: set === 'twelve' ? 4096 : 4000 });
    expect(found.pValue).toBeCloseTo(p, 14);
    expect(found.method).toBe(differing <= 12 ? 'exact' : 'resampled');
    expect(found.n).toBe(a.length);
  });

  test('by hand: three cases, all better: of 8 swaps only the two outermost are as large', async () => {
    const a = counts('0 2 0, 1 2 0, 1 1 0');
    const b = counts('2 0 0, 3 0 0, 2 0 0');
    expect(await permuted(a, b, 'precision')).toEqual({
      pValue: 2 / 8,
      undefined: null,
      method: 'exact',
      statistic: 1 - 2 / 7,
      n: 3,
    });
  });

  test('the same counts: one swap, which is as large as nothing', async () => {
    const { a } = SYSTEMS['twelve']!;
    expect(await permuted(a, a, 'f1')).toMatchObject({ pValue: 1, method: 'exact', statistic: 0 });
  });

  test('only units that differ are swapped: a thousand like cases change nothing', async () => {
    const same = Array.from({ length: 40 }, (): Counts => [0, 1, 1]);
    const few = await permuted(counts('0 1 0, 0 1 0'), counts('1 0 0, 1 0 0'), 'precision');
    const many = await permuted([[0, 1, 0], [0, 1, 0], ...same], [[1, 0, 0], [1, 0, 0], ...same], 'precision');
    expect(few).toMatchObject({ pValue: 0.5 });
    expect(many).toMatchObject({ pValue: 0.5, method: 'exact' });
  });

  test('clusters are swapped as a whole', async () => {
    const a = Array.from({ length: 6 }, (): Counts => [0, 1, 0]);
    const b = Array.from({ length: 6 }, (): Counts => [1, 0, 0]);
    expect((await permuted(a, b, 'precision')).pValue).toBe(2 / 64);
    const clusters = ['x', 'x', 'x', 'y', 'y', 'y'];
    expect(await permuted(a, b, 'precision', { clusters })).toMatchObject({ pValue: 0.5, n: 2 });
  });

  test('a swap that leaves the measure undefined counts as large', async () => {
    // Precision of a is undefined where all its predictions went to b: swaps {}, {1}, {2}, {1,2} give 1, none, none, −1.
    const a = counts('0 1 0, 0 0 1');
    const b = counts('0 0 1, 1 0 0');
    expect(await permuted(a, b, 'precision')).toMatchObject({ pValue: 1, statistic: 1 });
  });

  test('undefined for one of the two: no test, with the reason', async () => {
    expect(await permuted([[0, 0, 1]], [[1, 0, 0]], 'precision')).toMatchObject({
      pValue: null,
      undefined: 'there is no difference to test',
      method: 'none',
    });
  });

  test('values that only rounding sets apart are as large as each other', async () => {
    // F1 of 1/0/4 and of 1/1/3 is 1/3, but their last bits differ.
    const a = counts('1 0 4, 1 1 3, 2 0 8');
    const b = counts('1 1 3, 1 0 4, 2 2 6');
    expect(await permuted(a, b, 'f1')).toMatchObject({ pValue: 1, statistic: 0 });
  });

  test('a p value is the same alone and among measures that differ in more cases', async () => {
    // By hand: hits are right in a and wrong in b in 2 cases, so accuracy is exact: 2 of 2² swaps. F1 differs in 20 cases.
    const like = Array.from({ length: 18 }, (): Counts => [1, 0, 0, 1]);
    const worse = Array.from({ length: 18 }, (): Counts => [1, 1, 0, 1]);
    const [a, b] = alignTables(
      tableOf([[1, 0, 0, 1], [1, 0, 0, 1], ...like]),
      tableOf([[1, 1, 0, 0], [1, 1, 0, 0], ...worse]),
    );
    const settings = { resamples: 1000, seed: 42 };
    const together = await pairedPermutation(a, b, PARTS, settings);
    for (const [at, part] of PARTS.entries())
      expect(await pairedPermutation(a, b, [part], settings)).toEqual([together[at]]);
    expect(together[2]).toMatchObject({ pValue: 0.5, method: 'exact' });
    expect(together[0]).toMatchObject({ method: 'resampled' });
  });

  test('the same seed gives the same random swaps, another seed others', async () => {
    const { a, b } = SYSTEMS['many']!;
    const [one, again, other] = [
      await permuted(a, b, 'f1', { resamples: 500 }),
      await permuted(a, b, 'f1', { resamples: 500 }),
      await permuted(a, b, 'f1', { resamples: 500, seed: 1 }),
    ];
    expect(again).toEqual(one);
    expect(other.pValue).not.toBe(one.pValue);
    expect(other.pValue).toBeCloseTo(one.pValue!, 1);
  });
});

test('unitsOf names each unit once, rising', () => {
  const column = (...units: number[]) => ({ units: Int32Array.from(units), values: Float64Array.from(units) });
  expect(unitsOf([column(4, 7), column(), column(1, 4)])).toEqual([1, 4, 7]);
});
