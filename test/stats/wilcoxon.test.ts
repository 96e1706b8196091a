import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';

import { UsageError } from '../../src/data/problems.ts';
import { type ZeroMethod } from '../../src/stats/ranks.ts';
import { type Alternative, permutedTails, untiedTails, wilcoxon } from '../../src/stats/wilcoxon.ts';

type Result = readonly [
  zeroMethod: ZeroMethod,
  method: 'auto' | 'exact' | 'approx',
  alternative: Alternative,
  correction: boolean,
  statistic: number,
  pValue: number | null,
  zStatistic: number | null,
];

interface RandomCase {
  readonly x: readonly number[];
  readonly y: readonly number[] | null;
  readonly results: readonly Result[];
}

describe('wilcoxon', () => {
  it('is SciPy to the last bit on 760 random results over all options, but in tails that SciPy rounds away', () => {
    const file = join(import.meta.dirname, 'fixtures/wilcoxon-random.json');
    const { cases } = JSON.parse(readFileSync(file, 'utf8')) as { cases: readonly RandomCase[] };
    const options = new Set<string>();
    let same = 0;
    let near = 0;
    for (const { x, y, results } of cases) {
      for (const [zeroMethod, method, alternative, correction, statistic, pValue, zStatistic] of results) {
        const found = wilcoxon(x, y, { zeroMethod, method, alternative, correction });
        const which = `${zeroMethod} ${method} ${alternative} ${correction} of ${JSON.stringify(x)}`;
        options.add(`${zeroMethod} ${method} ${alternative} ${correction}`);
        expect(found.statistic, which).toBe(statistic);
        expect(found.zStatistic, which).toBe(zStatistic);
        // SciPy takes small upper tails from 1, which above 53 pairs costs digits.
        const rounded = found.method === 'exact' && x.length > 53 && found.pValue! < 2e-4;
        const isNear = rounded && found.pValue !== pValue && Math.abs(found.pValue! - pValue!) < 1e-15;
        expect(isNear ? pValue : found.pValue, which).toBe(pValue);
        if (isNear) near += 1;
        else same += 1;
      }
    }
    expect(options.size).toBe(54);
    expect([same, near]).toEqual([759, 1]);
  });

  it('works out by hand: differences 3 −1 2 have rank sums 5 and 1', () => {
    // Of the sums of subsets of 1 2 3 two are at least 5: P = 2/8, twice that two-sided.
    const all = wilcoxon([4, 1, 5], [1, 2, 3]);
    expect(all).toEqual({
      statistic: 1,
      pValue: 0.5,
      zStatistic: null,
      n: 3,
      zeros: 0,
      method: 'exact',
      undefined: null,
    });
    expect(wilcoxon([4, 1, 5], [1, 2, 3], { alternative: 'greater' })).toMatchObject({ statistic: 5, pValue: 0.25 });
    expect(wilcoxon([4, 1, 5], [1, 2, 3], { alternative: 'less' })).toMatchObject({ statistic: 5, pValue: 0.875 });
  });

  it('takes x for the differences where there is no y', () => {
    expect(wilcoxon([3, -1, 2])).toEqual(wilcoxon([4, 1, 5], [1, 2, 3]));
    expect(wilcoxon([3, -1, 2], null)).toEqual(wilcoxon([3, -1, 2]));
  });

  it('chooses as SciPy: exact to 50 pairs, permutations to 13 with ties or zeros, else approximate', () => {
    const untied = (n: number): number[] => Array.from({ length: n }, (_, i) => (i % 3 === 0 ? -1 : 1) * (i + 1));
    const tied = (n: number): number[] => [1, 1, ...untied(n + 1).slice(3)];
    expect(wilcoxon(untied(50)).method).toBe('exact');
    expect(wilcoxon(untied(51)).method).toBe('approx');
    expect(wilcoxon(tied(13)).method).toBe('permutation');
    expect(wilcoxon(tied(14)).method).toBe('approx');
    expect(wilcoxon([0, ...untied(12)]).method).toBe('permutation');
    expect(wilcoxon([0, ...untied(13)]).method).toBe('approx');
  });

  it('is undefined without pairs, with the reason', () => {
    for (const method of ['auto', 'exact', 'approx'] as const)
      expect(wilcoxon([], [], { method })).toMatchObject({
        statistic: null,
        pValue: null,
        zStatistic: null,
        n: 0,
        zeros: 0,
        undefined: 'there are no pairs',
      });
  });

  it('of pairs that do not differ gives what SciPy gives, and a reason where that is NaN or an error', () => {
    expect(wilcoxon([0, 0])).toMatchObject({ statistic: 0, pValue: 1, n: 0, zeros: 2, undefined: null });
    expect(wilcoxon([0, 0], null, { method: 'exact' })).toMatchObject({ statistic: 0, pValue: 1 });
    expect(wilcoxon([0, 0], null, { method: 'approx' })).toMatchObject({
      statistic: 0,
      pValue: null,
      zStatistic: null,
      undefined: 'no pair differs, so the normal approximation has no spread',
    });
    expect(wilcoxon(Array.from({ length: 14 }, () => 0))).toMatchObject({ pValue: null, method: 'approx' });
    expect(wilcoxon([0])).toMatchObject({ statistic: 0, pValue: null, undefined: 'the only pair does not differ' });
    expect(wilcoxon([0], null, { method: 'approx', zeroMethod: 'zsplit' })).toMatchObject({
      statistic: 0.5,
      pValue: 1,
    });
  });

  it('of one pair that differs has the p value of one coin', () => {
    expect(wilcoxon([1.5])).toMatchObject({ statistic: 0, pValue: 1, n: 1 });
    expect(wilcoxon([1.5], null, { alternative: 'greater' })).toMatchObject({ statistic: 1, pValue: 0.5 });
    // SciPy: z = −1, p = 2 Φ(−1)
    expect(wilcoxon([1.5], null, { method: 'approx' })).toMatchObject({ pValue: 0.31731050786291415, zStatistic: -1 });
  });

  it('says that the exact distribution knows no ties', () => {
    expect(wilcoxon([1, 1, 2], null, { method: 'exact' }).note).toMatch(/no account of ties/);
    expect(wilcoxon([1, 2, 3], null, { method: 'exact' }).note).toBeUndefined();
    expect(wilcoxon([1, 1, 2]).note).toBeUndefined();
  });

  it('says that a p value of 0 is too small to be written', () => {
    const many = Array.from({ length: 3000 }, (_, i) => i + 1);
    const { pValue, note } = wilcoxon(many);
    expect(pValue).toBe(0);
    expect(note).toMatch(/smaller than the smallest number/);
  });

  it('refuses lists of different lengths, numbers that are not finite and options nobody knows', () => {
    expect(() => wilcoxon([1, 2], [1])).toThrow('x has 2 values and y has 1');
    expect(() => wilcoxon([1, NaN], [1, 2])).toThrow('x[1] is NaN');
    expect(() => wilcoxon([1, 2], [Infinity, 2])).toThrow('y[0] is Infinity');
    expect(() => wilcoxon([1, 2], [1])).toThrow(UsageError);
    expect(() => wilcoxon([1], null, { method: 'asymptotic' as 'approx' })).toThrow('method is "asymptotic"');
    expect(() => wilcoxon([1], null, { zeroMethod: 'zplit' as 'zsplit' })).toThrow('zeroMethod is "zplit"');
    expect(() => wilcoxon([1], null, { alternative: 'both' as 'less' })).toThrow('alternative is "both"');
    const many = Array.from({ length: 3001 }, (_, i) => i + 1);
    expect(() => wilcoxon(many, null, { method: 'exact' })).toThrow('3001 pairs takes too long');
  });

  it('depends neither on the order of the pairs nor, two-sided, on which list is the first', () => {
    const pairs = fc.array(fc.tuple(fc.integer({ min: 0, max: 9 }), fc.integer({ min: 0, max: 9 })), {
      minLength: 1,
      maxLength: 60,
    });
    const zeroMethods = fc.constantFrom<ZeroMethod>('wilcox', 'pratt', 'zsplit');
    fc.assert(
      fc.property(pairs, zeroMethods, (list, zeroMethod) => {
        const x = list.map(([a]) => a);
        const y = list.map(([, b]) => b);
        const found = wilcoxon(x, y, { zeroMethod });
        expect(wilcoxon(x.toReversed(), y.toReversed(), { zeroMethod })).toEqual(found);
        expect(wilcoxon(y, x, { zeroMethod })).toEqual(found);
        const greater = wilcoxon(x, y, { zeroMethod, alternative: 'greater' });
        expect(wilcoxon(y, x, { zeroMethod, alternative: 'less' }).pValue).toEqual(greater.pValue);
      }),
      { seed: 42, numRuns: 200 },
    );
  });
});

describe('untiedTails', () => {
  it('counts subsets of 1, 2, 3: sums 0 1 2 3 3 4 5 6', () => {
    expect(untiedTails(3, 0)).toEqual({ below: 1 / 8, above: 1 });
    expect(untiedTails(3, 3)).toEqual({ below: 5 / 8, above: 5 / 8 });
    expect(untiedTails(3, 5)).toEqual({ below: 7 / 8, above: 2 / 8 });
    expect(untiedTails(0, 0)).toEqual({ below: 1, above: 1 });
  });

  it('takes a sum between whole numbers outwards in both tails', () => {
    expect(untiedTails(3, 4.5)).toEqual({ below: 7 / 8, above: 3 / 8 });
  });

  // Subset counts as whole numbers of any size in Python, divided by 2^n and rounded once.
  it.each([
    [56, 0, 1.3877787807814457e-17],
    [56, 10, 5.967448757360216e-16],
    [56, 500, 0.007211601605146056],
    [104, 50, 1.557162123099701e-27],
    [104, 1000, 1.953275196546867e-9],
    [104, 2000, 0.008781013921847231],
    [200, 100, 3.2808825572557565e-54],
    [200, 5000, 1.1312991198124089e-10],
    [1000, 222000, 0.0009830117238029774],
  ])('of %i pairs and a sum of %i hold twelve digits in either tail', (n, sum, expected) => {
    const most = (n * (n + 1)) / 2;
    expect(Math.abs(untiedTails(n, sum).below / expected - 1)).toBeLessThan(1e-14);
    expect(Math.abs(untiedTails(n, most - sum).above / expected - 1)).toBeLessThan(1e-12);
  });
});

describe('permutedTails', () => {
  it('counts sign patterns of tied ranks: 1.5 1.5 3 add up to 0 1.5 1.5 3 3 4.5 4.5 6', () => {
    expect(permutedTails([1.5, 1.5, 3], 4.5)).toEqual({ below: 7 / 8, above: 3 / 8 });
    expect(permutedTails([1.5, 1.5, 3], 0)).toEqual({ below: 1 / 8, above: 1 });
  });

  it('of no ranks are both certain', () => {
    expect(permutedTails([], 0)).toEqual({ below: 1, above: 1 });
  });
});
