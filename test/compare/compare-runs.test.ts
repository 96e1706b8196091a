import { describe, expect, test } from 'vitest';

import { UsageError } from '../../src/data/problems.ts';
import { compareRuns } from '../../src/compare/compare-runs.ts';
import { MOST_LABELS } from '../../src/compare/compared-parts.ts';
import type { Comparison, MeasureComparison } from '../../src/compare/comparison.ts';
import type { Counts } from '../stats/made-up-counts.ts';
import { eachOf, folders, SPANS, spansCase, spansCases } from '../score/scored-folders.ts';

const scored = folders();
const scoredAll = eachOf(scored);

/** Four gold spans a case, of which so many are found, and so many spurious ones. */
function found(hits: readonly number[], spurious = 1): Counts[] {
  return hits.map((hit) => [hit, spurious, 4 - hit]);
}

const LENGTH = 36;
const WEAK = Array.from({ length: LENGTH }, (_, at) => at % 3);
const STRONG = WEAK.map((hits, at) => hits + 1 + (at % 2));

function of(comparison: Comparison, name: string, system = 1, slice: object = {}): MeasureComparison {
  const wanted = JSON.stringify(slice);
  const row = comparison.measures.find(
    (one) => one.name === name && one.system === system && JSON.stringify(one.slice) === wanted,
  );
  if (row === undefined) throw new Error(`no ${name} ${wanted}`);
  return row;
}

describe('two systems', () => {
  test('a clear difference is better, the roles swapped worse, and all figures mirrored', async () => {
    const [weak, strong] = await scoredAll('wea', [spansCases(found(WEAK)), spansCases(found(STRONG))]);
    const [there, back] = [await compareRuns([weak, strong]), await compareRuns([strong, weak])];
    // Hits 36 and 36 + 36 + 18 = 90 of 144; predicted 72 and 126.
    expect(of(there, 'recall')).toMatchObject({ baseline: 36 / 144, other: 90 / 144, verdict: 'better', wins: 36 });
    expect(of(there, 'precision')).toMatchObject({ baseline: 36 / 72, other: 90 / 126 });
    expect(there).toMatchObject({
      paired: 36,
      failed: 0,
      unit: 'case',
      units: 36,
      corrections: [{ family: 'all', method: 'holm', tests: 3, swaps: 500 }],
      ranking: [],
      notices: [],
    });
    expect(there).toMatchObject({ resamples: 500, level: 0.95, seed: 42 });
    for (const name of ['precision', 'recall', 'f1']) {
      const [one, other] = [of(there, name), of(back, name)];
      expect(other.verdict).toBe(one.verdict === 'better' ? 'worse' : one.verdict);
      expect([other.baseline, other.other]).toEqual([one.other, one.baseline]);
      expect(other.difference).toBe(-one.difference!);
      expect(other.interval!.low).toBeCloseTo(-one.interval!.high, 12);
      expect(other.interval!.high).toBeCloseTo(-one.interval!.low, 12);
      expect(other.permutation.pValue).toBe(one.permutation.pValue);
      expect(other.adjusted).toBe(one.adjusted);
      expect([other.wins, other.losses, other.ties]).toEqual([one.losses, one.wins, one.ties]);
      expect(other.effect.dz).toBeCloseTo(-one.effect.dz!, 12);
      expect(other.needed).toBe(one.needed);
    }
    // No swap of 36 cases is as large: p = 1 / 501, times 3 after Holm.
    expect(of(there, 'recall').permutation).toMatchObject({ pValue: 1 / 501, method: 'resampled' });
    expect(of(there, 'recall').adjusted).toBeCloseTo(3 / 501, 14);
  });

  test('the baseline’s values are those of its own run, also of averages over labels with 0/0 as 0', async () => {
    const recipe = { ...SPANS, measure: ['f1', 'macro_f1', 'macro_recall'], zeroDivision: 0 };
    const rows = Array.from({ length: 8 }, (_, at) => at);
    const a = await scored(
      'labels-a',
      rows.map((at) => spansCase(`c${at}`, { X: [1, 0, 1] })),
      { recipe },
    );
    const b = await scored(
      'labels-b',
      rows.map((at) => spansCase(`c${at}`, { X: [1, 0, 1], Y: [0, 1, 0] })),
      { recipe },
    );
    const comparison = await compareRuns([a.folder, b.folder]);
    for (const name of ['f1', 'macro_f1', 'macro_recall']) {
      const [own, other] = [a, b].map((run) =>
        run.measures.measures.find((one) => one.name === name && one.slice['label'] === undefined),
      );
      expect(of(comparison, name)).toMatchObject({ baseline: own?.value, other: other?.value });
    }
    // F1 of X is 2/3 in both; Y, which only the other predicts, halves its average.
    expect(of(comparison, 'macro_f1').difference).toBeCloseTo(2 / 6 - 2 / 3, 12);
  });

  test('the order in which recipes list the same measures changes nothing', async () => {
    const recipe = { ...SPANS, measure: ['f1', 'recall', 'precision'] };
    const [weak, strong, turned] = [
      await scored('order-a', spansCases(found(WEAK))),
      await scored('order-b', spansCases(found(STRONG))),
      await scored('order-c', spansCases(found(STRONG)), { recipe }),
    ];
    const [same, other] = [
      await compareRuns([weak.folder, strong.folder]),
      await compareRuns([weak.folder, turned.folder]),
    ];
    expect(other.measures).toEqual(same.measures);
  });

  test('the same predictions: no difference shown, p 1, and why there is no interval', async () => {
    const [one, other] = await scoredAll('same', [spansCases(found(WEAK)), spansCases(found(WEAK)).toReversed()]);
    const comparison = await compareRuns([one, other]);
    expect(of(comparison, 'f1')).toMatchObject({
      difference: 0,
      verdict: 'no difference shown',
      needed: null,
      interval: null,
      noInterval: 'the two are the same on every case',
      permutation: { pValue: 1, method: 'exact' },
      adjusted: 1,
      differing: 0,
    });
    expect(comparison.moved).toEqual([]);
    expect(comparison.notices).toEqual([`${other} and ${one} hold the same predictions`]);
  });

  test('three cases are too little data, with how many it takes', async () => {
    const runs = await scoredAll('three', [spansCases(found([0, 1, 2])), spansCases(found([2, 3, 3]))]);
    const { verdict, needed, permutation, units } = of(await compareRuns(runs), 'recall');
    expect({ verdict, units, p: permutation.pValue }).toEqual({ verdict: 'too little data', units: 3, p: 0.25 });
    // Three tests: 2^(1 − n) ≤ 0.05 / 3 asks for 7 cases at the least.
    expect(needed).toBeGreaterThanOrEqual(7);
  });

  test('the same gain in every case is shown, although no resample varies', async () => {
    const set = ['measure=[recall]'];
    const a = found(Array.from({ length: 12 }, (_, at) => at % 3));
    const b = a.map(([hit, spurious, missed]): Counts => [hit + 1, spurious, missed - 1]);
    const runs = await scoredAll('gain', [spansCases(a), spansCases(b)], { set });
    expect(of(await compareRuns(runs), 'recall')).toMatchObject({
      difference: 0.25,
      constant: true,
      interval: null,
      verdict: 'better',
    });
    // The same with thirds, whose mean is rounded: 1/3 of three more in each case.
    const thirds = a.map(([hit]): Counts => [hit, 0, 3 - hit]);
    const more = a.map(([hit]): Counts => [hit + 1, 0, 2 - hit]);
    const others = await scoredAll('gain-thirds', [spansCases(thirds), spansCases(more)], { set });
    expect(of(await compareRuns(others), 'recall')).toMatchObject({ constant: true, verdict: 'better' });
  });

  test('where less is better, less is better', async () => {
    const recipe = { ...SPANS, measure: { wrong: { of: 'count', verdict: 'spurious' } } };
    const [many, few] = await scoredAll(
      'lower',
      [
        spansCases(WEAK.map((hit, at): Counts => [hit, 3 + (at % 2), 0])),
        spansCases(WEAK.map((hit): Counts => [hit, 1, 0])),
      ],
      { recipe },
    );
    const row = of(await compareRuns([many, few]), 'wrong');
    // 36 · 3.5 = 126 and 36.
    expect(row).toMatchObject({
      baseline: 126,
      other: 36,
      difference: -90,
      direction: 'lower',
      verdict: 'better',
      wins: 36,
    });
    expect(of(await compareRuns([few, many]), 'wrong').verdict).toBe('worse');
  });
});

describe('settings', () => {
  test('those of the baseline, unless the call has others', async () => {
    const set = ['interval.level=0.9', 'interval.seed=5', 'interval.method=bca'];
    const [one, other] = [
      await scored('settings-a', spansCases(found(WEAK)), { set }),
      await scored('settings-b', spansCases(found(STRONG))),
    ];
    const own = await compareRuns([one.folder, other.folder]);
    expect(own).toMatchObject({ level: 0.9, seed: 5, resamples: 500 });
    expect(of(own, 'f1').interval).toMatchObject({ level: 0.9, method: 'bootstrap-bca' });
    const given = await compareRuns([one.folder, other.folder], { level: 0.8, seed: 6, resamples: 200 });
    expect(given).toMatchObject({ level: 0.8, seed: 6, resamples: 200 });
    const off = await scored('settings-c', spansCases(found(WEAK)), { set: ['interval=off'] });
    expect(await compareRuns([off.folder, other.folder], { resamples: 50 })).toMatchObject({ level: 0.95, seed: 42 });
    await expect(compareRuns([one.folder, other.folder], { level: 1 })).rejects.toThrow(UsageError);
  });

  test('only some measures: a smaller family; a name that there is not is asked about', async () => {
    const runs = await scoredAll('some', [spansCases(found(WEAK)), spansCases(found(STRONG))]);
    const { measures, corrections } = await compareRuns(runs, { measures: ['f1'] });
    expect(measures.map(({ name }) => name)).toEqual(['f1']);
    expect(corrections).toEqual([{ family: 'named', method: 'holm', tests: 1, swaps: 500 }]);
    const wrong = compareRuns(runs, { measures: ['recal'] });
    await expect(wrong).rejects.toThrow('the runs have no measure recal');
    await expect(wrong).rejects.toMatchObject({ next: 'did you mean recall?' });
    await expect(compareRuns(runs, { measures: ['zzzzzz'] })).rejects.toMatchObject({
      next: 'there are: precision, recall, f1',
    });
  });

  test('random swaps are at least 20 times the tests, whatever the resamples', async () => {
    const runs = await scoredAll('swaps', [spansCases(found(WEAK)), spansCases(found(STRONG))]);
    // With 40 swaps p is never below 3 / 41; with 60 it can be 3 / 61.
    const raised = await compareRuns(runs, { resamples: 40 });
    expect(raised).toMatchObject({ resamples: 40, corrections: [{ tests: 3, swaps: 60 }] });
    expect(of(raised, 'recall')).toMatchObject({ adjusted: 3 / 61, verdict: 'better' });
    expect((await compareRuns(runs, { resamples: 61 })).corrections).toMatchObject([{ swaps: 61 }]);
    // At a level of 0.99, 100 times the tests are needed.
    expect((await compareRuns(runs, { resamples: 40, level: 0.99 })).corrections).toMatchObject([{ swaps: 300 }]);
    // Intervals have the resamples asked for: the same as those of enough swaps.
    const named = await compareRuns(runs, { resamples: 40, measures: ['recall'] });
    expect(named.corrections).toMatchObject([{ tests: 1, swaps: 40 }]);
    expect(of(named, 'recall').interval).toEqual(of(raised, 'recall').interval);
  });

  test('progress rises towards 1', async () => {
    const runs = await scoredAll('progress', [spansCases(found(WEAK)), spansCases(found(STRONG))]);
    const shares: number[] = [];
    await compareRuns(runs, { slices: true, breathe: (share) => void shares.push(share) });
    expect(shares).toEqual(shares.toSorted((a, b) => a - b));
    expect(shares.at(-1)).toBeGreaterThan(0.99);
    expect(shares.at(-1)).toBeLessThanOrEqual(1);
  });
});

describe('slices', () => {
  test('each label and column value beside its like, in a family of their own', async () => {
    const recipe = { ...SPANS, measure: ['f1', 'macro_f1'], slice: ['label', 'lang'] };
    const cases = (x: readonly number[], y: number) =>
      x.map((hit, at) =>
        spansCase(
          `c${at}`,
          { X: [hit, 0, 4 - hit], Y: [y, 0, 2 - y] },
          { fields: { lang: at % 2 === 0 ? 'de' : 'en' } },
        ),
      );
    const runs = await scoredAll('slices', [cases(WEAK, 1), cases(STRONG, 1)], { recipe });
    const comparison = await compareRuns(runs, { slices: true });
    expect(comparison.measures.map(({ name, slice }) => [name, slice])).toEqual([
      ['f1', { lang: 'de' }],
      ['macro_f1', { lang: 'de' }],
      ['f1', { lang: 'en' }],
      ['macro_f1', { lang: 'en' }],
      ['f1', {}],
      ['macro_f1', {}],
      ['f1', { label: 'X' }],
      ['f1', { label: 'Y' }],
    ]);
    // Y does not differ, so it is no test.
    expect(comparison.corrections).toMatchObject([
      { family: 'all', tests: 2 },
      { family: 'slices', tests: 5 },
    ]);
    expect(comparison.measures.map(({ family }) => family)).toEqual(
      comparison.measures.map(({ slice }) => (Object.keys(slice).length === 0 ? 'all' : 'slices')),
    );
    expect(of(comparison, 'f1', 1, { label: 'X' }).verdict).toBe('better');
    expect(of(comparison, 'f1', 1, { label: 'Y' })).toMatchObject({ difference: 0, verdict: 'no difference shown' });
    expect(of(comparison, 'f1', 1, { lang: 'de' }).units).toBe(18);
    // Without slices: the same overall figures, from the same draws.
    const overall = await compareRuns(runs);
    expect(overall.measures).toHaveLength(2);
    expect(overall.measures).toEqual(comparison.measures.filter(({ family }) => family === 'all'));
  });
});

describe('several systems', () => {
  test('the first is the baseline of all; the ranking has ties where nothing was shown', async () => {
    const runs = await scoredAll('rank', [
      spansCases(found(WEAK)),
      spansCases(found(WEAK.map((hit, at) => (at < 2 ? 1 - hit : hit)))),
      spansCases(found(STRONG)),
    ]);
    const comparison = await compareRuns(runs, { measures: ['recall'] });
    expect(comparison.systems.map(({ name }) => name)).toEqual(['rank-a', 'rank-b', 'rank-c']);
    expect(comparison.measures.map(({ system, verdict }) => [system, verdict])).toEqual([
      [1, 'no difference shown'],
      [2, 'better'],
    ]);
    // Three pairs of systems: one family for the verdicts and the ranking.
    expect(comparison.corrections).toMatchObject([{ family: 'named', tests: 3 }]);
    expect(comparison.ranking).toEqual([
      {
        name: 'recall',
        direction: 'higher',
        places: [
          { system: 2, place: 1, value: 90 / 144, tied: false },
          { system: 0, place: 2, value: 36 / 144, tied: true },
          { system: 1, place: 2, value: 36 / 144, tied: true },
        ],
      },
    ]);
  });
});

test('the cases that changed most come first, by their errors, for each system', async () => {
  const recipe = { ...SPANS, measure: ['recall', 'precision'] };
  const runs = await scoredAll(
    'moved',
    [
      spansCases([
        [1, 0, 3],
        [2, 0, 2],
        [0, 0, 4],
        [4, 0, 0],
        [0, 0, 0],
      ]),
      spansCases([
        [2, 0, 2],
        [1, 0, 3],
        [3, 0, 1],
        [4, 0, 0],
        [0, 0, 0],
      ]),
      spansCases([
        [1, 0, 3],
        [2, 0, 2],
        [0, 0, 4],
        [0, 0, 4],
        [0, 1, 0],
      ]),
    ],
    { recipe },
  );
  const { moved, changes } = await compareRuns(runs, { moved: 2 });
  expect(changes).toEqual({
    by: null,
    systems: [
      { system: 1, worse: 1, better: 2, others: 0, unchanged: 2, errors: { baseline: 9, other: 6 } },
      { system: 2, worse: 2, better: 0, others: 0, unchanged: 3, errors: { baseline: 9, other: 14 } },
    ],
  });
  expect(moved).toEqual([
    { case: 'c03', system: 1, name: 'errors', baseline: 4, other: 1, difference: -3, change: 'better' },
    { case: 'c01', system: 1, name: 'errors', baseline: 3, other: 2, difference: -1, change: 'better' },
    { case: 'c04', system: 2, name: 'errors', baseline: 0, other: 4, difference: 4, change: 'worse' },
    { case: 'c05', system: 2, name: 'errors', baseline: 0, other: 1, difference: 1, change: 'worse' },
  ]);
});

test('of more than 2,000 labels slices and means are left out with a notice; means are refused by name, with advice that works', async () => {
  const counts: Record<string, Counts> = Object.fromEntries(
    Array.from({ length: MOST_LABELS + 1 }, (_, at) => [`L${at}`, [0, 0, 1]] as const),
  );
  const cases = ['c1', 'c2'].map((id) => spansCase(id, counts));
  const options = { recipe: { ...SPANS, measure: ['f1', 'recall', 'macro_recall'] } };
  const pair = [(await scored('labels-a', cases, options)).folder, (await scored('labels-b', cases, options)).folder];
  const fewer = await compareRuns(pair);
  expect(fewer.measures.map(({ name }) => name)).toEqual(['f1', 'recall']);
  expect(fewer.notices).toContain('the runs have too many labels for means over them: 1 of 3 measures are left out');
  await expect(compareRuns(pair, { measures: ['macro_recall'] })).rejects.toThrow(
    'the runs have 2001 labels: too many to compare',
  );
  // As score --baseline and report pages compare: with slices, which nobody asked for.
  const sliced = await compareRuns(pair, { slices: true });
  expect(sliced.measures).toEqual(fewer.measures);
  expect(sliced.notices).toContain(
    'the runs have 2001 labels, too many to compare label by label: their slices are left out',
  );
  expect((await compareRuns(pair, { measures: ['recall'] })).measures.map(({ name }) => name)).toEqual(['recall']);
});
