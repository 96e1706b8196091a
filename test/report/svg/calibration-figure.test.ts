import fc from 'fast-check';
import { describe, expect, it } from 'vitest';

import { calibrationFigure } from '../../../src/report/svg/calibration-figure.ts';
import { precisionRecallFigure } from '../../../src/report/svg/precision-recall-figure.ts';
import type { Calibration } from '../../../src/figures/run-figures.ts';
import { dangerous, HOSTILE } from '../made-up-run.ts';
import { placesOf, words } from './made-up-figures.ts';
import { expectWellFormed } from './well-formed.ts';

function bins(
  counts: Readonly<Record<number, readonly [n: number, precision: number, confidence: number]>>,
): Calibration['bins'] {
  return Array.from({ length: 10 }, (_, at) => {
    const [n, precision, confidence] = counts[at] ?? [0, null, null];
    return {
      from: at / 10,
      to: (at + 1) / 10,
      n,
      confidence,
      precision,
      interval: precision === null ? null : { low: Math.max(0, precision - 0.2), high: Math.min(1, precision + 0.1) },
    };
  });
}

const CALIBRATION: Calibration = {
  kind: 'span',
  field: 'score',
  n: 60,
  leftOut: { 'no number in score': 4 },
  bins: bins({ 6: [20, 0.5, 0.65], 9: [40, 0.8, 0.95] }),
  error: 0.15,
  curve: [
    { confidence: 0.95, kept: 40, precision: 0.8, recall: 0.64, f1: 0.711 },
    { confidence: 0.65, kept: 60, precision: 0.7, recall: 0.84, f1: 0.764 },
  ],
};

describe('the reliability diagram', () => {
  const svg = calibrationFigure(CALIBRATION);

  it('has a dot at the mean confidence and the precision of each tenth, and the diagonal', () => {
    // 46 to 344 across; 190 units from 25 down, below the name of the axis: 0.65 of the way is 239.7, half of it 120.
    expect(placesOf(svg)).toEqual([
      [239.7, 120],
      [329.1, 63],
    ]);
    expect(svg).toMatch(/<line class="axis" x1="46" y1="215" x2="344" y2="25"[^>]*stroke-dasharray/);
  });

  it('says how many predictions each tenth has, how far off they are, and what was left out', () => {
    const text = words(svg);
    expect(svg).toContain('Confidence 0.6 to 0.7: mean 0.650, precision 0.500 (0.300 to 0.600), 20 predictions.');
    expect(text).toContain('Expected calibration error 0.150 (lower is better), n = 60.');
    expect(text).toContain('Left out: 4 (no number in score).');
  });

  it('shows large numbers in short', () => {
    const large = calibrationFigure({
      ...CALIBRATION,
      bins: bins({ 3: [12_345, 0.5, 0.35], 9: [2_345_678, 0.8, 0.95] }),
    });
    expect(large).toMatch(/>12k<|>12\.3k</);
    expect(large).toMatch(/>2\.3M<|>2M</);
  });

  it('says so where there is nothing to draw', () => {
    const none = calibrationFigure({ ...CALIBRATION, n: 0, error: null, bins: bins({}) });
    expect(words(none)).toContain('no prediction has a confidence');
  });
});

describe('precision and recall by confidence', () => {
  const svg = precisionRecallFigure(CALIBRATION);

  it('draws the curve from the surest predictions down', () => {
    // 46 to 344 across; 210 units from 25 down.
    expect(svg).toContain('d="M236.72,67L296.32,88"');
  });

  it('names the highest F1 and what all predictions give, and warns of choosing by it', () => {
    const text = words(svg);
    expect(text).toContain('Highest F1 0.764 with score from 0.65: precision 0.700, recall 0.840, 60 kept.');
    expect(text).toContain('All 60 kept');
    expect(text).toContain('will do less well on others');
  });

  it('says so where there is no gold', () => {
    const none = precisionRecallFigure({
      ...CALIBRATION,
      curve: CALIBRATION.curve.map((one) => ({ ...one, recall: null })),
    });
    expect(words(none)).toContain('there is no gold to recall');
  });
});

describe('figures of confidences of any data', () => {
  const share = fc.double({ min: 0, max: 1, noNaN: true });
  const any = fc.record({
    counts: fc.dictionary(fc.constantFrom('0', '3', '9'), fc.tuple(fc.integer({ min: 1, max: 1e9 }), share, share)),
    curve: fc.array(
      fc.record({
        confidence: share,
        kept: fc.integer({ min: 1, max: 1e9 }),
        precision: share,
        recall: share,
        f1: share,
      }),
      { maxLength: 5 },
    ),
  });

  it('are sound, and let nothing through that acts', () => {
    fc.assert(
      fc.property(any, ({ counts, curve }) => {
        const given: Calibration = {
          ...CALIBRATION,
          field: HOSTILE,
          bins: bins(counts),
          curve,
          leftOut: { [HOSTILE]: 1 },
        };
        for (const svg of [calibrationFigure(given), precisionRecallFigure(given)]) {
          expectWellFormed(svg);
          expect(dangerous(svg)).toEqual([]);
          expect(svg).not.toMatch(/NaN|Infinity|undefined/);
        }
      }),
      { seed: 20267, numRuns: 60 },
    );
  });
});
