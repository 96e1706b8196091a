import { describe, expect, test } from 'vitest';

import { makeVerdict, type Verdict } from '../../src/judge/verdict.ts';
import {
  expectPairs,
  isOfWholeNumbers,
  makeSet,
  joinTotals,
  makeTotals,
  type PairableCase,
  pairCases,
} from '../../src/compare/paired-sets.ts';
import { makeCase } from '../../src/data/case.ts';
import { planRecipe } from '../../src/recipe/plan.ts';

describe('cases of several sets', () => {
  const set = (cases: Record<string, PairableCase>) => ({ cases: new Map(Object.entries(cases)) });

  test('are paired by id where all have them and none failed; the others say who lacks them or failed', () => {
    const first = set({ a: {}, b: {}, c: { failed: 'timeout' } });
    const second = set({ a: {}, c: {}, d: {} });
    const { ids, leftOut, clustered, clusterOf } = pairCases([first, second]);
    expect([...ids]).toEqual(['a']);
    expect(leftOut).toEqual([
      { case: 'b', lacking: [1], failed: [] },
      { case: 'c', lacking: [], failed: [0] },
      { case: 'd', lacking: [0], failed: [] },
    ]);
    expect([clustered, clusterOf('a')]).toEqual([-1, null]);
  });

  test('belong together as the first set says that clusters', () => {
    const { clustered, clusterOf } = pairCases([
      set({ a: { cluster: null }, b: {} }),
      set({ a: { cluster: 'x' }, b: {} }),
      set({ a: { cluster: 'y' }, b: { cluster: 'y' } }),
    ]);
    expect([clustered, clusterOf('a'), clusterOf('b')]).toEqual([1, 'x', null]);
  });

  test('are refused where nothing is left to compare, with why', () => {
    const apart = pairCases([set({ a: {} }), set({ b: {} })]);
    expect(() => expectPairs(apart, 'runs', 'score again')).toThrow('the runs have no case in common');
    const failed = pairCases([set({ a: {} }), set({ a: { failed: 'timeout' } })]);
    expect(() => expectPairs(failed, 'systems', 'score again')).toThrow('every case that the systems share failed');
  });
});

describe('sets that are added to case by case', async () => {
  const { measures: mixed } = await planRecipe('pii/partial', [
    'measure.recall=on',
    'measure.macro_f1=on',
    'measure.mean_recall={ of: case-mean, measure: recall }',
    'measure.pooled_size={ of: field-percentile, field: size, p: 50, pooled: true, direction: lower }',
  ]);
  const spans = (label: string, hit: number, missed: number, credit = 1): Verdict[] => {
    const of = (verdict: 'hit' | 'missed'): Verdict =>
      makeVerdict({ case: 'c', scheme: null, kind: 'span', verdict, rule: 'pair', label, credit });
    return [...Array.from({ length: hit }, () => of('hit')), ...Array.from({ length: missed }, () => of('missed'))];
  };
  /** More labels than there is room for at first. */
  const verdicts = [
    spans('PERSON', 3, 1),
    [...spans('LOC', 1, 1), ...spans('PERSON', 0, 2)],
    ...Array.from({ length: 20 }, (_, at) => spans(`Z${at}`, 1, 0)),
    spans('HALF', 2, 0, 0.5),
  ];

  test('hold their cases by id and what each adds, or the totals alone: the values are the same', () => {
    const [set, totals] = [makeSet(mixed, null), makeTotals(mixed, null)];
    for (const [at, own] of verdicts.entries()) {
      const row = { case: makeCase({ id: String(at) }), verdicts: own };
      set.add(row);
      totals.add(row);
    }
    expect(set.cases.size).toBe(23);
    expect(set.tally.groups()[0]!.table.units).toHaveLength(23);
    const { valueOf } = joinTotals([totals]);
    const values = Object.fromEntries(mixed.map((measure) => [measure.name, valueOf(measure)]));
    expect(values).toEqual(Object.fromEntries(set.tally.values().map(({ name, value }) => [name, value])));
    expect(values['recall']).toBe(25 / 30);
    // The mean of 3/4, 1/4, twenty times 1, and 1/2.
    expect(values['mean_recall']).toBeCloseTo((3 / 4 + 1 / 4 + 20 + 1 / 2) / 23, 12);
    // F1 is 2/3 for LOC and PERSON alike (1 of 1 + 1 missed; 3 of 3 + 3 missed), 1/2 for HALF, and 1 for twenty others.
    expect(values['macro_f1']).toBeCloseTo((2 / 3 + 2 / 3 + 1 / 2 + 20) / 23, 12);
  });

  test('keep their cases for measures that depend on the order of adding: those that do more than count', () => {
    const names = mixed.filter(isOfWholeNumbers).map(({ name }) => name);
    expect(names).toEqual(expect.arrayContaining(['recall', 'macro_f1']));
    expect(names).not.toContain('mean_recall');
    expect(names).not.toContain('pooled_size');
  });

  test('share a map of cases where they are known to have the same', () => {
    const first = makeSet(mixed, null);
    const second = makeSet(mixed, null, first.cases);
    second.add({ case: makeCase({ id: 'a' }), verdicts: [] });
    expect([...first.cases.keys()]).toEqual(['a']);
  });
});
