import type { MeasureComparison, PairedTest } from '../../../../src/compare/comparison.ts';

const noTest: PairedTest = { pValue: null, undefined: 'not asked', method: 'exact', statistic: null, n: 0 };

/** A measure beside the baseline of which only what matters is given. */
export function row(given: Partial<MeasureComparison>): MeasureComparison {
  return {
    name: 'f1',
    slice: {},
    family: given.slice === undefined ? 'all' : 'slices',
    direction: 'higher',
    system: 1,
    baseline: 0.5,
    other: 0.5,
    difference: 0,
    undefined: null,
    interval: null,
    noInterval: null,
    constant: false,
    units: 10,
    differing: 5,
    fixed: false,
    permutation: noTest,
    wilcoxon: noTest,
    mcnemar: null,
    effect: { dz: null, rankBiserial: null, standardised: null },
    wins: 0,
    losses: 0,
    ties: 0,
    withoutPair: 0,
    adjusted: null,
    verdict: 'no difference shown',
    needed: null,
    ...given,
  };
}
