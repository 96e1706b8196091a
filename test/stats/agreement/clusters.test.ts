import { describe, expect, it } from 'vitest';

import type { AgreementOptions } from '../../../src/stats/agreement/agreement.ts';
import { cohenKappa } from '../../../src/stats/agreement/cohen-kappa.ts';
import { fleissKappa } from '../../../src/stats/agreement/pair-agreement.ts';
import { krippendorffAlpha } from '../../../src/stats/agreement/krippendorff-alpha.ts';
import type { Ratings } from '../../../src/stats/agreement/rating.ts';
import { surenessOf } from '../../../src/stats/agreement/sureness.ts';
import { USUAL_RESAMPLES } from '../../../src/stats/resample-settings.ts';

/** Thirty answers with four claims each: a rater who is wrong about an answer is wrong about all its claims. */
const LABELS = ['g', 'h', 'p', 'g'];
const answers = Array.from({ length: 30 }, (_, at) =>
  LABELS.map((label, claim) => [label, at % 5 === 0 ? LABELS[(claim + 1) % 4]! : label]),
);
const rows = answers.flat();
const clusters = answers.flatMap((own, at) => own.map(() => at));
const settings = { resamples: 500, level: 0.95, seed: 42 };

const coefficients: Record<string, (ratings: Ratings, options: AgreementOptions) => ReturnType<typeof cohenKappa>> = {
  "Cohen's kappa": cohenKappa,
  "Fleiss' kappa": fleissKappa,
  "Krippendorff's alpha": krippendorffAlpha,
};

describe('an interval from items that hang together', () => {
  for (const [name, coefficient] of Object.entries(coefficients)) {
    it(`draws whole clusters: ${name}`, () => {
      // The same clusters drawn, each resample written out row by row; in the order in which equal ones stand together.
      const sorted = answers.toSorted((a, b) => JSON.stringify(a).localeCompare(JSON.stringify(b)));
      const whole = coefficient(rows, { interval: false }).value;
      const longhand = surenessOf(
        new Float64Array(sorted.length).fill(1),
        whole,
        settings,
        (times) => {
          const drawn = sorted.flatMap((own, at) => Array.from({ length: times[at]! }, () => own).flat());
          return coefficient(drawn, { interval: false }).value;
        },
        'cluster',
      );
      const found = coefficient(rows, { ...settings, clusters });
      expect(found.value).toBe(whole);
      expect(found.interval!.low).toBeCloseTo(longhand.interval!.low, 1);
      expect(found.interval!.high).toBeCloseTo(longhand.interval!.high, 1);
    });
  }

  it('is wider than one from single items, and the same whatever the order of the items', () => {
    const single = cohenKappa(rows, settings).interval!;
    const whole = cohenKappa(rows, { ...settings, clusters }).interval!;
    expect(whole.high - whole.low).toBeGreaterThan(1.5 * (single.high - single.low));
    const turned = cohenKappa(rows.toReversed(), { ...settings, clusters: clusters.toReversed() });
    expect(turned.interval).toEqual(whole);
  });

  it('is the usual one where every item stands alone', () => {
    const alone = rows.map((_, at) => at);
    expect(cohenKappa(rows, { ...settings, clusters: alone }).interval).toEqual(cohenKappa(rows, settings).interval);
  });

  it('leaves out clusters without an item that is used, and refuses a list of another length', () => {
    const gaps = [...rows, ['g', null], ['h', null]];
    const more = [...clusters, 98, 99];
    expect(cohenKappa(gaps, { ...settings, clusters: more }).interval).toEqual(
      cohenKappa(rows, { ...settings, clusters }).interval,
    );
    expect(() => cohenKappa(rows, { ...USUAL_RESAMPLES, clusters: [1] })).toThrow(
      'one for each of the 120 items, found 1',
    );
  });
});
