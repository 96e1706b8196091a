import { describe, expect, it } from 'vitest';

import { cohenKappa } from '../../../src/stats/agreement/cohen-kappa.ts';
import { fleissKappa } from '../../../src/stats/agreement/pair-agreement.ts';
import { gwetAc1 } from '../../../src/stats/agreement/pair-agreement.ts';
import { krippendorffAlpha } from '../../../src/stats/agreement/krippendorff-alpha.ts';
import { rawAgreement } from '../../../src/stats/agreement/pair-agreement.ts';
import type { Agreement } from '../../../src/stats/agreement/agreement.ts';
import { DIAGNOSES, SKEWED, TWELVE_UNITS } from './worked-examples.ts';

function expectInterval({ interval }: Agreement, low: number, high: number): void {
  expect(interval?.low).toBeCloseTo(low, 12);
  expect(interval?.high).toBeCloseTo(high, 12);
}

// numpy 2.4: RandomState(42).randint(0, n, n) ten thousand times over the items in the order of their ratings, each
// coefficient by its definition on the rows drawn, np.percentile at 2.5 and 97.5.
describe('the interval of a coefficient', () => {
  it('is the middle 95 % of what 10,000 resamples of the items give', () => {
    expectInterval(cohenKappa(SKEWED), 0.0411877637810096, 0.5607028753993611);
    expectInterval(fleissKappa(DIAGNOSES), 0.31513525749858534, 0.5277185793695816);
    expectInterval(rawAgreement(DIAGNOSES), 0.4733333333333335, 0.6422222222222221);
    expectInterval(gwetAc1(TWELVE_UNITS), 0.5262772168399927, 1);
    expect(cohenKappa(SKEWED).interval).toMatchObject({ level: 0.95, method: 'bootstrap-percentile' });
  });

  it.each([
    ['nominal', 0.41844776119402993],
    ['ordinal', 0.4455055984390233],
    ['interval', 0.4253666425813445],
    ['ratio', 0.43211402100273894],
  ] as const)('follows the metric of alpha: %s', (metric, low) => {
    expectInterval(krippendorffAlpha(TWELVE_UNITS, { metric }), low, 1);
  });

  it('takes another level, seed and number of resamples', () => {
    expectInterval(
      rawAgreement(DIAGNOSES, { level: 0.9, seed: 7, resamples: 2000 }),
      0.48666666666666675,
      0.6288888888888887,
    );
    expect(() => rawAgreement(DIAGNOSES, { level: 95 })).toThrow('level 95');
    expect(() => rawAgreement(DIAGNOSES, { resamples: 0 })).toThrow('resamples 0');
  });

  it('that does not hold its own value is said to say little', () => {
    // 24 words, each used twice and never by both for one item: drawn twice, an item repeats its two words, chance
    // grows, and every resample lies below the value.
    const words = Array.from({ length: 24 }, (_, at) => [`w${at}`, `w${(at + 1) % 24}`]);
    const { value, interval, notes } = fleissKappa(words);
    expect(value).toBeCloseTo(-1 / 23, 12);
    expect(interval!.high).toBeLessThan(value!);
    expect(notes.join()).toContain('lies outside its own interval');
    expect(fleissKappa(DIAGNOSES).notes.join()).not.toContain('outside');
  });

  it('can be left out', () => {
    expect(cohenKappa(SKEWED, { interval: false })).toMatchObject({
      interval: null,
      noInterval: 'it was not asked for',
    });
  });

  it('is not drawn from one item', () => {
    for (const coefficient of [cohenKappa, fleissKappa, krippendorffAlpha, gwetAc1, rawAgreement])
      expect(coefficient([['a', 'b']])).toMatchObject({
        interval: null,
        noInterval: expect.stringContaining('one item'),
      });
    expect(cohenKappa([['a', 'b']]).value).toBe(0);
  });

  it('is not drawn where all resamples are alike: that would look like certainty', () => {
    const agreed = Array.from({ length: 30 }, (_, at) => (at % 2 === 0 ? ['a', 'a'] : ['b', 'b']));
    expect(cohenKappa(agreed)).toMatchObject({ value: 1, interval: null });
    expect(cohenKappa(agreed).noInterval).toContain('every resample gave the same value');
  });

  it('is not drawn where more than one resample in twenty has no value, and says how many', () => {
    // One b among ten: it is missing from (9/10)¹⁰ = 35 % of the resamples, which then hold one category only.
    const rare = [['b', 'b'], ...Array.from({ length: 9 }, () => ['a', 'a'])];
    const found = cohenKappa(rare);
    expect(found).toMatchObject({ value: 1, interval: null });
    expect(found.noInterval).toMatch(/undefined in 3\d\d\d of 10000 resamples/);
  });

  it('says how many resamples had no value where they are few, and that few items make it narrow', () => {
    // Six splits among forty: no split and no b with probability (34/40)⁴⁰ = 0.0015.
    const items = [...Array.from({ length: 6 }, () => ['a', 'b']), ...Array.from({ length: 34 }, () => ['a', 'a'])];
    expect(fleissKappa(items).notes.join()).toMatch(
      /undefined in \d{1,2} of 10000 resamples; the interval is of the others/,
    );
    expect(krippendorffAlpha(TWELVE_UNITS).notes.join()).toContain('from 11 items');
  });

  it('counts the resamples that were asked for, not those that had a value, when it asks whether they are enough', () => {
    // Level 0.99 takes 200 resamples. 3 of these 200 hold one category only (numpy 2.4, as above).
    const items = [
      [2, 2],
      [1, 2],
      [2, 2],
      [1, 2],
      [2, 2],
      [2, 1],
    ];
    const found = cohenKappa(items, { resamples: 200, level: 0.99 });
    expectInterval(found, -2 / 3, 0);
    expect(found.notes.join()).toContain('undefined in 3 of 200 resamples');
  });

  it('is not drawn where it would compare too many values by their ratio', () => {
    const many = Array.from({ length: 1100 }, (_, at) => [at + 1, at + 1101]);
    const found = krippendorffAlpha(many, { metric: 'ratio' });
    expect(found.value).not.toBeNull();
    expect(found.noInterval).toContain('2200 different values');
  });
});
