import { describe, expect, test } from 'vitest';

import type { Case } from '../../src/data/case.ts';
import { planRecipe } from '../../src/recipe/plan.ts';
import { FiguresWatch } from '../../src/figures/figures-watch.ts';
import type { RunFigures } from '../../src/figures/run-figures.ts';
import { scoreCases } from '../../src/score/score.ts';
import { caseOf, span } from '../pair/items.ts';
import { madeUpRun } from '../report/made-up-run.ts';

async function figuresOf(recipe: string | object, cases: readonly Case[]): Promise<RunFigures> {
  const plan = await planRecipe(recipe, ['interval=off']);
  const watch = new FiguresWatch(plan);
  await scoreCases(plan, cases, watch.sink);
  return watch.finish(madeUpRun(), { waterfall: null, noWaterfall: 'nobody asked' });
}

const CASES = [
  caseOf({
    id: 'c1',
    text: 'Ann met Bo in Oslo',
    gold: [span(0, 3), span(8, 10), span(14, 18, 'LOC')],
    predicted: [
      span(0, 3, 'PERSON', { fields: { score: 0.9 } }),
      span(8, 10, 'LOC', { fields: { score: 0.7 } }),
      span(4, 7, 'PERSON', { fields: { score: 0.2 } }),
    ],
  }),
  caseOf({ id: 'c2', text: 'nobody', gold: [], predicted: [], failed: 'no answer' }),
];

describe('figures of a run', () => {
  test('are collected while cases are scored', async () => {
    const figures = await figuresOf('pii/strict', CASES);
    expect(Object.keys(figures)).toEqual([
      'format',
      'signature',
      'taxonomy',
      'calibration',
      'attributes',
      'ceiling',
      'waterfall',
      'noWaterfall',
    ]);
    expect(figures).toMatchObject({
      format: 1,
      signature: madeUpRun().manifest.signature,
      attributes: [],
      ceiling: [],
      waterfall: null,
      noWaterfall: 'nobody asked',
    });
    const [taxonomy] = figures.taxonomy;
    expect(taxonomy).toMatchObject({ kind: 'span', hit: 1, missed: 2, spurious: 2, f1: 1 / 3 });
    expect(taxonomy!.errors.filter(({ gap }) => gap > 0).map(({ type, cases }) => [type, cases])).toEqual([
      ['type', { total: 1, shown: ['c1'] }],
      ['missed', { total: 1, shown: ['c1'] }],
      ['spurious', { total: 1, shown: ['c1'] }],
    ]);
    expect(figures.calibration).toMatchObject([{ kind: 'span', field: 'score', n: 3, leftOut: {} }]);
  });

  test('are of the recipe’s own pairing, whatever schemes stand beside it', async () => {
    const own = await figuresOf('pii/strict', CASES);
    const many = await figuresOf('pii/every-scheme', CASES);
    expect(many.taxonomy.map(({ f1 }) => f1)).toEqual(own.taxonomy.map(({ f1 }) => f1));
    expect(many.calibration).toEqual(own.calibration);
  });

  test('are the same when they are made again', async () => {
    expect(JSON.stringify(await figuresOf('pii/piranha', CASES))).toBe(
      JSON.stringify(await figuresOf('pii/piranha', CASES)),
    );
  });
});
