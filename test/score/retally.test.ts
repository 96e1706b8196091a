import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { afterAll, beforeAll, describe, expect, test } from 'vitest';

import type { CaseSources } from '../../src/data/read-cases.ts';
import { fileSource } from '../../src/data/source.ts';
import { type MeasureValue, unitOf } from '../../src/measure/results.ts';
import { type Plan, planRecipe } from '../../src/recipe/plan.ts';
import { readRun } from '../../src/score/run-file.ts';
import { retally } from '../../src/score/retally.ts';
import type { Run } from '../../src/score/run.ts';
import { scoreToFolder } from '../../src/score/score-to-folder.ts';
import { groupIntervals } from '../../src/stats/measure-intervals.ts';
import { example } from '../cli/run-assay.ts';
import { withoutHashes } from '../report/made-up-run.ts';
import { folders, SPANS, spansCase, spansCases } from './scored-folders.ts';

let parent = '';
beforeAll(() => {
  parent = mkdtempSync(join(tmpdir(), 'assay-test-'));
});
afterAll(() => rmSync(parent, { recursive: true, force: true }));

const scored = folders();

const JOURNAL: CaseSources = {
  cases: fileSource(example('journal/journals.jsonl')),
  gold: fileSource(example('journal/gold.jsonl')),
  predictions: fileSource(example('journal/predictions.jsonl')),
};
const PII: CaseSources = { cases: fileSource(example('pii/docs.json')) };
const GRAPH: CaseSources = {
  gold: fileSource(example('graph/items.jsonl')),
  predictions: fileSource(example('graph/outputs.jsonl')),
};

/** The values of a folder added up and resampled again. */
async function again(run: Run, interval: Plan['interval']): Promise<MeasureValue[]> {
  const { tally, measures } = await retally(run);
  const groups = tally.groups();
  if (interval === null) return tally.values(groups);
  const settings = { ...interval, unit: interval.cluster ?? 'case' };
  return tally.values(groups, await groupIntervals(groups, measures, settings));
}

describe('the ledger adds up again to every value, n, unit count, spread and interval of measures.json', () => {
  test.each([
    ['journal/ashwam', JOURNAL, []],
    ['journal/ashwam', JOURNAL, ['interval.method=bca']],
    ['pii/piranha', PII, []],
    ['pii/piranha', PII, ['zeroDivision=0']],
    ['pii/piranha-as-coded', PII, []],
    ['pii/piranha', PII, ['prepare.annotator=each', 'slice=[label, annotator]']],
    ['pii/every-scheme', PII, []],
    ['pii/semeval', PII, []],
    ['pii/tab', PII, []],
    ['graph/openspec', GRAPH, []],
    ['graph/as-coded', GRAPH, []],
  ] as const)('%s (%#)', async (preset, sources, set) => {
    const plan = await planRecipe(preset, ['interval.resamples=100', ...set]);
    const out = join(parent, `${preset.replace('/', '-')}-${set.join('-').length}`);
    const run = await scoreToFolder(plan, sources, { out });
    expect(run.measures.measures.some(({ interval }) => interval !== null)).toBe(true);
    const values = await again(await readRun(out), plan.interval);
    expect(values).toEqual(run.measures.measures);
    // What is read from the folder is what was scored.
    expect((await readRun(out)).measures).toEqual(run.measures);
  });
});

test('failed cases, cases without a verdict, slices and clusters come back as they were', async () => {
  const set = ['slice=[label, lang]', 'interval.cluster=doc', 'measure=[precision, recall, f1, macro_f1]'];
  const cases = [
    spansCase('a', [2, 1, 0], { fields: { lang: 'de', doc: 'd1' } }),
    spansCase('b', [1, 0, 2], { fields: { lang: 'en', doc: 'd1' } }),
    spansCase('c', [0, 0, 0], { fields: { lang: 'en', doc: 'd2' } }),
    spansCase('d', [3, 0, 1], { fields: { lang: 'en' }, failed: 'time-out' }),
    spansCase('e', [3, 0, 1], { fields: { doc: 'd3' } }),
    spansCase('f', { X: [1, 1, 1], Y: [0, 0, 1] }, { fields: { lang: 'de' } }),
  ];
  const run = await scored('mixed', cases, { set });
  const { tally, cases: records } = await retally(run);
  expect([...records.keys()]).toEqual(['a', 'b', 'c', 'd', 'e', 'f']);
  const { table } = tally.groups().at(-1)!;
  expect(table.units).toEqual(['case f', 'cluster d1', 'cluster d2', 'cluster d3']);
  const plan = await planRecipe({ task: 'pii' }, ['interval.resamples=500', 'interval.cluster=doc']);
  expect(await again(run, plan.interval)).toEqual(run.measures.measures);
});

test('a case without a verdict is one of the cases of every scheme', async () => {
  const recipe = { ...SPANS, measure: { misses: { of: 'count', verdict: 'missed' } }, schemes: { type: { gate: [] } } };
  const cases = spansCases([
    [1, 0, 1],
    [0, 0, 0],
    [0, 1, 2],
  ]);
  const { tally } = await retally(await scored('without', cases, { recipe }));
  const overall = tally.values().filter(({ slice }) => slice['label'] === undefined);
  expect(overall.map(({ slice, value, units }) => [slice, value, units])).toEqual([
    [{ scheme: 'type' }, 3, 3],
    [{}, 3, 3],
  ]);
});

test('of some cases only, in other clusters, and for other measures', async () => {
  const run = await scored(
    'some',
    spansCases([
      [1, 0, 0],
      [1, 1, 0],
      [0, 1, 1],
      [2, 0, 2],
    ]),
  );
  const { tally, measures } = await retally(run);
  const clusterOf = (id: string): string | null => (id === 'c01' ? null : 'z');
  const groups = tally.groups({ ids: new Set(['c01', 'c02', 'c04']), clusterOf });
  expect(groups.at(-1)!.table.units).toEqual(['case c01', 'cluster z']);
  // Hits 1 + 1 + 2, predicted 1 + 2 + 2.
  const precision = tally
    .values(groups)
    .find(({ name, slice }) => name === 'precision' && slice['label'] === undefined);
  expect(precision?.value).toBe(4 / 5);
  const only = await retally(run, measures.slice(0, 1));
  expect(only.tally.values().map(({ name }) => name)).toEqual(['precision', 'precision']);
});

describe('a ledger that does not add up to cases.jsonl is refused', () => {
  const edited = async (name: string, edit: (lines: string[]) => string[]): Promise<string> => {
    const cases = spansCases([
      [2, 0, 1],
      [1, 1, 0],
    ]);
    const { folder } = await scored(name, cases);
    withoutHashes(folder);
    const file = join(folder, 'ledger.jsonl');
    writeFileSync(file, edit(readFileSync(file, 'utf8').split('\n')).join('\n'));
    return folder;
  };

  test.each<[string, (lines: string[]) => string[], string]>([
    [
      'a verdict turned round',
      (lines) => lines.map((line) => line.replace('"verdict":"missed"', '"verdict":"hit"')),
      'case "c01" has 3 hit in the ledger, but 2 in cases.jsonl',
    ],
    [
      'a line of one case under the name of another',
      (lines) => lines.map((line, at) => (at === 0 ? line.replace('"case":"c01"', '"case":"c02"') : line)),
      'case "c01" has',
    ],
    [
      'the lines of a case lost',
      (lines) => lines.map((line) => line.replace('"case":"c02"', '"case":"c99"')),
      'case "c02" has 0 hit in the ledger, but 1 in cases.jsonl',
    ],
    ['the lines of a case apart', ([first = '', ...rest]) => [...rest.slice(0, -1), first, ''], 'case "c01" has'],
  ])('%s', async (what, edit, message) => {
    const run = await readRun(await edited(what.replaceAll(' ', '-'), edit));
    await expect(retally(run)).rejects.toThrow(message);
  });
});

test('a case and a cluster of the same name are two units', () => {
  expect(unitOf({ case: 'x' })).not.toBe(unitOf({ case: 'y', cluster: 'x' }));
});
