import { describe, expect, it } from 'vitest';

import { drawnValuesOf } from '../../src/measure/drawn-values.ts';
import { distanceFromBest } from '../../src/measure/measure.ts';
import { buildMeasures } from '../../src/measure/measures.ts';
import { Tally } from '../../src/measure/tally.ts';
import { drawnColumnsAt, type DrawnSums, sumsAt, totals } from '../../src/measure/unit-sums.ts';
import { MersenneTwister } from '../../src/stats/mersenne-twister.ts';
import { verdictsOf } from '../stats/made-up-counts.ts';

const DRAWS = 400;
const LABELS = ['A', 'B', 'C'];

/** One of each form whose values are worked out together. */
const FORMS = {
  precision: {},
  recall: {},
  f1: {},
  f2: { of: 'f1', beta: 2 },
  right_kind: { of: 'f1', require: ['kind'] },
  macro_precision: {},
  macro_recall: {},
  macro_f1: {},
  over_extraction: {},
  kinds: { of: 'accuracy', attributes: ['kind'] },
  hits: { of: 'count', verdict: 'hit' },
  missed: { of: 'verdict-share', verdict: 'missed' },
} as const;

/** Sums of many draws, half of them 0, so that labels do not occur and measures have no value. */
function madeUpSums(columns: number): DrawnSums {
  const random = new MersenneTwister(3);
  const sums = Float64Array.from({ length: columns * DRAWS }, () => (random.below(2) === 0 ? 0 : random.below(40)));
  // Some columns are empty.
  const starts = Int32Array.from({ length: columns }, (_, at) => (at % 11 === 7 ? -1 : at * DRAWS));
  return { sums, starts, at: 0 };
}

describe('values of many draws together', () => {
  it.each([null, 0, 1])('are those of one after the other, to the bit: zeroDivision %s', (zeroDivision) => {
    const { measures } = buildMeasures(FORMS, zeroDivision);
    const tally = new Tally(measures, ['label']);
    for (const [at, label] of LABELS.entries()) tally.add({ case: label }, null, verdictsOf([3 + at, 1, 2, 1], label));
    const { table } = tally.groups()[0]!;
    const drawn = madeUpSums(table.columns.length);
    const different = new Set<number>();
    for (const measure of measures)
      for (const label of measure.byLabel ? [-1, 0, 1, 2] : [-1]) {
        const whole = measure.value(sumsAt(table, totals(table), label));
        const view = sumsAt(table, drawn, label);
        const expected = Array.from({ length: DRAWS }, (_, at) => {
          drawn.at = at;
          const { value, n } = measure.value(view);
          // A mean over labels that has lost one of them is another quantity.
          return measure.overLabels === true && n < whole.n ? NaN : (value ?? NaN);
        });
        const columns = drawnColumnsAt(table, drawn, DRAWS, label, () => new Float64Array(DRAWS));
        const found = drawnValuesOf(measure)!(columns, measure.overLabels === true ? whole.n : 0);
        expect([measure.name, label, ...found]).toEqual([measure.name, label, ...expected]);
        found.forEach((value) => different.add(value));
      }
    expect(different.size).toBeGreaterThan(1000);
  });

  it('belong to the value: a measure that is given another one has none', () => {
    const [measure] = buildMeasures({ over_extraction: {} }, null).measures;
    expect(drawnValuesOf(measure!)).toBeDefined();
    expect(drawnValuesOf(distanceFromBest(measure!))).toBeUndefined();
  });
});
