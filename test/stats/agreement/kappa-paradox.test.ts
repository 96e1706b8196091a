import { describe, expect, it } from 'vitest';

import { cohenKappa } from '../../../src/stats/agreement/cohen-kappa.ts';
import { fleissKappa } from '../../../src/stats/agreement/fleiss-kappa.ts';
import { krippendorffAlpha } from '../../../src/stats/agreement/krippendorff-alpha.ts';
import { kappaParadox } from '../../../src/stats/agreement/kappa-paradox.ts';
import { ABSTRACTORS, BALANCED, SKEWED } from './worked-examples.ts';

const quick = { interval: false } as const;

describe('the kappa paradox (Feinstein and Cicchetti 1990)', () => {
  it('is named with its figures where agreement is 0.85 and kappa 0.32', () => {
    const [note] = cohenKappa(SKEWED, quick).notes;
    expect(note).toMatch(/^the kappa paradox: /);
    // 175 of 200 ratings are of category 1; AC1 = 101/125.
    for (const figure of ['0.85', '0.318', '0.875', '0.78', '0.808', 'Feinstein and Cicchetti 1990'])
      expect(note).toContain(figure);
  });

  it("is named for Fleiss' kappa and nominal alpha too", () => {
    expect(fleissKappa(SKEWED, quick).notes.join()).toContain('yet kappa is 0.314');
    expect(krippendorffAlpha(SKEWED, quick).notes.join()).toContain('yet alpha is 0.318');
  });

  it('is not named where categories are balanced or kappa is high as well', () => {
    expect(cohenKappa(BALANCED, quick).notes).toEqual([]);
    expect(cohenKappa(ABSTRACTORS, quick).notes).toEqual([]);
  });

  it('bites from agreement 0.8 and a gap of 0.2 to AC1 on', () => {
    const figures = { name: 'kappa', expected: 0.7, categories: ['a', 'b'], totals: Float64Array.of(9, 1) };
    expect(kappaParadox({ ...figures, observed: 0.8, value: 0.49, ac1: 0.7 })).not.toBeNull();
    expect(kappaParadox({ ...figures, observed: 0.79, value: 0.49, ac1: 0.7 })).toBeNull();
    expect(kappaParadox({ ...figures, observed: 0.8, value: 0.51, ac1: 0.7 })).toBeNull();
    expect(kappaParadox({ ...figures, observed: 0.8, value: null, ac1: 0.7 })).toBeNull();
  });
});
