import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { afterAll, beforeAll, describe, expect, it } from 'vitest';

import type { Comparison } from '../../src/compare/comparison.ts';
import { compare, gate, scoreSystems } from '../../src/index.ts';
import { openReport } from '../report/html/open-report.ts';
import { comparedMeasures } from '../../src/cli/comparison-flags.ts';
import { assayHere } from './assay-here.ts';

const LABELS = Array.from({ length: 20 }, (_, at) => `L${String(at).padStart(2, '0')}`);
const SITES = ['north', 'south', 'east'];
const TEXT = 'word '.repeat(12);

type Spans = readonly (readonly [place: number, label: string])[];
const spansOf = (spans: Spans): object[] =>
  spans.map(([place, label]) => ({ start: 5 * place, end: 5 * place + 4, label }));
const lines = (rows: readonly object[]): string => rows.map((row) => `${JSON.stringify(row)}\n`).join('');

/** Documents with four gold spans each; every label is the gold of eight. */
const GOLD: readonly Spans[] = Array.from({ length: 40 }, (_, at) =>
  [0, 1, 2, 3].map((place): readonly [number, string] => [place, LABELS[(at + 5 * place) % 20]!]),
);

/** Gold without every so-manieth span, and a spurious span in every so-manieth document. */
function predicted(misses: (n: number) => boolean, spurious: number): object[] {
  return GOLD.map((gold, at) => ({
    id: `d${at}`,
    spans: spansOf([
      ...gold.filter((_, place) => !misses(4 * at + place)),
      ...(at % spurious === 0 ? [[8, LABELS[at % 20]!] as const] : []),
    ]),
  }));
}

const A = predicted((n) => n % 5 === 0, 3);
const B = predicted((n) => n % 5 === 0 && n % 3 !== 0, 4);

const RECIPE = `extends: spans/strict
interval: { resamples: 1000 }
slice: [label, site]
measure:
  precision: {}
  recall: {}
  f1: {}
  macro_f1: {}
  missed: { of: count, verdict: missed }
  # The same number as the one before it.
  missed_again: { of: count, verdict: missed }
  # 0 in both runs.
  excused: { of: count, verdict: excused }
`;

const cwd = mkdtempSync(join(tmpdir(), 'assay-test-'));
afterAll(() => rmSync(cwd, { recursive: true, force: true }));
const at = (name: string): string => join(cwd, name);
const score = (name: string, ...more: readonly string[]): ReturnType<typeof assayHere> =>
  assayHere(
    // prettier-ignore
    ['score', 'recipe.yaml', '--gold', 'gold.jsonl', '--predictions', `${name}.jsonl`, '--out', `runs/${name}`, ...more],
    { cwd },
  );

let baselineOutput = '';

beforeAll(async () => {
  const gold = GOLD.map((spans, n) => ({ id: `d${n}`, text: TEXT, site: SITES[n % 3], spans: spansOf(spans) }));
  writeFileSync(at('gold.jsonl'), lines(gold));
  writeFileSync(at('a.jsonl'), lines(A));
  writeFileSync(at('b.jsonl'), lines(B));
  writeFileSync(at('recipe.yaml'), RECIPE);
  writeFileSync(at('primary.yaml'), `${RECIPE}primary: [f1, macro_f1]\n`);
  writeFileSync(at('gate.yaml'), 'rules: [{ measure: macro_f1, notWorseThan: { margin: 0.02 } }]\n');
  await score('a', '--quiet');
  baselineOutput = (await score('b', '--baseline', 'runs/a')).stdout;
});

/** Each measure of the whole with its p, corrected p and verdict, and over how many tests that is. */
function answers({ measures, corrections }: Comparison) {
  const overall = measures.filter(({ slice }) => Object.keys(slice).length === 0);
  return {
    corrections: corrections.filter(({ family }) => family !== 'slices'),
    rows: overall.map(({ name, permutation, adjusted, verdict, interval }) => ({
      name,
      p: permutation.pValue,
      adjusted,
      verdict,
      interval,
    })),
  };
}

const page = (name: string): Comparison => openReport(readFileSync(at(name), 'utf8')).head.comparison!;

describe('the same two runs', () => {
  it('have the same p, verdicts and number of tests wherever they are compared', async () => {
    const runs = [at('runs/a'), at('runs/b')] as const;
    const { stdout } = await assayHere(['compare', ...runs, '--json', '--out', 'compared.json'], { cwd });
    const asked: Comparison = JSON.parse(stdout === '' ? readFileSync(at('compared.json'), 'utf8') : stdout);
    await assayHere(['report', 'runs/b', '--baseline', 'runs/a', '--out', 'report.html', '--quiet'], { cwd });
    const gold = at('gold.jsonl');
    const systems = await scoreSystems(at('recipe.yaml'), {
      gold,
      predictions: { a: at('a.jsonl'), b: at('b.jsonl') },
    });
    const ways: Record<string, Comparison> = {
      'compare --slices': JSON.parse((await assayHere(['compare', ...runs, '--slices', '--json'], { cwd })).stdout),
      'score --baseline': page('runs/b/report.html'),
      'report --baseline': page('report.html'),
      gate: (await gate(runs[1], at('gate.yaml'), { baseline: runs[0] })).compared!,
      'gate, by slice': (
        await gate(
          runs[1],
          { rules: [{ measure: 'f1', each: 'label', notWorseThan: { margin: 0.02 } }] },
          { baseline: runs[0] },
        )
      ).compared!,
      'the library': await compare(runs),
      'score of several systems': systems.comparison!,
    };
    const expected = answers(asked);
    // Nine measures, with those of spans/strict: one is the twin of another, one never differs.
    expect(expected.corrections).toEqual([{ family: 'all', method: 'holm', tests: 7, swaps: 1000 }]);
    expect(expected.rows).toHaveLength(9);
    for (const [way, comparison] of Object.entries(ways)) expect(answers(comparison), way).toEqual(expected);
  });

  it('have slices in a family of their own, which is counted', async () => {
    const runs = [at('runs/a'), at('runs/b')];
    const { corrections, measures } = await compare(runs, { slices: true });
    const slices = measures.filter(({ family }) => family === 'slices');
    const tests = slices.filter(
      ({ permutation, fixed, sameAs }) => permutation.pValue !== null && !fixed && sameAs === undefined,
    );
    expect(tests.length).toBeGreaterThan(50);
    expect(corrections.map(({ family, tests: n }) => [family, n])).toEqual([
      ['all', 7],
      ['slices', tests.length],
    ]);
    // 20 a test, and more than the 1,000 resamples of the recipe.
    expect(corrections.map(({ swaps }) => swaps)).toEqual([1000, 20 * tests.length]);
    // Holm: the smallest p times the number of tests.
    const least = tests.reduce((a, b) => (a.permutation.pValue! <= b.permutation.pValue! ? a : b));
    expect(least.adjusted).toBeCloseTo(Math.min(1, tests.length * least.permutation.pValue!), 12);
  });

  it('have the number of tests on a terminal, in Markdown and in HTML', async () => {
    expect(baselineOutput).toMatch(/ p \(7\)\n/);
    expect(baselineOutput.replaceAll(/\s+/g, ' ')).toContain('Holm’s correction over 7 tests of all measures');
    const compared = await assayHere(['compare', 'runs/a', 'runs/b', '--markdown', 'c.md'], { cwd });
    const markdown = readFileSync(at('c.md'), 'utf8');
    expect(markdown).toContain('| p (7 tests) |');
    expect(compared.stdout).toMatch(/ p \(7\)\n/);
    for (const text of [compared.stdout, markdown]) {
      expect(text.replaceAll(/\s+/g, ' ')).toContain('Holm’s correction over 7 tests of all measures');
      expect(text.replaceAll(/\s+/g, ' ')).toContain(
        'The same in every case, so counted as one test: missed_again is missed.',
      );
    }
    // What the page prints is in its data; the columns are drawn from it.
    expect(page('runs/b/report.html').corrections[0]).toMatchObject({ family: 'all', tests: 7 });
  });
});

describe('the measures asked for', () => {
  const named = (json: Comparison): unknown => [json.corrections[0], answers(json).rows];

  it('are the family in every command', async () => {
    const measure = ['--measure', 'f1,missed'];
    const { stdout } = await assayHere(['compare', 'runs/a', 'runs/b', ...measure, '--json'], { cwd });
    const compared: Comparison = JSON.parse(stdout);
    const expected = named(compared);
    expect(expected).toMatchObject([{ family: 'named', tests: 2 }, [{ name: 'f1' }, { name: 'missed' }]]);
    await assayHere(['report', 'runs/b', '--baseline', 'runs/a', '--out', 'some.html', '--quiet', ...measure], { cwd });
    expect(named(page('some.html'))).toEqual(expected);
    const { stdout: again } = await score('b', '--baseline', 'runs/a', ...measure);
    expect(again).toMatch(/ p \(2\)\n/);
    expect(again).toContain('--measure f1,missed');
    expect(named(page('runs/b/report.html'))).toEqual(expected);
    expect(named(await compare([at('runs/a'), at('runs/b')], { measures: ['f1', 'missed'] }))).toEqual(expected);
  });

  it('count once, and none are all', () => {
    expect(comparedMeasures(['f1', 'recall', 'f1'])).toEqual({ measures: ['f1', 'recall'] });
    expect(comparedMeasures([])).toEqual({});
  });

  it('are refused without a baseline, and if there are none of that name', async () => {
    for (const args of [
      ['score', 'recipe.yaml', '--gold', 'gold.jsonl', '--predictions', 'b.jsonl', '--measure', 'f1'],
      ['report', 'runs/b', '--out', 'none.html', '--measure', 'f1'],
    ])
      expect(await assayHere(args, { cwd })).toMatchObject({ code: 2, stderr: expect.stringContaining('--baseline') });
    const wrong = await score('b', '--baseline', 'runs/a', '--measure', 'f2');
    expect(wrong).toMatchObject({ code: 2, stdout: '', stderr: expect.stringContaining('no measure f2') });
  });
});

describe('primary measures of the recipe', () => {
  it('are the family by default, also of a gate about another measure', async () => {
    for (const name of ['a', 'b'])
      await assayHere(
        // prettier-ignore
        ['score', 'primary.yaml', '--gold', 'gold.jsonl', '--predictions', `${name}.jsonl`, '--out', `primary/${name}`, '--quiet'],
        { cwd },
      );
    const runs = [at('primary/a'), at('primary/b')] as const;
    const { corrections, measures } = await compare(runs);
    expect(corrections).toEqual([{ family: 'primary', method: 'holm', tests: 2, swaps: 1000 }]);
    const rules = { rules: [{ measure: 'recall', notWorseThan: { margin: 0.02 } }] };
    const { compared } = await gate(runs[1], rules, { baseline: runs[0] });
    const rows = compared!.measures.filter(({ family }) => family === 'primary');
    // A gate has bounds of its own beside the interval that comparisons show.
    expect(rows.map(({ bounds, ...row }) => [bounds?.interval?.method, row])).toEqual(
      measures.map((row) => [expect.stringMatching(/^studentised/) as unknown, row]),
    );
    expect(compared!.corrections).toEqual([
      ...corrections,
      { family: 'further', method: 'holm', tests: 1, swaps: 1000 },
    ]);
  });
});

describe('measures of the recipe’s own code', () => {
  it('are in the family wherever the recipe is at hand', async () => {
    const code = `import { defineMeasure } from 'assay';
export const ownRecall = defineMeasure({
  name: 'own_recall',
  about: 'gold that was hit / gold',
  over: ({ verdict }) => Number(verdict === 'hit'),
  under: ({ verdict, gold }) => Number(verdict !== 'excused' && gold !== null),
  nothing: 'there is no gold',
});
`;
    writeFileSync(at('own.ts'), code);
    writeFileSync(at('own.yaml'), `${RECIPE}  own_recall: {}\nprimary: [f1, own_recall]\nmodules: [./own.ts]\n`);
    const scored = (name: string, ...more: readonly string[]): ReturnType<typeof assayHere> =>
      assayHere(
        // prettier-ignore
        ['score', 'own.yaml', '--gold', 'gold.jsonl', '--predictions', `${name}.jsonl`, '--out', `own/${name}`, ...more],
        { cwd },
      );
    await scored('a', '--quiet');
    const { code: exit, stdout } = await scored('b', '--baseline', 'own/a', '--measure', 'f1,own_recall');
    expect([exit, stdout]).toEqual([0, expect.stringMatching(/own_recall ↑ .*\n[\s\S]* --recipe own\.yaml/)]);
    await scored('b', '--baseline', 'own/a');
    const runs = [at('own/a'), at('own/b')] as const;
    // prettier-ignore
    await assayHere(
      ['report', 'own/b', '--baseline', 'own/a', '--recipe', 'own.yaml', '--out', 'own.html', '--quiet'],
      { cwd },
    );
    const recipe = at('own.yaml');
    const asked = ['compare', 'own/a', 'own/b', '--recipe', 'own.yaml', '--json'];
    const compared: Comparison = JSON.parse((await assayHere(asked, { cwd })).stdout);
    const expected = answers(compared);
    expect(expected).toMatchObject({
      corrections: [{ family: 'primary', tests: 2 }],
      rows: [{ name: 'f1' }, { name: 'own_recall' }],
    });
    const rules = { rules: [{ measure: 'f1', notWorseThan: { margin: 0.02 } }] };
    const systems = await scoreSystems(recipe, {
      gold: at('gold.jsonl'),
      predictions: { a: at('a.jsonl'), b: at('b.jsonl') },
    });
    const ways: Record<string, Comparison> = {
      'score --baseline': page('own/b/report.html'),
      'report --baseline --recipe': page('own.html'),
      gate: (await gate(runs[1], rules, { baseline: runs[0], recipe })).compared!,
      'the library': await compare(runs, { recipe }),
      'score of several systems': systems.comparison!,
    };
    for (const [way, comparison] of Object.entries(ways)) expect(answers(comparison), way).toEqual(expected);
  });
});
