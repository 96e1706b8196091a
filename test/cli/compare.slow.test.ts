import { cpSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { Ajv2020 } from 'ajv/dist/2020.js';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';

import { score } from '../../src/report/score.ts';
import type { Comparison, MeasureComparison } from '../../src/compare/comparison.ts';
import { assayHere } from './assay-here.ts';
import { example, type Finished, JOURNAL, ROOT, temporaryFolder, words } from './run-assay.ts';

/** The same in this process, where starting another would be most of the time. */
const here = (...args: string[]): Promise<Finished> => assayHere(args, { cwd: ROOT });

// A test below checks it against its schema.
const parsed = (text: string): Comparison => JSON.parse(text) as Comparison;

/** Holds runs/a and runs/b, the two systems of the journal example, for all tests that only read them. */
const cwd = mkdtempSync(join(tmpdir(), 'assay-compare-'));
const [a, b] = [join(cwd, 'runs/a'), join(cwd, 'runs/b')];
const OTHER = [...JOURNAL.slice(0, -1), example('journal/predictions-b.jsonl')];
beforeAll(async () => {
  await here(...JOURNAL, '--out', a, '--quiet');
  await here(...OTHER, '--out', b, '--quiet');
});
afterAll(() => rmSync(cwd, { recursive: true, force: true }));

const TEXT = 'aa bb cc dd';
const span = (at: number) => ({ start: 3 * at, end: 3 * at + 2, label: 'X' });

/** Six cases of four gold spans each, of which a system finds the first few: the example of docs/compare.md. */
async function sixCases(folder: string, name: string, found: readonly number[]): Promise<string> {
  const file = (role: string, counts: readonly number[]): string => {
    const path = join(folder, `${name}-${role}.jsonl`);
    const lines = counts.map((n, at) =>
      JSON.stringify({ id: `c${at + 1}`, text: TEXT, spans: Array.from({ length: n }, (_, of) => span(of)) }),
    );
    writeFileSync(path, `${lines.join('\n')}\n`);
    return path;
  };
  const out = join(folder, name);
  const gold = file('gold', [4, 4, 4, 4, 4, 4]);
  await score('pii/strict', { gold, predictions: file('out', found) }, { out });
  return out;
}

describe('assay compare', () => {
  it('gives the values of both runs, the difference and a verdict for each', async () => {
    const done = await here('compare', a, b, '--measure', 'f1,recall', '--json');
    expect(done.code).toBe(0);
    const found = parsed(done.stdout);
    expect(found).toMatchObject({ paired: 8, failed: 0, unit: 'case', units: 8, level: 0.95 });
    expect(found.corrections).toEqual([{ family: 'named', method: 'holm', tests: 2, swaps: 10_000 }]);
    const of = (name: string): MeasureComparison | undefined => found.measures.find((row) => row.name === name);
    // 21 hits, 7 spurious, 11 missed against 29, 4 and 3.
    expect(of('f1')?.baseline).toBeCloseTo(42 / 60, 12);
    expect(of('f1')?.other).toBeCloseTo(58 / 65, 12);
    // All seven entries that have anything to find went up: 2 of 2^7 swaps are as extreme, and there are two tests.
    expect(of('f1')).toMatchObject({ wins: 7, losses: 0, verdict: 'better', adjusted: 2 / 64 });
    // Five went up and two were perfect before: 2 of 2^5.
    expect(of('recall')).toMatchObject({ wins: 5, ties: 2, verdict: 'too little data', adjusted: 1 / 16 });
    // 11 + 7 errors against 3 + 4.
    expect(found.changes.systems).toMatchObject([{ worse: 0, better: 7, errors: { baseline: 18, other: 7 } }]);
    expect(found.moved[0]).toMatchObject({ case: 'D08', baseline: 5, other: 2, change: 'better' });
    // The report goes where the JSON does not.
    expect(done.stderr).toContain('▲ better');
  });

  it('works the example of six cases out as the page does by hand', async () => {
    const folder = temporaryFolder();
    const before = await sixCases(folder, 'a', [2, 1, 3, 3, 1, 2]);
    const after = await sixCases(folder, 'b', [4, 3, 4, 2, 3, 3]);
    const [row] = parsed(
      (await here('compare', before, after, '--measure', 'recall', '--json', '--quiet')).stdout,
    ).measures;
    expect(row).toMatchObject({
      baseline: 0.5,
      wins: 5,
      losses: 1,
      ties: 0,
      units: 6,
      differing: 6,
      permutation: { pValue: 8 / 64, method: 'exact' },
      adjusted: 8 / 64,
      wilcoxon: { pValue: 8 / 64, statistic: 2, method: 'permutation' },
      verdict: 'too little data',
      needed: 9,
    });
    expect(row?.difference).toBeCloseTo(7 / 24, 12);
    expect(row?.interval?.low).toBeCloseTo(1 / 24, 12);
    expect(row?.interval?.high).toBeCloseTo(11 / 24, 12);
    expect(row?.effect.dz).toBeCloseTo(0.998, 3);
    expect(row?.effect.rankBiserial).toBeCloseTo(17 / 21, 12);
    // 10,000 resamples come within a hundredth of the standard error that all of them would have.
    expect(row?.effect.standardised).toBeCloseTo(1.093, 1);
  });

  it('writes JSON and Markdown, the same bytes each time, and leaves nothing else behind', async () => {
    const out = temporaryFolder();
    const files = (name: string): string[] =>
      words`--out ${join(out, `${name}.json`)} --markdown ${join(out, `${name}.md`)}`;
    expect(await here('compare', a, b, ...files('one'), '--quiet')).toEqual({ code: 0, stdout: '', stderr: '' });
    const second = await here('compare', a, b, ...files('two'), '--json', '--quiet');
    const read = (file: string): string => readFileSync(join(out, file), 'utf8');
    expect(read('two.json')).toBe(read('one.json'));
    expect(read('two.md')).toBe(read('one.md'));
    expect(second.stdout).toBe(read('one.json'));
    expect(read('one.md')).toMatch(/^# b against a\n/);
    expect(readdirSync(out).toSorted()).toEqual(['one.json', 'one.md', 'two.json', 'two.md']);
  });

  it('prints JSON of the shape that assay schema shows', async () => {
    const schema: unknown = JSON.parse((await here('schema', 'comparison')).stdout);
    const validate = new Ajv2020({ strict: false }).compile(schema as object);
    for (const runs of [
      [a, b],
      [b, a, '--slices'],
    ]) {
      const found: unknown = JSON.parse((await here('compare', ...runs, '--json', '--quiet')).stdout);
      expect(validate(found) || validate.errors).toBe(true);
    }
  });

  it('turns round when the runs do: what was better is worse by as much', async () => {
    const f1 = async (one: string, other: string): Promise<MeasureComparison | undefined> => {
      const done = await here('compare', one, other, '--measure', 'f1', '--json', '--quiet');
      // Worse is no failure here: that is for a gate to say.
      expect(done.code).toBe(0);
      return parsed(done.stdout).measures[0];
    };
    const [there, back] = [await f1(a, b), await f1(b, a)];
    expect(there).toMatchObject({ verdict: 'better', wins: 7, losses: 0 });
    expect(back).toMatchObject({ verdict: 'worse', wins: 0, losses: 7 });
    expect(back?.adjusted).toBe(there?.adjusted);
    expect(back?.difference).toBeCloseTo(-(there?.difference ?? 0), 12);
  });

  it('ranks three systems and keeps to level, seed and resamples', async () => {
    const c = join(temporaryFolder(), 'c');
    cpSync(a, c, { recursive: true });
    const settings = ['--level', '0.9', '--seed', '7', '--resamples', '500', '--moved', '1', '--measure', 'f1'];
    const done = await here('compare', a, b, c, ...settings, '--json');
    const found = parsed(done.stdout);
    expect(found).toMatchObject({ level: 0.9, seed: 7, resamples: 500 });
    expect(found.ranking.map(({ places }) => places.map(({ system, place, tied }) => [system, place, tied]))).toEqual([
      [
        [1, 1, false],
        [0, 2, true],
        [2, 2, true],
      ],
    ]);
    expect(found.moved).toHaveLength(1);
    expect(done.stderr).toContain('1 b 0.892 · 2= a 0.700 · 2= c 0.700');
    expect(done.stderr).toContain('90 % interval');
  });

  it('compares slices when asked to', async () => {
    const done = await here('compare', a, b, '--slices', '--measure', 'f1');
    expect(done.stdout).toMatch(/\nSlices/);
    expect(done.stdout).toContain('  f1 (label emotion) ↑');
    expect((await here('compare', a, b, '--measure', 'f1')).stdout).not.toContain('label emotion');
  });

  it('refuses runs that were not scored alike, unless told', async () => {
    const lenient = join(temporaryFolder(), 'lenient');
    const [cases, gold, predictions] = ['journals', 'gold', 'predictions-b'].map((name) =>
      example(`journal/${name}.jsonl`),
    );
    await score(
      'journal/ashwam',
      { cases: cases!, gold: gold!, predictions: predictions! },
      { out: lenient, set: ['pair.threshold=0.4'] },
    );
    const refused = await here('compare', a, lenient);
    expect(refused.code).toBe(2);
    expect(refused.stderr).toContain('0.5');
    expect(refused.stderr).toContain('--force');
    const forced = await here('compare', a, lenient, '--force');
    expect(forced.code).toBe(0);
    expect(forced.stdout).toContain('! ');
  });

  it('says which cases it leaves out', async () => {
    const folder = temporaryFolder();
    const six = await sixCases(folder, 'a', [2, 1, 3, 3, 1, 2]);
    const cases = Array.from({ length: 6 }, (_, at) => ({ id: `d${at}`, text: TEXT, spans: [span(0)] }));
    cases[0] = { id: 'c1', text: TEXT, spans: [span(0)] };
    const other = join(folder, 'other.jsonl');
    writeFileSync(other, cases.map((one) => `${JSON.stringify(one)}\n`).join(''));
    const others = join(folder, 'b');
    await score('pii/strict', { gold: other, predictions: other }, { out: others });
    const done = await here('compare', six, others, '--force', '--measure', 'recall');
    expect(done.code).toBe(0);
    expect(done.stdout).toContain('! 5 of 6 cases of a are not compared, since another run lacks them: c2, c3, c4,');
    expect(done.stdout).toContain('! 5 of 6 cases of b are not compared, since another run lacks them: d1, d2, d3,');
  });
});

describe('a wrong call of assay compare', () => {
  /** Ends with code 2, says what to do, and prints nothing else. */
  async function refused(...args: string[]): Promise<string> {
    const done = await here('compare', ...args);
    expect(done).toMatchObject({ code: 2, stdout: '' });
    expect(done.stderr).not.toMatch(/\n\s+at |undefined|\[object/);
    return done.stderr;
  }

  it('names what is missing or the same', async () => {
    const folder = temporaryFolder();
    const link = join(folder, 'link');
    symlinkSync(a, link);
    const empty = join(folder, 'empty');
    mkdirSync(empty);
    expect(await refused()).toContain('baseline');
    expect(await refused(a)).toContain('name another run after it: ');
    expect(await refused(a, `${a}/`)).toContain(`${a} and ${a}/ are the same run`);
    expect(await refused(a, b, a)).toContain(`${a} is named twice`);
    expect(await refused(a, link)).toContain(`${a} and ${link} are the same run`);
    expect(await refused(a, `${b}b`)).toContain(`did you mean ${b}?`);
    expect(await refused(a, empty)).toContain(`${empty} is not a run: it has no manifest.json`);
    expect(await refused(a, join(b, 'report.md'))).toContain(`did you mean ${b}?`);
  });

  it.each([
    [['--level', '95'], 'did you mean --level 0.95?'],
    [['--level', 'high'], 'such as 0.95'],
    [['--level', ''], 'such as 0.95'],
    [['--resamples', '1e3'], 'expected a whole number from 1 to 10000000'],
    [['--resamples', '0'], 'from 1'],
    [['--seed', '-1'], 'from 0 to 4294967295'],
    [['--moved', 'all'], '0 or more'],
    [['--measure', 'f2'], 'did you mean f1'],
    [['--measure', 'f1,,recall'], 'for example --measure f1,recall'],
    [['--mesure', 'f1'], '--measure'],
    [['--out', join(ROOT, 'package.json/c.json')], 'cannot write'],
    [['--markdown', ROOT], 'this is a folder'],
    [['--out', 'c', '--markdown', './c'], 'both name ./c'],
  ])('%j says %s', async (flags, hint) => {
    expect(await refused(a, b, ...flags)).toContain(hint);
  });
});

it('the help of compare shows how to get from two files of predictions to a comparison', async () => {
  const { stdout, code } = await here('compare', '--help');
  expect(code).toBe(0);
  const [first, second] = ['old', 'new'].map((name) => stdout.indexOf(`--out runs/${name}`));
  expect(first).toBeGreaterThan(0);
  expect(second).toBeGreaterThan(first ?? 0);
  expect(stdout.indexOf('$ assay compare runs/old runs/new')).toBeGreaterThan(second ?? 0);
  expect(Math.max(...stdout.split('\n').map((line) => line.length))).toBeLessThanOrEqual(80);
});
