import { describe, expect, it } from 'vitest';

import type { DrawnSums, UnitColumn } from '../../src/measure/unit-sums.ts';
import { eachDraw } from '../../src/stats/draw-sums.ts';
import { MersenneTwister } from '../../src/stats/mersenne-twister.ts';
import { resampleTimes, swapsDraw, timesDraw } from '../../src/stats/resample.ts';

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

/** The sums of all columns, draw by draw. */
const collect =
  (found: number[][]) =>
  ({ sums, starts }: DrawnSums, count: number): void => {
    for (let draw = 0; draw < count; draw += 1)
      found.push([...starts].map((start) => (start < 0 ? 0 : sums[start + draw]!)));
  };

describe('eachDraw', () => {
  // Several draws are added up at once: their number need not be a multiple of that.
  it.each([1, 3, 4, 5, 6])('hands on the sums of the first %d draws of numpy, in their order', async (resamples) => {
    const found: number[][] = [];
    await eachDraw(5, COLUMNS, resamples, { seed: 42 }, collect(found));
    expect(found).toEqual(SIX.slice(0, resamples));
    const plain: number[][] = [];
    await eachDraw(5, COLUMNS, resamples, timesDraw(5, 42), collect(plain));
    expect(plain).toEqual(found);
  });

  it('gives equal columns equal sums, and others with the same total their own', async () => {
    const [all, some] = [COLUMNS[0]!, COLUMNS[1]!];
    const empty = { units: new Int32Array(), values: new Float64Array() };
    const copy = { units: Int32Array.from(some.units), values: Float64Array.from(some.values) };
    const swapped = { units: Int32Array.of(0, 3), values: Float64Array.of(10, 1) };
    const found: number[][] = [];
    const columns = [some, empty, all, copy, swapped];
    await eachDraw(5, columns, 6, { seed: 42 }, collect(found));
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
        { seed: 42 },
        () => undefined,
        (share) => void shares.push(share),
      );
      expect(shares.length).toBeLessThanOrEqual(200);
      expect(shares).toEqual(shares.toSorted((a, b) => a - b));
      expect(shares.at(-1)).toBe(1);
    }
  });

  it('takes each unit as many times as the draw says', async () => {
    const found: number[][] = [];
    await eachDraw(5, COLUMNS, 6, (times, at) => times.fill(0).fill(1, 0, at), collect(found));
    // With the first 0, 1, 2 … units: the second column has 1 at unit 0 and 10 at unit 3.
    expect(found.map(([, second]) => second)).toEqual([0, 1, 1, 1, 11, 11]);
  });
});

/** As many different columns as there are ways to add them up. */
function columnsOf(units: number, random: MersenneTwister): UnitColumn[] {
  const within = (share: number): number[] => [...Array(units).keys()].filter(() => random.below(1000) < share * 1000);
  const column = (share: number, valueOf: () => number): UnitColumn => {
    const own = within(share);
    return { units: Int32Array.from(own), values: Float64Array.from(own, valueOf) };
  };
  const hits = column(0.9, () => random.below(40));
  return [
    hits,
    // Credit in millionths of them.
    { units: hits.units, values: hits.values.map((value) => 1_000_000 * value) },
    column(1, () => random.below(3) - 1),
    // One row of 15 bits is not enough for these.
    column(1, () => random.below(2 ** 31) - 2 ** 30),
    column(0.7, () => 2 ** 15 * (random.below(5) - 2)),
    column(1, () => [-32768, 32767, 32768, -32767][random.below(4)]!),
    column(1, () => (2 ** 53 - 1 - random.below(9)) * 2 ** random.below(3)),
    column(1, () => Math.floor((2 ** 53 - 1) / units) - random.below(2)),
    // Fractions, whose sum depends on its order, and the same with whole numbers among them.
    column(0.8, () => random.below(1000) / 7),
    column(0.5, () => random.below(8) / 4),
    // Few entries, one, none, and nothing but 0 and −0.
    column(0.02, () => random.below(9)),
    { units: Int32Array.of(units - 1), values: Float64Array.of(7) },
    { units: new Int32Array(), values: new Float64Array() },
    column(1, () => [0, -0][random.below(2)]!),
    column(1, () => -32767),
  ];
}

/** What a sum is: each entry as many times as the draw holds its unit, one after the other. */
const sumOf = ({ units, values }: UnitColumn, times: Float64Array): number =>
  units.reduce((sum, unit, at) => sum + times[unit]! * values[at]!, 0);

describe('sums of any columns', () => {
  it.each([1, 2, 7, 8, 9, 64, 513, 1000, 2048])('of %d units are those of a plain loop, to the bit', async (units) => {
    const columns = columnsOf(units, new MersenneTwister(units));
    const found: number[][] = [];
    await eachDraw(units, columns, 23, { seed: 5 }, collect(found));
    const expected = resampleTimes(units, { resamples: 23, seed: 5 });
    expect(found).toEqual(Array.from(expected, (times) => columns.map((column) => sumOf(column, times))));
  });

  it('also with swaps, and with more units than WebAssembly counts', async () => {
    for (const units of [300, 33_000]) {
      const columns = columnsOf(units, new MersenneTwister(units)).slice(0, 9);
      const found: number[][] = [];
      await eachDraw(units, columns, 5, swapsDraw(3), collect(found));
      const draw = swapsDraw(3);
      const expected = Array.from({ length: 5 }, (_, at) => {
        const times = new Float64Array(units);
        draw(times, at);
        return columns.map((column) => sumOf(column, times));
      });
      expect(found).toEqual(expected);
    }
    const found: number[][] = [];
    const columns = columnsOf(33_000, new MersenneTwister(1)).slice(0, 3);
    await eachDraw(33_000, columns, 2, { seed: 1 }, collect(found));
    const times = resampleTimes(33_000, { resamples: 2, seed: 1 });
    expect(found).toEqual(Array.from(times, (own) => columns.map((column) => sumOf(column, own))));
  });
});
