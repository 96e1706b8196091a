import { expect, it } from 'vitest';

import { agreementOfRatings, type RatingsOptions } from '../../../src/stats/agreement/agreement-of-ratings.ts';
import type { Ratings } from '../../../src/stats/agreement/rating.ts';
import { DIAGNOSES, SKEWED, TWELVE_UNITS } from './worked-examples.ts';

const names = (ratings: Ratings, options: RatingsOptions): string[] =>
  agreementOfRatings(ratings, { interval: false, ...options }).coefficients.map(({ name }) => name);

it('gives the coefficients that fit the scale and the number of raters', () => {
  expect(names(SKEWED, {})).toEqual(['raw_agreement', 'cohen_kappa', 'fleiss_kappa', 'krippendorff_alpha', 'gwet_ac1']);
  expect(names(SKEWED, { scale: 'ordinal' })).toContain('cohen_kappa_weighted');
  expect(names(DIAGNOSES, {})).toEqual(['raw_agreement', 'fleiss_kappa', 'krippendorff_alpha', 'gwet_ac1']);
  expect(names(TWELVE_UNITS, { scale: 'interval' })).toEqual(['raw_agreement', 'krippendorff_alpha']);
});

it('measures alpha by the scale, compares every two of several raters, and votes on categories only', () => {
  const found = agreementOfRatings(TWELVE_UNITS, { interval: false, scale: 'ordinal' });
  expect(found.coefficients.find(({ name }) => name === 'krippendorff_alpha')!.agreement.value).toBeCloseTo(
    108577 / 133160,
    12,
  );
  expect(found.weights).toBe('quadratic');
  expect(found.pairwise?.pairs).toHaveLength(6);
  expect(found.vote?.disputed).toEqual([5]);
  expect(agreementOfRatings(SKEWED, { interval: false }).pairwise).toBeNull();
  expect(agreementOfRatings(TWELVE_UNITS, { interval: false, scale: 'ratio' })).toMatchObject({
    vote: null,
    pairwise: null,
  });
});
