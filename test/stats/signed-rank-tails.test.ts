import { describe, expect, it } from 'vitest';
import { permutedTails, untiedTails } from '../../src/stats/signed-rank-tails.ts';

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
    [1000, 0, 9.332636185032189e-302],
    [1000, 1000, 2.8755569654764525e-278],
    [1000, 20000, 3.2768286111456824e-192],
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
