import { describe, expect, it } from 'vitest';

import type { WaterfallStep } from '../../../../src/compare/waterfall/waterfall.ts';
import {
  kindsOf,
  kindValues,
  moveWords,
  stepRows,
  withoutRows,
} from '../../../../web/src/report/figures/waterfall-rows.ts';

function step(path: string, hit: number): WaterfallStep {
  const counts = {
    kind: 'span',
    hit,
    missed: 10 - hit,
    spurious: 0,
    excused: 0,
    precision: 1,
    recall: hit / 10,
  } as const;
  return { path, setting: '', kinds: [{ ...counts, f1: null }], measures: {}, moves: null };
}

const waterfall = {
  steps: [step('strict', 2), step('prepare.merge', 5), step('pair.tolerance', 7)],
  without: [step('prepare.merge', 4)],
};

describe('the rows of a waterfall', () => {
  it('stand each beside the row before, and the start beside nothing', () => {
    const rows = stepRows(waterfall, 'span');
    expect(rows.map(({ step: { path }, counts, before }) => [path, counts?.hit, before?.counts?.hit])).toEqual([
      ['strict', 2, undefined],
      ['prepare.merge', 5, 2],
      ['pair.tolerance', 7, 5],
    ]);
  });

  it('stand beside the whole recipe where a rule is taken away', () => {
    expect(withoutRows(waterfall, 'span').map(({ counts, before }) => [counts?.hit, before?.counts?.hit])).toEqual([
      [4, 7],
    ]);
  });

  it('give the numbers of one table, for one number of decimals', () => {
    expect(kindValues(waterfall.steps.slice(0, 2), 'span')).toEqual([1, 0.2, null, 1, 0.5, null]);
    expect(kindValues(waterfall.steps, 'entity')).toEqual([]);
  });

  it('have no counts of a kind that the recipe does not count', () => {
    expect(stepRows(waterfall, 'object').every(({ counts }) => counts === null)).toBe(true);
    expect(kindsOf(waterfall)).toEqual(['span']);
  });
});

describe('moves in words', () => {
  it('say the side, how many, and what they were and became', () => {
    expect(
      moveWords({
        by: [
          { side: 'predicted', from: 'spurious', to: 'hit', n: 6 },
          { side: 'gold', from: 'missed', to: null, n: 1 },
          { side: 'predicted', from: null, to: 'spurious', n: 1 },
        ],
      }),
    ).toEqual([
      '6 predictions: spurious → hit',
      '1 gold item: missed → no more there',
      '1 prediction: not there → spurious',
    ]);
  });
});
