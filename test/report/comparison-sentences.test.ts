import { describe, expect, it } from 'vitest';

import { comparisonNotices } from '../../src/report/comparison-sentences.ts';
import { generalSentences, rowSentences } from '../../src/report/comparison-sentences.ts';
import { clusterSentences, nameList, measureTitle } from '../../src/report/comparison-words.ts';
import type { Comparison, MeasureComparison } from '../../src/compare/comparison.ts';
import { comparison, difference, shown, system, test } from './made-up-comparison.ts';

const said = (rows: readonly MeasureComparison[], more: Partial<Comparison> = {}): string[] =>
  rowSentences(comparison(rows, more), rows);
const unsure = (name: string, more: Partial<MeasureComparison> = {}): MeasureComparison =>
  difference(name, { verdict: 'too little data', needed: 45, units: 8, differing: 8, ...more });

describe('what must not be misread in a comparison', () => {
  it('is nothing where test, interval and verdict agree', () => {
    expect(said([shown('f1'), difference('recall')])).toEqual([]);
  });

  it('names the cases that would be needed', () => {
    expect(said([unsure('f1'), unsure('recall', { needed: 1200 })])).toEqual([
      'Too little data. Cases needed to show a difference of the size seen, with a chance of 80 %: f1 about 45 and recall about 1,200; here 8 of 100 have anything to measure. The size seen is itself unsure.',
    ]);
    expect(said([unsure('f1'), unsure('recall', { units: 5 })])[0]).toContain(
      'f1 about 45 (8 here) and recall about 45 (5 here). The',
    );
    expect(said([unsure('f1')], { unit: 'patient', units: 8 })[0]).toMatch(
      /^Too little data. Groups needed.*; here 8 have anything/,
    );
  });

  it('says where so few cases differ that a clean sweep would not do', () => {
    // Four cases, all swaps: 2 of 16 are as extreme as a clean sweep. p = 0.125.
    const four = { units: 9, differing: 4, permutation: test(0.5), adjusted: 0.5 };
    expect(said([unsure('f1', four)])).toContain(
      'At most 4 cases differ: even if all of them went one way, p would be 0.125 at best.',
    );
    // Six cases: 2 of 64, in a family of two with a p of 0.2 beside it: 2 · 0.03125.
    const six = { units: 9, differing: 6, permutation: test(0.5) };
    expect(said([unsure('f1', six), difference('recall')])).toContain(
      'At most 6 cases differ: even if all of them went one way, p would be 0.063 at best after correction. Fewer measures (--measure, chosen before looking) mean less to correct for.',
    );
    // With five, one test alone would not do either, so that fewer tests are no advice.
    expect(said([unsure('f1', { ...six, differing: 5 }), difference('recall')])).toContain(
      'At most 5 cases differ: even if all of them went one way, p would be 0.125 at best after correction.',
    );
    // The same beside a p of 0.001, which Holm takes first: nothing is left to correct for.
    const first = shown('recall', { permutation: test(0.001) });
    expect(said([unsure('f1', six), first]).join(' ')).not.toContain('At most');
    expect(said([unsure('f1', { units: 9, differing: 1 })])).toContain(
      'At most 1 case differs: even if all of them went one way, p would be 1.000 at best.',
    );
  });

  it('says that nothing differs, and then names no number of cases', () => {
    const same = unsure('f1', {
      differing: 0,
      difference: 0,
      interval: null,
      noInterval: 'every resample was the same',
    });
    expect(said([same])).toEqual(['No case differs in f1: the answers count the same.']);
  });

  it('gives the reason for what is undefined, once for all that share it', () => {
    const none = { difference: null, undefined: 'undefined for the other: no pair matched', adjusted: null } as const;
    expect(
      said([
        unsure('a', { ...none, other: null, interval: null, permutation: test(null) }),
        unsure('b', { ...none, other: null, interval: null, permutation: test(null) }),
        difference('c', { interval: null, noInterval: 'there is one unit only' }),
      ]),
    ).toEqual(['– a and b: undefined for the other: no pair matched.', '– c: no interval: there is one unit only.']);
  });

  it('says once that resamples were undefined, however many they were in each slice', () => {
    const reason = (n: number) => `it is undefined in ${n} of 10000 resamples: too few units have anything to measure`;
    const slices = [502, 6053, 1320].map((n, at) =>
      difference('f1', { slice: { label: `L${at}` }, interval: null, noInterval: reason(n) }),
    );
    expect(said(slices)).toEqual([
      '– f1 (label L0), f1 (label L1) and f1 (label L2): no interval: it is undefined in 502 to 6053 of 10000 resamples: too few units have anything to measure.',
    ]);
    expect(said(slices.slice(0, 1))[0]).toBe(`– f1 (label L0): no interval: ${reason(502)}.`);
  });

  it('says which test decides where the permutation test and Wilcoxon disagree', () => {
    const rows = [
      shown('f1', { wilcoxon: test(0.2) }),
      difference('recall', { wilcoxon: test(0.0002) }),
      difference('precision', { wilcoxon: test(null) }),
    ];
    expect(said(rows)).toEqual([
      'The two tests fall on different sides of 0.05 before correction: f1 permutation p = 0.003, Wilcoxon p = 0.200; recall permutation p = 0.200, Wilcoxon p < 0.001. The permutation test is the one that counts: after every swap it works out the measure itself, while Wilcoxon ranks differences per case, whatever a case weighs.',
    ]);
  });

  it('says why nothing is shown where test and interval do not go together', () => {
    const interval = { low: 0.01, high: 0.2, level: 0.95, method: 'bootstrap-percentile' };
    const rows = [
      difference('f1', { interval, permutation: test(0.02), wilcoxon: test(0.02), adjusted: 0.06 }),
      difference('recall', { interval, permutation: test(0.07), units: 19 }),
      difference('accuracy', { interval, permutation: test(0.07), units: 20 }),
      shown('precision', { interval: { ...interval, low: -0.01 }, verdict: 'no difference shown' }),
    ];
    expect(said(rows)).toEqual([
      'The interval of f1 leaves out 0, but it is of one measure alone; p takes account of all 4 tests.',
      'The interval of recall leaves out 0, but the test does not show a difference: with few cases a resampled interval is too narrow.',
      'The interval of accuracy leaves out 0, but p is above 0.05: they ask in different ways, and a difference is shown only where both find it.',
      'p of precision is small, but the interval holds 0, so no difference is shown: the test also answers to how many items a system gives, the interval to the measure alone.',
    ]);
  });
});

describe('how the verdicts come about', () => {
  it('tells test, correction and threshold', () => {
    expect(generalSentences(comparison([shown('f1'), shown('recall')]))).toEqual([
      'p is of the paired permutation test, after Holm’s correction over 2 tests of all measures. Better or worse: p < 0.05 and the interval excludes 0.',
    ]);
    expect(generalSentences(comparison([shown('f1')], { level: 0.9 }))[0]).toBe(
      'p is of the paired permutation test, after Holm’s correction over 1 test of all measures. Better or worse: p < 0.1 and the interval excludes 0.',
    );
    expect(generalSentences(comparison([]))).toEqual([
      'Nothing was tested: no measure with a value differs in any case.',
    ]);
  });

  it('names each family, and the swaps that its tests need', () => {
    const corrections = [
      { family: 'primary', method: 'holm', tests: 2, swaps: 10_000 },
      { family: 'slices', method: 'holm', tests: 620, swaps: 12_400 },
    ] as const;
    expect(generalSentences(comparison([shown('f1')], { corrections }))).toEqual([
      'p is of the paired permutation test, after Holm’s correction over 2 tests of the recipe’s primary measures and, by itself, over 620 tests of the slices. Better or worse: p < 0.05 and the interval excludes 0.',
      '620 tests of the slices need more than 10,000 random swaps: 12,400 were drawn.',
      'Other measures can be compared with --measure.',
    ]);
  });

  it('names measures that are another one', () => {
    expect(rowSentences(comparison(), [shown('missed'), shown('errors', { sameAs: 'missed' })])).toEqual([
      'The same in every case, so counted as one test: errors is missed.',
    ]);
  });

  it('tells that no difference shown is not equal', () => {
    expect(generalSentences(comparison())[1]).toBe(
      'No difference shown does not mean equal: every difference within the interval fits these cases.',
    );
  });

  it('tells the floor of a resampled p where a p lies on it', () => {
    const lowest = shown('f1', { permutation: test(1 / 10_001, { method: 'resampled' }) });
    expect(generalSentences(comparison([lowest]))[1]).toBe(
      'From 10,000 random swaps no p can be smaller than 1 / 10,001 (before correction): the smallest here may be smaller still.',
    );
    const exact = shown('f1', { permutation: test(1 / 16_384) });
    expect(generalSentences(comparison([exact]))).toHaveLength(1);
  });
});

describe('the notices of a comparison', () => {
  it('are none where all runs have the same cases and answered them', () => {
    expect(comparisonNotices(comparison())).toEqual([]);
  });

  it('count and name what is left out, and pass on what the comparison noticed', () => {
    const ids = ['D1', 'D2', 'D3', 'D4', 'D5', 'D6'];
    expect(
      comparisonNotices(
        comparison([], {
          systems: [
            system('old', { unpaired: { n: 12, cases: ids } }),
            system('new', { unpaired: { n: 1, cases: ['X'] }, unanswered: 3 }),
          ],
          failed: 2,
          notices: ['gold: a and b'],
        }),
      ),
    ).toEqual([
      '12 of 100 cases of old are not compared, since another run lacks them: D1, D2, D3, D4, D5, …',
      '1 of 100 cases of new is not compared, since another run lacks it: X',
      '2 cases that all runs have are in no figure here, since a run failed on them',
      'new has no prediction for 3 of 100 cases: compared as an empty answer',
      'gold: a and b',
    ]);
  });
});

it('cases that belong together are said to be drawn as a whole', () => {
  expect(clusterSentences(comparison())).toEqual([]);
  expect(clusterSentences(comparison([], { unit: 'patient', units: 14 }))).toEqual([
    'Cases with the same patient are not independent: the 14 groups of them are drawn and swapped as a whole.',
  ]);
  // Cases scored once per annotator are made from one document.
  expect(clusterSentences(comparison([], { units: 50 }))[0]).toContain('made from the same document');
});

it('long lists are cut, with a count of the rest', () => {
  expect(nameList([])).toBe('');
  expect(nameList(['a'])).toBe('a');
  expect(nameList(['a', 'b', 'c'], 2)).toBe('a, b and c');
  expect(nameList(['a', 'b', 'c', 'd'], 2)).toBe('a, b and 2 more');
});

it('a measure of a slice has the slice in its title', () => {
  expect(measureTitle({ name: 'f1', slice: {} })).toBe('f1');
  expect(measureTitle({ name: 'f1', slice: { label: 'LOC', scheme: 'exact' } })).toBe('f1 (label LOC, scheme exact)');
});
