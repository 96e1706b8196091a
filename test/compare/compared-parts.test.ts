import { describe, expect, test } from 'vitest';

import { compareRuns } from '../../src/compare/compare-runs.ts';
import type { Comparison } from '../../src/compare/comparison.ts';
import type { Counts } from '../stats/made-up-counts.ts';
import { eachOf, folders, SPANS, spansCase, spansCases } from '../score/scored-folders.ts';

const scoredAll = eachOf(folders());

const twinsOf = ({ measures }: Comparison): unknown[] =>
  measures.flatMap(({ name, slice, sameAs }) =>
    sameAs === undefined ? [] : [[name, sameAs, ...Object.values(slice)]],
  );

/** Two runs of 12 cases; the second finds one more span in every other case. */
const BEFORE = Array.from({ length: 12 }, (_, at): Counts => [1, at % 2, 3]);
const AFTER = BEFORE.map(([hit, spurious, missed], at): Counts =>
  at % 2 === 0 ? [hit + 1, spurious, missed - 1] : [hit, spurious, missed],
);

test('a constant, such as precision without false positives, is no test although its counts differ', async () => {
  const exact = BEFORE.map(([hit, , missed]): Counts => [hit, 0, missed]);
  const more = AFTER.map(([hit, , missed]): Counts => [hit, 0, missed]);
  const runs = await scoredAll('constant', [spansCases(exact), spansCases(more)]);
  const { measures, corrections } = await compareRuns(runs, { slices: true });
  // Recall and F1 are left, of all and of label X.
  expect(corrections).toMatchObject([
    { family: 'all', tests: 2 },
    { family: 'slices', tests: 2 },
  ]);
  const [precision, recall] = measures;
  expect(precision).toMatchObject({ name: 'precision', differing: 6, fixed: true, adjusted: 1 });
  expect(recall).toMatchObject({ name: 'recall', fixed: false, adjusted: 4 / 64 });
  // The same value from false positives that move: not a constant.
  const apart = (at: number): Counts[] => BEFORE.map(([hit, , missed], place) => [hit, Number(place === at), missed]);
  const moved = await compareRuns(await scoredAll('moved', [spansCases(apart(2)), spansCases(apart(4))]));
  expect(moved.measures[0]).toMatchObject({ name: 'precision', difference: 0, fixed: false });
});

describe('a twin, the same number in every case of both runs,', () => {
  test('is one test with the measure before it, and has its p value', async () => {
    const recipe = {
      ...SPANS,
      measure: {
        missed: { of: 'count', verdict: 'missed' },
        recall: {},
        missed_too: { of: 'count', verdict: 'missed' },
        spurious: { of: 'count', verdict: 'spurious' },
      },
    };
    const runs = await scoredAll('twins', [spansCases(BEFORE), spansCases(AFTER)], { recipe });
    const comparison = await compareRuns(runs, { slices: true });
    // By label X as well, in the family of slices.
    expect(twinsOf(comparison)).toEqual([
      ['missed_too', 'missed'],
      ['missed_too', 'missed', 'X'],
    ]);
    // spurious never differs: two tests are left.
    expect(comparison.corrections).toMatchObject([
      { family: 'all', tests: 2 },
      { family: 'slices', tests: 2 },
    ]);
    const [missed, , again, spurious] = comparison.measures;
    // Six cases went one way: 2 / 2⁶, twice.
    expect(missed).toMatchObject({ name: 'missed', adjusted: 4 / 64, differing: 6 });
    expect(again).toMatchObject({ adjusted: missed!.adjusted, verdict: missed!.verdict });
    expect(spurious).toMatchObject({ differing: 0, adjusted: 1, permutation: { pValue: 1 } });
  });

  test('may be a mean over labels if there is one label, or recall if it equals precision in every case', async () => {
    const recipe = { ...SPANS, measure: ['f1', 'macro_f1', 'precision', 'recall'] };
    const runs = await scoredAll('one-label', [spansCases(BEFORE), spansCases(AFTER)], { recipe });
    expect(twinsOf(await compareRuns(runs))).toEqual([['macro_f1', 'f1']]);
    // As many spurious as missed spans in each case: precision, recall and F1 are one number.
    const even = BEFORE.map(([hit, , missed]): Counts => [hit, missed, missed]);
    const more = AFTER.map(([hit, , missed]): Counts => [hit, missed, missed]);
    const same = await compareRuns(await scoredAll('even', [spansCases(even), spansCases(more)], { recipe }));
    expect(twinsOf(same)).toEqual([
      ['macro_f1', 'f1'],
      ['precision', 'f1'],
      ['recall', 'f1'],
    ]);
    expect(same.corrections).toMatchObject([{ tests: 1 }]);
  });

  test('is not a measure with the same totals from other cases', async () => {
    const recipe = {
      ...SPANS,
      measure: { missed: { of: 'count', verdict: 'missed' }, spurious: { of: 'count', verdict: 'spurious' } },
    };
    const cases = (missed: number, spurious: number) =>
      Array.from({ length: 8 }, (_, at) =>
        spansCase(`c${at}`, [2, at === 5 ? spurious : 1, at === 2 ? missed : 1] satisfies Counts),
      );
    // Both totals go from 9 to 8, in one case each.
    const [a, b] = [cases(2, 2), cases(2, 1)];
    const gold = b.map((one, at) =>
      at === 2 ? { ...one, predicted: [...one.gold.slice(0, 3), ...one.predicted.slice(2)] } : one,
    );
    const comparison = await compareRuns(await scoredAll('totals', [a, gold], { recipe }));
    const [missed, spurious] = comparison.measures;
    expect([missed!.baseline, spurious!.baseline]).toEqual([9, 9]);
    expect([missed!.other, spurious!.other]).toEqual([8, 8]);
    expect(twinsOf(comparison)).toEqual([]);
    expect(comparison.corrections).toMatchObject([{ tests: 2 }]);
  });
});
