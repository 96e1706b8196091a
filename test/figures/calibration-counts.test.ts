import fc from 'fast-check';
import { describe, expect, test } from 'vitest';

import type { Fields } from '../../src/data/item.ts';
import type { Verdict } from '../../src/judge/verdict.ts';
import { planRecipe } from '../../src/recipe/plan.ts';
import { calibrationCounts, confidenceFields } from '../../src/figures/calibration-counts.ts';
import type { Calibration } from '../../src/figures/run-figures.ts';
import { hit, missed, spurious } from '../judge/verdicts.ts';
import { span } from '../pair/items.ts';

const FIELDS = ['confidence', 'score', 'probability'];

function calibrationOf(verdicts: readonly Verdict[], fields: readonly string[] = FIELDS): Calibration[] {
  const counts = calibrationCounts(['span'], fields);
  counts.add(verdicts);
  return counts.list();
}

/** A prediction with some fields that is right or wrong. */
function said(fields: Fields, right: boolean): Verdict {
  const item = span(0, 5, 'PERSON', { fields });
  return right ? hit(span(0, 5), item) : spurious(item);
}

function sure(confidence: number, right: boolean): Verdict {
  return said({ confidence }, right);
}

describe('calibration', () => {
  test('of a few predictions, worked out by hand', () => {
    const [found] = calibrationOf([
      sure(0.95, true),
      sure(0.93, true),
      sure(0.97, false),
      sure(0.95, true),
      sure(0.25, false),
      missed(span(20, 25)),
    ]);
    expect(found).toMatchObject({ kind: 'span', field: 'confidence', n: 5, leftOut: {} });
    expect(found!.bins).toHaveLength(10);
    expect(found!.bins[2]).toMatchObject({ from: 0.2, to: 0.3, n: 1, precision: 0 });
    expect(found!.bins[9]).toMatchObject({ from: 0.9, to: 1, n: 4, precision: 0.75 });
    expect(found!.bins[9]!.confidence).toBeCloseTo(0.95, 8);
    // Wilson's interval of 3 of 4.
    expect(found!.bins[9]!.interval!.low).toBeCloseTo(0.3006, 4);
    expect(found!.bins[9]!.interval!.high).toBeCloseTo(0.9544, 4);
    expect(found!.bins[0]).toEqual({ from: 0, to: 0.1, n: 0, confidence: null, precision: null, interval: null });
    // 4/5 · |0.75 − 0.95| + 1/5 · |0 − 0.25|
    expect(found!.error).toBeCloseTo(0.21, 8);
  });

  test('text that is a number counts as one, any other text as no confidence', () => {
    const [found] = calibrationOf(
      ['0.95', ' .5 ', '1e-1', 'NaN', 'Infinity', 'high', '', '90 %', true].map((confidence) =>
        said({ confidence }, true),
      ),
    );
    expect(found).toMatchObject({ n: 3, leftOut: { 'no number in confidence': 6 } });
    expect(found!.curve.map(({ confidence }) => confidence)).toEqual([0.95, 0.5, 0.1]);
  });

  test('the curve goes from the highest confidence down, equal ones together; recall is of all gold', () => {
    const [found] = calibrationOf([
      sure(0.9, true),
      sure(0.5, true),
      sure(0.5, false),
      sure(0.1, false),
      said({}, true),
      missed(span(20, 25)),
    ]);
    // Gold: three hits and one missed.
    expect(found!.curve).toEqual([
      { confidence: 0.9, kept: 1, precision: 1, recall: 0.25, f1: 2 / 5 },
      { confidence: 0.5, kept: 3, precision: 2 / 3, recall: 0.5, f1: 4 / 7 },
      { confidence: 0.1, kept: 4, precision: 0.5, recall: 0.5, f1: 0.5 },
    ]);
    expect(found!.leftOut).toEqual({ 'no number in confidence': 1 });
  });

  test('0 and 1 are in the first and the last bin; what lies beyond is left out and counted', () => {
    const [found] = calibrationOf([sure(0, false), sure(1, true), sure(1.2, true), sure(-0.1, true), sure(NaN, true)]);
    expect(found!.bins.map(({ n }) => n)).toEqual([1, 0, 0, 0, 0, 0, 0, 0, 0, 1]);
    expect(found!.leftOut).toEqual({ 'no number in confidence': 1, 'confidence below 0 or above 1': 2 });
  });

  test('the tenths are the first of their bins', () => {
    const tenths = [0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8, 0.9];
    const [found] = calibrationOf(tenths.map((confidence) => sure(confidence, true)));
    expect(found!.bins.map(({ n }) => n)).toEqual([0, 1, 1, 1, 1, 1, 1, 1, 1, 1]);
  });

  test('the field that most predictions have; of equals the first', () => {
    expect(calibrationOf([said({ score: 0.5, probability: 0.4 }, true)])[0]!.field).toBe('score');
    const more = [said({ score: 0.5 }, true), said({ probability: 0.4 }, true), said({ probability: 0.4 }, true)];
    expect(calibrationOf(more)[0]!.field).toBe('probability');
  });

  test('none where no prediction says how sure it is, and what every object has is no confidence', () => {
    expect(calibrationOf([said({}, true), missed(span(0, 5))])).toEqual([]);
    expect(calibrationOf([said({ confidence: 'NaN' }, true)])).toEqual([]);
    expect(calibrationOf([said({}, true)], ['constructor'])).toEqual([]);
  });

  test('excused predictions stay out', () => {
    const aside: Verdict = { ...sure(0.9, false), verdict: 'excused' };
    expect(calibrationOf([aside, sure(0.8, true)])[0]!.n).toBe(1);
  });

  test('a curve has at most 200 points, among them the first, the last and the best', () => {
    const all = Array.from({ length: 1000 }, (_, at) => sure((1000 - at) / 1000, at < 333));
    const [found] = calibrationOf(all);
    expect(found!.curve.length).toBeLessThanOrEqual(200);
    expect(found!.curve[0]).toMatchObject({ kept: 1 });
    expect(found!.curve.at(-1)).toMatchObject({ kept: 1000 });
    expect(found!.curve.some(({ kept, f1 }) => kept === 333 && f1 === 1)).toBe(true);
  });

  test('more confidences than can be told apart are cut to four decimals, and the sums stay', () => {
    const many = 60_000;
    const all = Array.from({ length: many }, (_, at) => sure(at / many, at % 2 === 0));
    const [found] = calibrationOf(all, ['confidence']);
    expect(found!.curve.at(-1)).toMatchObject({ confidence: 0, kept: many, precision: 0.5, recall: 1 });
    expect(found!.bins.every(({ n }) => n === many / 10)).toBe(true);
  });

  test('the order of the predictions changes nothing', () => {
    const one = fc.tuple(fc.double({ min: 0, max: 1, noNaN: true }), fc.boolean());
    fc.assert(
      fc.property(fc.array(one, { maxLength: 30 }), (given) => {
        const verdicts = given.map(([confidence, right]) => sure(confidence, right));
        expect(calibrationOf(verdicts.toReversed())).toEqual(calibrationOf(verdicts));
      }),
      { seed: 20267, numRuns: 100 },
    );
  });
});

describe('the field of a confidence', () => {
  test('is the one by which the recipe drops predictions', async () => {
    const plan = await planRecipe({ task: 'pii', prepare: { sure: { rule: 'min-confidence', field: 'p', min: 0.2 } } });
    expect(confidenceFields(plan)).toEqual(['p']);
  });

  test('is one of the usual ones where the recipe says nothing, or has the rule switched off', async () => {
    const plan = await planRecipe({ task: 'pii', prepare: { 'min-confidence': 'off' } });
    expect(confidenceFields(plan)).toEqual(['confidence', 'score', 'probability']);
  });
});
