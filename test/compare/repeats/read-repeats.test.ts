import { cpSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

import { beforeAll, describe, expect, test } from 'vitest';

import { UsageError } from '../../../src/data/problems.ts';
import { memorySource } from '../../../src/data/source.ts';
import { planRecipe } from '../../../src/recipe/plan.ts';
import { presetNames } from '../../../src/recipe/presets.ts';
import { score } from '../../../src/report/score.ts';
import { readRun } from '../../../src/score/run-file.ts';
import { planOfManifest } from '../../../src/compare/repeats/read-runs.ts';
import { repeatFiles, repeatRuns, type Repeats } from '../../../src/compare/repeats/repeats.ts';
import { example, temporaryFolder } from '../../cli/run-assay.ts';

const JOURNALS = { cases: example('journal/journals.jsonl'), gold: example('journal/gold.jsonl') };
const RUNS = [1, 2, 3].map((at) => example(`journal/repeats/run${at}.jsonl`));

async function scored(
  folder: string,
  name: string,
  predictions: string,
  set: readonly string[] = [],
  recipe: string | object = 'journal/ashwam',
): Promise<string> {
  const out = join(folder, name);
  await score(recipe, { ...JOURNALS, predictions }, { out, set: ['interval=off', ...set] });
  return out;
}

async function mistake(promise: Promise<unknown>): Promise<string> {
  const error: unknown = await promise.catch((thrown: unknown) => thrown);
  expect(error).toBeInstanceOf(UsageError);
  return error instanceof UsageError ? `${error.message} | ${error.next ?? ''}` : '';
}

/** Without the names of the runs, which differ between files and folders. */
function unnamed(repeats: Repeats): string {
  return JSON.stringify({ ...repeats, runs: repeats.runs.map(({ name: _, ...rest }) => rest) });
}

describe('the example of three runs', () => {
  let fromFiles: Repeats;
  beforeAll(async () => {
    fromFiles = await repeatFiles('journal/ashwam', { ...JOURNALS, predictions: RUNS });
  });

  test('figures as an independent calculation in Python gives them', () => {
    const f1 = fromFiles.measures.find(({ name }) => name === 'f1')!;
    // 24/8/8, 26/4/6 and 24/6/8 hits/spurious/missed.
    [48 / 64, 52 / 62, 48 / 62].forEach((value, at) => expect(f1.values[at]?.value).toBeCloseTo(value, 12));
    expect(f1.runs.mean).toBeCloseTo(0.7876344086021506, 12);
    expect(f1.runs.sd).toBeCloseTo(0.045856779863526854, 12);
    expect(f1.cases?.meanSd).toBeCloseTo(0.17347586845354646, 12);
    expect(f1.parts).toMatchObject({ cases: 7, runs: 3 });
    expect(f1.parts?.runShare).toBeCloseTo(0.22487534411061555, 12);
    expect(f1.limit.value).toBeCloseTo(0.2790325369617282, 10);
    // D05 has nothing to find and nothing found.
    expect(f1.casesLeftOut).toBe(1);
    const polarity = fromFiles.measures.find(({ name }) => name === 'polarity_accuracy')!;
    expect(polarity.values.map(({ value }) => value)).toEqual([21 / 24, 24 / 26, 23 / 24]);
    expect(polarity.parts?.runShare).toBeCloseTo(0.6467847157502329, 12);
  });

  test('36 objects, 25 of them in every run', () => {
    expect(fromFiles.items?.kinds[0]).toMatchObject({ items: 36, inAllRuns: 25, byRuns: [5, 6, 25] });
    // 28, 28 and 25 objects in common of 32, 30 and 30.
    expect(fromFiles.items?.kinds[0]?.pairwise.value).toBeCloseTo((56 / 62 + 56 / 62 + 50 / 60) / 3, 12);
    expect(fromFiles.items?.flips.map(({ case: id, attribute, values }) => [id, attribute, ...values])).toEqual([
      ['D02', 'polarity', 'present', 'absent', 'present'],
      ['D03', 'polarity', 'present', 'uncertain', 'present'],
      ['D07', 'polarity', 'present', 'present', 'absent'],
      ['D01', 'arousal', 'medium', 'medium', 'low'],
      ['D02', 'time', 'today', 'today', 'last_night'],
      ['D04', 'time', 'unknown', 'unknown', 'today'],
    ]);
    expect(fromFiles.gold?.counts).toEqual({ always: 22, sometimes: 6, never: 4, excused: 0 });
  });

  test('run folders give the same answer as files, and their own measures', async () => {
    const base = temporaryFolder();
    const folders: string[] = [];
    for (const [at, file] of RUNS.entries()) folders.push(await scored(base, String(at), file));
    const fromFolders = await repeatRuns(folders);
    expect(unnamed(fromFolders)).toBe(unnamed(fromFiles));
    for (const [at, folder] of folders.entries()) {
      const { measures } = await readRun(folder);
      for (const { name, values } of fromFolders.measures) {
        const whole = measures.measures.find((one) => one.name === name && Object.keys(one.slice).length === 0);
        expect(values[at]?.value, `${name} of run ${at + 1}`).toBe(whole?.value);
      }
    }
  });

  test('the order of the runs changes nothing but the order of the columns', async () => {
    const turned = await repeatFiles('journal/ashwam', { ...JOURNALS, predictions: RUNS.toReversed() });
    expect(turned.measures.map(({ runs, cases, parts, limit }) => ({ runs, cases, parts, limit }))).toEqual(
      fromFiles.measures.map(({ runs, cases, parts, limit }) => ({ runs, cases, parts, limit })),
    );
    expect(turned.items?.kinds).toEqual(fromFiles.items?.kinds);
    expect(turned.items?.attributes).toEqual(fromFiles.items?.attributes);
    expect(turned.items?.comeAndGo.map(({ text, runs }) => [text, runs.toReversed()])).toEqual(
      fromFiles.items?.comeAndGo.map(({ text, runs }) => [text, runs]),
    );
  });
});

describe('files', () => {
  test('without gold only the stability is reported, and it is the same', async () => {
    const { cases } = JOURNALS;
    const without = await repeatFiles('journal/ashwam', { cases, predictions: RUNS });
    const withGold = await repeatFiles('journal/ashwam', { ...JOURNALS, predictions: RUNS });
    expect(without).toMatchObject({ measures: [], meaning: null, gold: null });
    expect(without.noMeasures).toBe('no gold was given: this shows how steady the system is, not how right');
    expect(without.items?.kinds).toEqual(withGold.items?.kinds);
    expect(without.items?.flips).toEqual(withGold.items?.flips);
    expect(without.items?.comeAndGo[0]?.runs).toEqual(['found', null, null]);
  });

  test('gold inside the file of cases is found', async () => {
    const cases = example('pii/docs.json');
    // The documents hold the same predictions as well, so they may stand for a second run.
    const { measures, items } = await repeatFiles('pii/piranha', {
      cases,
      predictions: [example('pii/predictions.jsonl'), cases],
    });
    const precision = measures.find(({ name }) => name === 'precision');
    expect(precision?.values.map(({ value }) => value)).toEqual([38 / 52, 38 / 52]);
    expect(items?.comeAndGo).toEqual([]);
  });

  test.each([
    ['no file', [], 'no runs were given | give two or more runs of one system on the same cases'],
    ['one file', RUNS.slice(0, 1), 'one run was given: there is nothing to compare it with | give two or more'],
    ['the same file twice', [RUNS[0]!, RUNS[0]!], 'run1.jsonl was given twice | a run is no repeat of itself'],
  ])('%s is refused', async (_, predictions, message) => {
    expect(await mistake(repeatFiles('journal/ashwam', { ...JOURNALS, predictions }))).toContain(message);
  });

  test('without cases and gold the cases are unknown', async () => {
    expect(await mistake(repeatFiles('journal/ashwam', { predictions: RUNS }))).toMatch(
      /no case file and no gold file/,
    );
  });

  test('faults of the files are told as in scoring', async () => {
    const strange = memorySource('strange.jsonl', '{"journal_id":"X9","items":[]}\n');
    const { cases } = JOURNALS;
    await expect(repeatFiles('journal/ashwam', { cases, predictions: [RUNS[0]!, strange] })).rejects.toThrow(
      /strange\.jsonl:1: predictions for "X9", which is not in/,
    );
  });

  test('a failed case is left out, with its reason', async () => {
    const lines = readFileSync(RUNS[1]!, 'utf8').trimEnd().split('\n');
    const failing = memorySource(
      'failing',
      [...lines.slice(0, -1), '{"journal_id":"D08","error":"timed out"}'].join('\n'),
    );
    const found = await repeatFiles('journal/ashwam', { ...JOURNALS, predictions: [RUNS[0]!, failing] });
    expect(found.cases).toEqual({ compared: 7, leftOut: [{ case: 'D08', because: 'failed in failing' }] });
    // Without D08 run 1 is the example's own predictions: 21 hits, 7 spurious.
    expect(found.measures.find(({ name }) => name === 'precision')?.values[0]?.value).toBe(21 / 28);
  });
});

describe('run folders', () => {
  test('one folder, or one twice, is refused', async () => {
    const base = temporaryFolder();
    const one = await scored(base, 'one', RUNS[0]!);
    expect(await mistake(repeatRuns([one]))).toMatch(/^one run was given/);
    expect(await mistake(repeatRuns([one, one]))).toMatch(/was given twice \| a run is no repeat of itself/);
    symlinkSync(one, join(base, 'link'));
    expect(await mistake(repeatRuns([one, join(base, 'link')]))).toMatch(/are the same folder/);
  });

  test('a run by other rules is refused with the setting that differs, or noticed when forced', async () => {
    const base = temporaryFolder();
    const one = await scored(base, 'one', RUNS[0]!);
    const two = await scored(base, 'two', RUNS[1]!, ['pair.threshold=0.3']);
    const said = await mistake(repeatRuns([one, two]));
    expect(said).toContain('is no repeat of');
    expect(said).toContain('pair.threshold is 0.5 and 0.3');
    expect(said).toContain('--force');
    const forced = await repeatRuns([one, two], { force: true });
    expect(forced.notices[0]).toMatch(
      /threshold is 0.5 and 0.3.+ compared anyway because of --force, by the recipe of /,
    );
  });

  test('how a recipe is called and how intervals are made do not matter', async () => {
    const base = temporaryFolder();
    const one = await scored(base, 'one', RUNS[0]!);
    const two = await scored(base, 'two', RUNS[1]!, ['interval.resamples=50'], {
      extends: 'journal/ashwam',
      about: 'mine',
    });
    expect((await repeatRuns([one, two])).notices).toEqual([]);
  });

  test('another gold is refused; forced, the cases that both have are compared', async () => {
    const base = temporaryFolder();
    const first = (path: string): string => {
      const file = join(base, path.split('/').at(-1)!);
      writeFileSync(file, `${readFileSync(path, 'utf8').split('\n').slice(0, 7).join('\n')}\n`);
      return file;
    };
    const one = await scored(base, 'one', RUNS[0]!);
    const two = join(base, 'two');
    const files = { cases: first(JOURNALS.cases), gold: first(JOURNALS.gold), predictions: first(RUNS[1]!) };
    await score('journal/ashwam', files, { out: two, set: ['interval=off'] });
    expect(await mistake(repeatRuns([one, two]))).toMatch(/the cases or their gold differ \(\w+\(8\) and \w+\(7\)\)/);
    const forced = await repeatRuns([one, two], { force: true });
    expect(forced.cases).toEqual({ compared: 7, leftOut: [{ case: 'D08', because: `not in ${two}` }] });
    expect(await mistake(repeatRuns([one, two], { force: true, strict: true }))).toMatch(/not in every run/);
  });

  test('runs of two tasks are refused even when forced', async () => {
    const base = temporaryFolder();
    const one = await scored(base, 'one', RUNS[0]!);
    const two = join(base, 'two');
    await score('pii/piranha', { cases: example('pii/docs.json') }, { out: two, set: ['interval=off'] });
    expect(await mistake(repeatRuns([one, two], { force: true }))).toMatch(/a run of spans, .+ one of journal/);
  });

  test('a similarity of one’s own needs its recipe, and the right one', async () => {
    const base = temporaryFolder();
    writeFileSync(
      join(base, 'mine.js'),
      'export const same = (gold, predicted) => (gold.text.slice(0, 4) === predicted.text.slice(0, 4) ? 1 : 0);\n',
    );
    const recipe = join(base, 'mine.yaml');
    writeFileSync(recipe, 'extends: journal/ashwam\npair: { similarity: ./mine.js#same }\n');
    const one = await scored(base, 'one', RUNS[0]!, [], recipe);
    const two = await scored(base, 'two', RUNS[1]!, [], recipe);
    expect(await mistake(repeatRuns([one, two]))).toMatch(/which is not in the run folder \| name the recipe/);
    expect(await mistake(repeatRuns([one, two], { recipe: 'journal/ashwam' }))).toMatch(/was scored by another recipe/);
    const found = await repeatRuns([one, two], { recipe });
    // "Mild back ache" and "Mild back ache from sitting on the floor" begin with the same four characters.
    expect(found.items?.comeAndGo.map(({ text }) => text)).not.toContain('Mild back ache');
  });

  test.each(presetNames())('the manifest of %s gives its recipe back', async (preset) => {
    const { name, about, resolved, ...plan } = await planRecipe(preset);
    const written = JSON.parse(JSON.stringify(resolved));
    const again = await planOfManifest('runs/1', { name, about, set: [], resolved: written });
    const { schemes: _, ...rest } = written;
    expect({ ...JSON.parse(JSON.stringify(again.resolved)), name: again.name }).toEqual({ ...rest, name, schemes: {} });
    expect(again.measures.map((measure) => measure.name)).toEqual(plan.measures.map((measure) => measure.name));
  });

  test('a damaged recipe in the manifest is told as that', async () => {
    const base = temporaryFolder();
    const one = await scored(base, 'one', RUNS[0]!);
    const two = await scored(base, 'two', RUNS[1]!);
    cpSync(one, join(base, 'broken'), { recursive: true });
    const file = join(base, 'broken/manifest.json');
    writeFileSync(file, readFileSync(file, 'utf8').replace('"assign": "greedy"', '"assign": "by magic"'));
    expect(await mistake(repeatRuns([join(base, 'broken'), two]))).toMatch(/recipe\.resolved\.pair\.object\.assign/);
  });
});
