import { expect, it } from 'vitest';

import { rawAgreement } from '../../../src/stats/agreement/raw-agreement.ts';
import { DIAGNOSES, TWELVE_UNITS } from './worked-examples.ts';

it('is the mean over items of the pairs that agree', () => {
  const found = rawAgreement(
    [
      ['a', 'a', 'b'],
      ['c', 'c', 'c'],
    ],
    { interval: false },
  );
  expect(found.value).toBeCloseTo(2 / 3, 12);
  expect(found).toMatchObject({ observed: found.value, expected: null, n: 2, raters: 3 });
});

it('is 5/9 for Fleiss 1971 and 0.8181818 for the example of irrCAC with gaps', () => {
  expect(rawAgreement(DIAGNOSES, { interval: false }).value).toBeCloseTo(5 / 9, 12);
  expect(rawAgreement(TWELVE_UNITS, { interval: false })).toMatchObject({ n: 11, left: 1 });
  expect(rawAgreement(TWELVE_UNITS, { interval: false }).value).toBeCloseTo(9 / 11, 12);
});

it('is 1 for one category, with a word that this says little', () => {
  const found = rawAgreement([
    ['a', 'a'],
    ['a', 'a'],
  ]);
  expect(found).toMatchObject({ value: 1, interval: null });
  expect(found.notes.join()).toContain('only one category');
  expect(found.noInterval).toContain('same value');
});
