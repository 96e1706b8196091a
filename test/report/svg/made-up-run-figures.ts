import { planRecipe } from '../../../src/recipe/plan.ts';
import type { ConfusionCell } from '../../../src/report/svg/confusion-figure.ts';
import { ERROR_TYPES } from '../../../src/judge/error-type.ts';
import type { Calibration, Ceiling, Taxonomy } from '../../../src/figures/run-figures.ts';
import { type Sweep, sweepRecipe } from '../../../src/compare/sweep/sweep.ts';
import { waterfallOf } from '../../../src/compare/waterfall/make-waterfall.ts';
import type { Waterfall } from '../../../src/compare/waterfall/waterfall.ts';
import { caseOf, object } from '../../pair/items.ts';
import { alike, IOU, QUICK, system } from '../../compare/sweep/made-up-systems.ts';
import { HOSTILE } from '../made-up-run.ts';

/* What figures of a run are drawn from, with hostile text wherever text comes from files. */

const between = (low: number, high: number) => ({ low, high, level: 0.95, method: HOSTILE });

export const TAXONOMY: Taxonomy = {
  kind: 'span',
  hit: 3,
  missed: 9,
  spurious: 9,
  f1: 0.25,
  undefined: null,
  errors: ERROR_TYPES.map((type) => ({
    type,
    missed: 1,
    spurious: 1,
    lostCredit: 0,
    gap: 0.75 / ERROR_TYPES.length,
    f1IfFixed: 0.333,
    cases: { total: 1, shown: [HOSTILE] },
  })),
};

export const NO_ERRORS: Taxonomy = {
  ...TAXONOMY,
  missed: 0,
  spurious: 0,
  f1: 1,
  errors: TAXONOMY.errors.map((one) => ({ ...one, missed: 0, spurious: 0, gap: 0, f1IfFixed: 1 })),
};

export const CALIBRATION: Calibration = {
  kind: 'entity',
  field: HOSTILE,
  n: 60,
  leftOut: { [`no number in ${HOSTILE}`]: 4 },
  bins: Array.from({ length: 10 }, (_, at) => ({
    from: at / 10,
    to: (at + 1) / 10,
    n: at < 4 ? 0 : 10,
    confidence: at < 4 ? null : at / 10 + 0.05,
    precision: at < 4 ? null : at / 10,
    interval: at < 4 ? null : { low: at / 10 - 0.1, high: at / 10 + 0.1 },
  })),
  error: 0.05,
  curve: [
    { confidence: 0.95, kept: 40, precision: 0.8, recall: 0.64, f1: 0.711 },
    { confidence: 0.65, kept: 60, precision: 0.7, recall: 0.84, f1: 0.764 },
  ],
};

export const CEILING: Ceiling = {
  measure: HOSTILE,
  about: HOSTILE,
  cases: 12,
  people: [
    { name: HOSTILE, value: 0.9, n: 12, interval: between(0.8, 1) },
    { name: 'cy', value: null, n: 5, interval: null },
  ],
  human: { value: 0.85, undefined: null, interval: between(0.75, 0.95) },
  system: { value: 0.6, undefined: null, interval: between(0.5, 0.7) },
  difference: { value: -0.25, interval: between(-0.3, -0.2) },
  verdict: 'below people',
};

const nobody = { value: null, undefined: HOSTILE, interval: null };
export const NO_CEILING: Ceiling = {
  ...CEILING,
  people: [],
  human: nobody,
  system: nobody,
  difference: { value: null, interval: null },
  verdict: 'too little data',
};

export const CONFUSION: readonly ConfusionCell[] = [
  { gold: HOSTILE, predicted: HOSTILE, n: 18 },
  { gold: HOSTILE, predicted: 'LOC', n: 2 },
  { gold: 'LOC', predicted: null, n: 3 },
  { gold: null, predicted: HOSTILE, n: 4 },
];

export async function madeUpWaterfall(): Promise<Waterfall> {
  const plan = await planRecipe({
    task: 'journal',
    pair: { gate: ['label'], similarity: 'jaccard', threshold: 0.5 },
    judge: { 'excuse-missed': { labels: ['mood'], because: HOSTILE } },
    measure: { f1: {} },
  });
  const found = await waterfallOf(plan, [
    caseOf({
      gold: [object('food', HOSTILE), object('food', 'red dal'), object('mood', 'calm')],
      predicted: [object('food', HOSTILE), object('food', 'dal'), object('mood', 'cross')],
    }),
  ]);
  return {
    ...found,
    recipe: HOSTILE,
    kept: [HOSTILE],
    shown: HOSTILE,
    measures: [{ name: HOSTILE, direction: 'higher' }],
    steps: found.steps.map((step) => ({
      ...step,
      path: `judge.${HOSTILE}`,
      setting: HOSTILE,
      measures: { [HOSTILE]: step.measures['f1'] ?? null },
    })),
  };
}

export async function madeUpSweep(over: readonly string[], systems: 1 | 2): Promise<Sweep> {
  const [one, two] = [alike(8, 10), alike(8, 6)];
  const all = [system('one', [...one, ...two]), system('two', [...two, ...two])];
  const found = await sweepRecipe({ recipe: IOU, over: [...over], set: [...QUICK], systems: all.slice(0, systems) });
  return {
    ...found,
    recipe: HOSTILE,
    axes: found.axes.map((axis) => ({ ...axis, path: HOSTILE })),
    systems: found.systems.map((own) => ({ ...own, name: HOSTILE })),
    points: found.points.map((point) => ({ ...point, set: [HOSTILE] })),
    notices: [HOSTILE],
  };
}
