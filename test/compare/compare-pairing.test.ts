import { join, relative } from 'node:path';

import { describe, expect, test } from 'vitest';

import { UsageError } from '../../src/data/problems.ts';
import { compareRuns } from '../../src/compare/compare-runs.ts';
import type { Counts } from '../stats/made-up-counts.ts';
import { eachOf, folders, SPANS, spansCase, spansCases } from '../score/scored-folders.ts';

const scored = folders();
const scoredAll = eachOf(scored);
const ROWS: readonly Counts[] = [
  [1, 0, 1],
  [0, 1, 2],
  [2, 0, 0],
  [1, 1, 1],
  [0, 0, 2],
  [1, 2, 1],
];
const OTHER: readonly Counts[] = [
  [2, 0, 0],
  [1, 1, 1],
  [1, 0, 1],
  [2, 1, 0],
  [1, 0, 1],
  [2, 2, 0],
];

describe('what is refused', () => {
  test('one run, and the same run twice', async () => {
    const { folder } = await scored('once', spansCases(ROWS));
    await expect(compareRuns([])).rejects.toThrow('a comparison needs two runs or more');
    await expect(compareRuns([folder])).rejects.toThrow(UsageError);
    await expect(compareRuns([folder, folder])).rejects.toThrow(`${folder} is named twice`);
    await expect(compareRuns([folder, relative(process.cwd(), folder)])).rejects.toThrow('is named twice');
    await expect(compareRuns([folder, join(folder, '..', 'nowhere')])).rejects.toThrow('does not exist');
  });

  test('a recipe that differs, with the setting by its path', async () => {
    const [one, other] = [
      await scored('recipe-a', spansCases(ROWS)),
      await scored('recipe-b', spansCases(OTHER), { set: ['pair.similarity=iou', 'pair.threshold=0.5'] }),
    ];
    const refused = compareRuns([one.folder, other.folder]);
    await expect(refused).rejects.toThrow(UsageError);
    await expect(refused).rejects.toThrow(`${other.folder} was not scored as ${one.folder} was: `);
    await expect(refused).rejects.toThrow(/other settings: pair\.similarity is exact and iou$/);
    await expect(refused).rejects.toMatchObject({ next: expect.stringContaining('--force') as string });
    const forced = await compareRuns([one.folder, other.folder], { force: true });
    expect(forced.notices).toHaveLength(1);
    expect(forced.notices[0]).toMatch(/Compared anyway, since --force was given$/);
    expect(forced.measures.map(({ name }) => name)).toEqual(['precision', 'recall', 'f1']);
  });

  test('gold that differs, by hash and count', async () => {
    const runs = await scoredAll('gold', [spansCases(ROWS), spansCases(OTHER.slice(0, 5))]);
    await expect(compareRuns(runs)).rejects.toThrow(/gold differ \([0-9a-f]{16}\(6\) and [0-9a-f]{16}\(5\)\)/);
  });

  test('settings of intervals are no reason', async () => {
    const [one, other] = [
      await scored('interval-a', spansCases(ROWS)),
      await scored('interval-b', spansCases(OTHER), {
        set: ['interval.level=0.8', 'interval.method=bca', 'about=words'],
      }),
    ];
    expect((await compareRuns([one.folder, other.folder])).notices).toEqual([]);
  });

  test('no case in common, and none that all could answer', async () => {
    const [one, other] = [
      await scored('apart-a', spansCases(ROWS)),
      await scored(
        'apart-b',
        ROWS.map((row, at) => spansCase(`other ${at}`, row)),
      ),
    ];
    await expect(compareRuns([one.folder, other.folder], { force: true })).rejects.toThrow(
      'the runs have no case in common',
    );
    const failed = await scored(
      'apart-c',
      spansCases(ROWS, () => ({ failed: 'time-out' })),
    );
    await expect(compareRuns([one.folder, failed.folder])).rejects.toThrow(
      'every case that the runs share failed in one of them',
    );
  });
});

describe('measures that are not the same in both', () => {
  test('only those of the same name, and both as the baseline defines them', async () => {
    const [one, other] = [
      await scored('measures-a', spansCases(ROWS), { recipe: { ...SPANS, measure: ['recall', 'f1'] } }),
      await scored('measures-b', spansCases(OTHER), {
        recipe: { ...SPANS, measure: { precision: {}, f1: { of: 'f1', beta: 2 }, macro_f1: {} } },
      }),
    ];
    const { measures } = await compareRuns([one.folder, other.folder], { force: true });
    expect(measures.map(({ name }) => name)).toEqual(['f1']);
    // 5 hits, 4 spurious, 7 missed: 10/21; 9 hits, 4 spurious, 3 missed: 18/25.
    expect(measures[0]?.baseline).toBeCloseTo(10 / 21, 12);
    expect(measures[0]?.other).toBeCloseTo(18 / 25, 12);
  });
});

describe('cases that are not compared', () => {
  test('those of one run only are counted and the first ten named, in natural order', async () => {
    const many = Array.from({ length: 14 }, (_, at) => spansCase(`x${at + 1}`, [1, 0, 0]));
    const [one, other] = [
      await scored('unpaired-a', [...spansCases(ROWS), ...many]),
      await scored('unpaired-b', [...spansCases(OTHER), spansCase('y', [1, 0, 0])]),
    ];
    const { systems, paired, measures } = await compareRuns([one.folder, other.folder], { force: true });
    expect(paired).toBe(6);
    expect(systems.map(({ cases, unpaired }) => [cases, unpaired.n])).toEqual([
      [20, 14],
      [7, 1],
    ]);
    expect(systems[0]?.unpaired.cases).toEqual(['x1', 'x2', 'x3', 'x4', 'x5', 'x6', 'x7', 'x8', 'x9', 'x10']);
    // Only the six: recall 5/12 and 9/12.
    expect(measures.find(({ name }) => name === 'recall')).toMatchObject({ baseline: 5 / 12, other: 9 / 12, units: 6 });
  });

  test('a case that one system failed on is in no figure of either', async () => {
    const [one, other] = [
      await scored('failed-a', spansCases(ROWS)),
      await scored(
        'failed-b',
        spansCases(OTHER, (at) => (at === 2 ? { failed: 'time-out' } : {})),
      ),
    ];
    const { systems, paired, failed, units, measures, moved } = await compareRuns([one.folder, other.folder]);
    expect({ paired, failed, units }).toEqual({ paired: 5, failed: 1, units: 5 });
    expect(systems.map((system) => system.failed)).toEqual([0, 1]);
    // Without the third: 3 of 10 and 8 of 10.
    expect(measures.find(({ name }) => name === 'recall')).toMatchObject({ baseline: 0.3, other: 0.8, units: 5 });
    expect(moved.map(({ case: id }) => id)).not.toContain('c03');
  });
});

describe('clusters', () => {
  const cases = (rows: readonly Counts[]) =>
    spansCases(rows, (at) => ({ fields: { patient: at < 4 ? 'p' : `q${at}` } }));

  test('come from whichever run has them', async () => {
    const [plain, by] = [
      await scored('cluster-a', cases(ROWS)),
      await scored('cluster-b', cases(OTHER), { set: ['interval.cluster=patient'] }),
    ];
    for (const both of [
      [plain.folder, by.folder],
      [by.folder, plain.folder],
    ]) {
      const comparison = await compareRuns(both);
      expect(comparison).toMatchObject({ paired: 6, unit: 'patient', units: 3 });
      const row = comparison.measures.find(({ name }) => name === 'f1');
      // Three patients that differ: no p value below 2 / 8.
      expect(row).toMatchObject({ units: 3, differing: 3, verdict: 'too little data' });
      expect(row!.permutation.pValue).toBeGreaterThanOrEqual(0.25);
    }
  });

  test('of documents with several annotators, the document', async () => {
    const set = ['prepare.annotator=each'];
    const annotated = (rows: readonly Counts[]) =>
      spansCases(rows).map((given) => ({
        ...given,
        gold: given.gold.flatMap((item) => ['p', 'q'].map((annotator) => ({ ...item, annotator }))),
      }));
    const runs = await scoredAll('each', [annotated(ROWS), annotated(OTHER)], { set });
    expect(await compareRuns(runs)).toMatchObject({ paired: 12, unit: 'case', units: 6 });
  });
});

test('folders of one name are told apart by as much of their path as it takes', async () => {
  const [one, other] = [await scored('january/run', spansCases(ROWS)), await scored('february/run', spansCases(OTHER))];
  const { systems } = await compareRuns([one.folder, other.folder]);
  expect(systems.map(({ name, cases }) => [name, cases])).toEqual([
    ['january/run', 6],
    ['february/run', 6],
  ]);
});

describe('recipes that differ in rules alone', () => {
  const strict = ['judge.excuse-missed.labels=[A]'];
  const lenient = ['judge.excuse-missed.labels=[A, B]', 'judge.excuse-overlap={}'];

  test('are compared over the same predictions, and the rules are named', async () => {
    const [one, other] = [
      await scored('rules-a', spansCases(ROWS), { set: strict }),
      await scored('rules-b', spansCases(ROWS), { set: lenient }),
    ];
    const { notices, measures } = await compareRuns([one.folder, other.folder]);
    expect(notices).toEqual([
      `${one.folder} and ${other.folder} hold the same predictions and differ in rules of the recipe: ` +
        `judge.excuse-missed.labels is [A] and [A, B]; only ${other.folder} has judge.excuse-overlap. What is compared is the rules`,
    ]);
    expect(measures).toHaveLength(3);
  });

  test('an order of judge and a rule about predictions are rules; one about gold, pairing and measures are not', async () => {
    const both = ['judge.excuse-missed.labels=[A]', 'judge.excuse-overlap={}'];
    const one = await scored('kinds', spansCases(ROWS), { set: both });
    const comparedWith = async (name: string, set: readonly string[]): Promise<string> =>
      compareRuns([one.folder, (await scored(name, spansCases(ROWS), { set: [...both, ...set] })).folder]).then(
        ({ notices }) => notices[0] ?? '',
        (error: unknown) => `refused: ${String(error)}`,
      );
    expect(await comparedWith('order', ['judge.order=excuse-overlap,excuse-missed'])).toContain(
      'the order of judge is excuse-missed+excuse-overlap and excuse-overlap+excuse-missed',
    );
    expect(await comparedWith('predicted', ['prepare.trim={}'])).toContain('has prepare.trim');
    expect(await comparedWith('gold', ['prepare.trim={side: gold}'])).toMatch(/^refused: .*prepare\.trim/);
    expect(await comparedWith('pairing', ['pair.similarity=iou', 'pair.threshold=0.5'])).toMatch(/^refused: .*pair\./);
    expect(await comparedWith('measure', ['measure.recall.kind=span'])).toMatch(/^refused: .*measure\.recall/);
  });

  test('need --force where the predictions differ too', async () => {
    const [one, other] = [
      await scored('both-a', spansCases(ROWS), { set: strict }),
      await scored('both-b', spansCases(OTHER), { set: lenient }),
    ];
    await expect(compareRuns([one.folder, other.folder])).rejects.toThrow('was not scored as');
  });
});
