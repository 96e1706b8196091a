import fc from 'fast-check';
import { describe, expect, it } from 'vitest';

import type { Agreement, AgreementOptions } from '../../../src/stats/agreement/agreement.ts';
import { cohenKappa } from '../../../src/stats/agreement/cohen-kappa.ts';
import { fleissKappa } from '../../../src/stats/agreement/pair-agreement.ts';
import { gwetAc1 } from '../../../src/stats/agreement/pair-agreement.ts';
import { krippendorffAlpha } from '../../../src/stats/agreement/krippendorff-alpha.ts';
import type { Ratings } from '../../../src/stats/agreement/rating.ts';
import { rawAgreement } from '../../../src/stats/agreement/pair-agreement.ts';

type Coefficient = (ratings: Ratings, options?: AgreementOptions) => Agreement;

const ANY_RATERS: readonly (readonly [string, Coefficient])[] = [
  ['rawAgreement', rawAgreement],
  ['fleissKappa', fleissKappa],
  ['krippendorffAlpha nominal', krippendorffAlpha],
  ['krippendorffAlpha ordinal', (ratings, options) => krippendorffAlpha(ratings, { ...options, metric: 'ordinal' })],
  ['krippendorffAlpha interval', (ratings, options) => krippendorffAlpha(ratings, { ...options, metric: 'interval' })],
  ['krippendorffAlpha ratio', (ratings, options) => krippendorffAlpha(ratings, { ...options, metric: 'ratio' })],
  ['gwetAc1', gwetAc1],
];
const TWO_RATERS: readonly (readonly [string, Coefficient])[] = [
  ['cohenKappa', cohenKappa],
  ['cohenKappa linear', (ratings, options) => cohenKappa(ratings, { ...options, weights: 'linear' })],
  ['cohenKappa quadratic', (ratings, options) => cohenKappa(ratings, { ...options, weights: 'quadratic' })],
];
const few = { resamples: 50 };
/** Equal but for rounding, or undefined both. */
function expectSame(a: number | null, b: number | null): void {
  expect(a === null).toBe(b === null);
  expect(a ?? 0).toBeCloseTo(b ?? 0, 10);
}

/** Up to twelve items; a rating is missing one time in five. */
const rated = (raters: number): fc.Arbitrary<(number | null)[][]> =>
  fc.array(fc.array(fc.option(fc.integer({ min: 0, max: 4 }), { freq: 4 }), { minLength: raters, maxLength: raters }), {
    maxLength: 12,
  });

const both = [
  ...ANY_RATERS.map(([name, of]) => [name, of, 3] as const),
  ...TWO_RATERS.map(([name, of]) => [name, of, 2] as const),
];

describe.each(both)('%s', (_, of, raters) => {
  it('has a value and parts that are finite, or a reason, for whatever is rated', () => {
    fc.assert(
      fc.property(rated(raters), (ratings) => {
        const found = of(ratings, few);
        expect(found.value === null).toBe(found.undefined !== null);
        expect(found.interval === null).toBe(found.noInterval !== null);
        expect(found.n + found.left).toBe(ratings.length);
        const { low = 0, high = 1 } = found.interval ?? {};
        const numbers = [found.value, found.observed, found.expected, low, high].filter((number) => number !== null);
        expect(numbers.every(Number.isFinite)).toBe(true);
        expect(found.value ?? 1).toBeLessThanOrEqual(1);
        expect(low).toBeLessThan(high);
        const shares = found.prevalence.map(({ share }) => share);
        expect(shares.reduce((sum, share) => sum + share, 0)).toBeCloseTo(shares.length === 0 ? 0 : 1);
      }),
      { numRuns: 150 },
    );
  });

  it('keeps value and interval when the items come in another order', () => {
    fc.assert(
      fc.property(rated(raters), (ratings) => {
        const a = of(ratings, few);
        const b = of(ratings.toReversed(), few);
        expect([b.value, b.interval]).toEqual([a.value, a.interval]);
      }),
      { numRuns: 60 },
    );
  });

  it('keeps its value when the raters change places', () => {
    fc.assert(
      fc.property(rated(raters), (ratings) => {
        const turned = ratings.map((row) => row.toReversed());
        expectSame(of(turned, { interval: false }).value, of(ratings, { interval: false }).value);
      }),
      { numRuns: 60 },
    );
  });

  it('is 1 where all agree and more than one category was used', () => {
    const agreed = [0, 1, 2, 2, 4].map((rating) => Array.from({ length: raters }, () => rating));
    expect(of(agreed, { interval: false }).value).toBe(1);
  });

  it('keeps its value when every item is there twice, but for the small-sample part of alpha', () => {
    fc.assert(
      fc.property(rated(raters), (ratings) => {
        const once = of(ratings, { interval: false });
        const twice = of([...ratings, ...ratings], { interval: false });
        const isAlpha = once.of === 'disagreement';
        expectSame(isAlpha && twice.value !== null ? 0 : twice.value, isAlpha && once.value !== null ? 0 : once.value);
      }),
      { numRuns: 60 },
    );
  });

  it('is undefined, with the reason, without items, without a second rater or without two ratings of one item', () => {
    expect(of([]).undefined).toBe('there are no items');
    expect(of([[1], [2]]).undefined).toContain('one rater only');
    expect(of([[], []]).undefined).toBe('there are no raters');
    const alone = [0, 1].map((rater) => Array.from({ length: raters }, (__, at) => (at === rater ? 3 : null)));
    expect(of(alone)).toMatchObject({ value: null, undefined: 'no item has two ratings', interval: null });
  });
});

describe.each(both.filter(([name]) => name !== 'rawAgreement'))('%s', (_, of, raters) => {
  it('is undefined where one category only was ever used', () => {
    const same = Array.from({ length: 4 }, () => Array.from({ length: raters }, () => 2));
    const found = of(same);
    expect(found.value).toBeNull();
    expect(found.undefined).toContain('only one category was ever used');
    expect(found.interval).toBeNull();
  });
});

describe('kappas and alpha', () => {
  it('do not depend on what the categories are called', () => {
    fc.assert(
      fc.property(rated(3), (ratings) => {
        const named = ratings.map((row) => row.map((rating) => (rating === null ? null : `class ${(rating * 3) % 5}`)));
        for (const of of [fleissKappa, krippendorffAlpha, gwetAc1, rawAgreement])
          expectSame(of(named, { interval: false }).value, of(ratings, { interval: false }).value);
      }),
      { numRuns: 60 },
    );
  });

  it('alpha comes from Scott’s pi by the correction for small samples, 1 − (1 − π)(n − 1)/n, for two raters without gaps', () => {
    fc.assert(
      fc.property(
        fc.array(fc.tuple(fc.integer({ min: 0, max: 3 }), fc.integer({ min: 0, max: 3 })), {
          minLength: 1,
          maxLength: 20,
        }),
        (ratings) => {
          // Fleiss' kappa of two raters is Scott's pi.
          const pi = fleissKappa(ratings, { interval: false }).value;
          const n = 2 * ratings.length;
          expectSame(
            krippendorffAlpha(ratings, { interval: false }).value,
            pi === null ? null : 1 - ((1 - pi) * (n - 1)) / n,
          );
        },
      ),
    );
  });
});
