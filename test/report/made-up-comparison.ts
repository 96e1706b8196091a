import type { ComparedSystem, Comparison, MeasureComparison, PairedTest } from '../../src/compare/comparison.ts';

export function test(pValue: number | null, more: Partial<PairedTest> = {}): PairedTest {
  return { pValue, undefined: null, method: 'exact', statistic: 3, n: 8, ...more };
}

/** A measure that a system is 0.1 better in, with nothing special about it. */
export function difference(name: string, more: Partial<MeasureComparison> = {}): MeasureComparison {
  return {
    name,
    slice: {},
    family: 'all',
    direction: 'higher',
    system: 1,
    baseline: 0.7,
    other: 0.8,
    difference: 0.1,
    undefined: null,
    interval: { low: -0.05, high: 0.25, level: 0.95, method: 'bootstrap-percentile' },
    noInterval: null,
    constant: false,
    units: 100,
    differing: 60,
    fixed: false,
    permutation: test(0.2, { method: 'resampled' }),
    wilcoxon: test(0.25, { method: 'approx' }),
    mcnemar: null,
    effect: { dz: 0.15, rankBiserial: 0.2, standardised: 0.13 },
    wins: 35,
    losses: 25,
    ties: 40,
    withoutPair: 0,
    adjusted: 0.4,
    verdict: 'no difference shown',
    needed: 470,
    ...more,
  };
}

/** A difference that was shown. */
export function shown(name: string, more: Partial<MeasureComparison> = {}): MeasureComparison {
  return difference(name, {
    interval: { low: 0.04, high: 0.16, level: 0.95, method: 'bootstrap-percentile' },
    permutation: test(0.003, { method: 'resampled' }),
    wilcoxon: test(0.004, { method: 'approx' }),
    adjusted: 0.006,
    verdict: 'better',
    ...more,
  });
}

export function system(name: string, more: Partial<ComparedSystem> = {}): ComparedSystem {
  return {
    name,
    folder: `runs/${name}`,
    signature: `assay:0|task:pii|predicted:${name}`,
    cases: 100,
    failed: 0,
    unanswered: 0,
    unpaired: { n: 0, cases: [] },
    ...more,
  };
}

export function comparison(
  measures: readonly MeasureComparison[] = [difference('f1')],
  more: Partial<Comparison> = {},
): Comparison {
  return {
    systems: [system('old'), system('new')],
    paired: 100,
    failed: 0,
    unit: 'case',
    units: 100,
    level: 0.95,
    resamples: 10_000,
    seed: 42,
    corrections: [
      {
        family: 'all',
        method: 'holm',
        tests: measures.filter(({ adjusted }) => adjusted !== null).length,
        swaps: 10_000,
      },
    ],
    measures,
    ranking: [],
    changes: {
      by: null,
      systems: [{ system: 1, worse: 25, better: 35, others: 5, unchanged: 35, errors: { baseline: 120, other: 100 } }],
    },
    moved: [],
    notices: [],
    ...more,
  };
}
