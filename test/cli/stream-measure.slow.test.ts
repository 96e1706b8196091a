import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gunzipSync, gzipSync } from 'node:zlib';

import { afterAll, beforeAll, describe, expect, it } from 'vitest';

import { readRun } from '../../src/index.ts';
import { assayHere } from './assay-here.ts';
import { type Finished, temporaryFolder } from './run-assay.ts';
import { files, stream, writeTraces } from './stream-files.ts';

// Three cases, replayed once by the heuristic through two variants.
let replayed = '';
beforeAll(async () => {
  replayed = mkdtempSync(join(tmpdir(), 'assay-measure-'));
  writeTraces(replayed, 3);
  await stream(replayed, 'replay --traces traces --variants V0,V2 --model heuristic --out runs --quiet');
});
afterAll(() => rmSync(replayed, { recursive: true, force: true }));

/** A copy of it, to be changed. */
function workplace(): string {
  const cwd = temporaryFolder();
  cpSync(replayed, cwd, { recursive: true });
  return cwd;
}

function measure(cwd: string, flags: string): Promise<Finished> {
  return stream(cwd, `measure --traces traces ${flags.includes('--runs') ? '' : '--runs runs '}${flags}`);
}

const RUN_FILES = [
  'audit.json',
  'cases.jsonl',
  'figures.json',
  'ledger.jsonl',
  'manifest.json',
  'measures.json',
  'report.html',
  'report.md',
];

describe('assay stream measure', () => {
  it('shows what the numbers claim and what they do not, and that a heuristic answered', async () => {
    const done = await measure(workplace(), '--out m');
    expect(done).toMatchObject({ code: 0, stderr: '' });
    const words = done.stdout.replaceAll(/\s+/g, ' ');
    expect(words).toContain('No clinical outcome is claimed');
    expect(words).toContain('unsupported fractions: lower is better');
    expect(words).toContain('answered by a heuristic stand-in, not by a language model');
    expect(words).toContain('intervals rest on 3 cases');
  });

  it('shows M1 to M10 beside the names of the measures, in the terminal and in the reports', async () => {
    const cwd = workplace();
    const { stdout } = await measure(cwd, '--out m');
    const numbers = ['M1', 'M2', 'M3', 'M4', 'M5a', 'M5b', 'M6a', 'M6b', 'M7', 'M8', 'M9', 'M10'];
    for (const text of [
      stdout,
      ...['m/report.md', 'm/V0/report.md'].map((file) => readFileSync(join(cwd, file), 'utf8')),
    ])
      // The heuristic has no latency: M7 is among the measures that are not shown.
      for (const number of numbers) expect(text).toMatch(new RegExp(`^[|-]? *\\w+ \\(${number}\\)[ ,:]`, 'm'));
    expect(stdout).toMatch(/^compression_ratio \(M1\) /m);
  });

  it('leaves out what is undefined in every variant, and states why', async () => {
    const cwd = workplace();
    const done = await measure(cwd, '--variants V2 --out m');
    expect(done.code).toBe(0);
    for (const file of ['m/report.md', 'm/V2/report.md']) {
      const report = readFileSync(join(cwd, file), 'utf8');
      // V2 has no BufferAgent and the heuristic no latency: two means with four percentiles each, and the share.
      expect(report).not.toMatch(/^\| \w+_latency/m);
      expect(report).toContain('- Not shown, undefined throughout: 11 rows\n');
      expect(report).toMatch(/^- decision_latency_ms \(M7\), .*: undefined: there are no decision items/m);
    }
  });

  it('gives the same bytes for every file, and none of them has a time of its making', async () => {
    const cwd = workplace();
    for (const out of ['one', 'two']) await measure(cwd, `--out ${out} --quiet`);
    const one = files(join(cwd, 'one'));
    expect(files(join(cwd, 'two'))).toEqual(one);
    expect(Object.keys(one)).toEqual([
      ...['V0', 'V2'].flatMap((variant) => RUN_FILES.map((name) => `${variant}/${name}`)),
      'aggregate.metrics.json',
      'per_case.metrics.jsonl',
      'report.md',
    ]);
    const year = String(new Date().getFullYear());
    for (const [name, bytes] of Object.entries(one))
      expect(Buffer.from(bytes, 'base64').toString('utf8'), name).not.toContain(`${year}-`);
  });

  it('names every variant, without a time', async () => {
    const cwd = workplace();
    for (const out of ['one', 'two']) await measure(cwd, `--out ${out} --quiet --name May --tag month=5`);
    const one = files(join(cwd, 'one'));
    expect(files(join(cwd, 'two'))).toEqual(one);
    const { about } = await readRun(join(cwd, 'one/V2'));
    expect(about).toEqual({ name: 'May (V2)', note: null, tags: { month: '5' }, date: null, commit: null });
  });

  it('makes runs that can be compared, case by case, with Holm’s correction over the family', async () => {
    const cwd = workplace();
    await measure(cwd, '--out m --quiet');
    const done = await assayHere(['compare', 'm/V0', 'm/V2', '--measure', 'trace_coverage,summary_count'], { cwd });
    expect(done.code).toBe(0);
    expect(done.stdout).toContain('V2 against V0\n3 cases paired.');
    expect(done.stdout).toContain('Holm’s correction over 2');
    expect(done.stdout).toContain('No clinical outcome is claimed');
  });

  it('numbers of different extractors refuse to be compared', async () => {
    const cwd = workplace();
    const concept = { concept_id: 'C0015967', canonical_name: 'Fever', aliases: ['pyrexia'], types: ['T184'] };
    writeFileSync(join(cwd, 'kb.jsonl'), `${JSON.stringify(concept)}\n`);
    await measure(cwd, '--out vocabulary --quiet');
    await measure(cwd, '--concepts kb:kb.jsonl --force --out other --quiet');
    const done = await assayHere(['compare', 'vocabulary/V0', 'other/V2'], { cwd });
    expect(done).toMatchObject({ code: 2, stderr: expect.stringContaining('the concept extractors differ') });
  });

  it('a case without a log is a failed case, in no average, and is counted', async () => {
    const cwd = workplace();
    rmSync(join(cwd, 'runs/V2/case-001.run.jsonl.gz'));
    const done = await measure(cwd, '--variants V2 --out m');
    expect(done.code).toBe(0);
    expect(done.stdout).toContain('cases without a run log, in no average: V2 1 of 3');
    const measures: { cases: object; measures: { name: string; n: number }[] } = JSON.parse(
      readFileSync(join(cwd, 'm/V2/measures.json'), 'utf8'),
    );
    expect(measures.cases).toEqual({ total: 3, failed: 1, unanswered: 0 });
    expect(measures.measures.find(({ name }) => name === 'trace_coverage')?.n).toBe(2);
  });

  it('a log of another trace is refused, and measured with --force', async () => {
    const cwd = workplace();
    const file = join(cwd, 'traces/case-001.trace.jsonl');
    writeFileSync(file, readFileSync(file, 'utf8').replace('fever', 'fewer'));
    const refused = await measure(cwd, '--out m');
    expect(refused.code).toBe(2);
    expect(refused.stderr).toMatch(/case-001\.run\.jsonl\.gz was made of another trace than .*case-001\.trace\.jsonl/);
    expect((await measure(cwd, '--out m --force')).code).toBe(0);
  });

  it('cases without a summary, and logs of two settings in one variant, are reported', async () => {
    const cwd = workplace();
    const replay = 'replay --traces traces --variants V0 --model heuristic --quiet';
    await stream(cwd, `${replay} --set minWords=99 --out other`);
    cpSync(join(cwd, 'other/V0/case-001.run.jsonl.gz'), join(cwd, 'runs/V0/case-001.run.jsonl.gz'));
    const log = join(cwd, 'runs/V0/case-002.run.jsonl.gz');
    const lines = gunzipSync(readFileSync(log)).toString('utf8').split('\n');
    writeFileSync(log, gzipSync(lines.filter((line) => !line.includes('"summary_event"')).join('\n')));
    const { stdout } = await measure(cwd, '--variants V0 --out m');
    const words = stdout.replaceAll(/\s+/g, ' ');
    expect(words).toContain('for lack of text: V0 1 of 3');
    expect(words).toContain('whose figures are averages over both: V0 2');
    expect(words).toContain('Concepts: vocabulary, the small one that ships');
  });

  it.each([
    ['--runs nowhere', 'cannot be read (ENOENT)'],
    ['--runs traces', 'this is a trace, expected a run log'],
    ['--variants V0,V9', 'there is no variant V9 in runs'],
    ['--concepts umls', 'umls'],
    ['--recipe pii/strict', 'is a recipe for pii'],
  ])('refuses %s', async (flags, message) => {
    const done = await measure(workplace(), `--out m ${flags}`);
    expect(done).toMatchObject({ code: 2, stderr: expect.stringContaining(message) });
  });

  it('measures with another extractor only with --force, and output, report and signature state it', async () => {
    const cwd = workplace();
    mkdirSync(join(cwd, 'cfg'));
    writeFileSync(join(cwd, 'cfg/extractor.yaml'), 'extractor: vocabulary\nmax_k: 1\n');
    const refused = await measure(cwd, '--config cfg --out m');
    expect(refused.code).toBe(2);
    expect(refused.stderr).toContain(
      'runs: the logs of V0, V2 were made for another extractor, settings.maxK 10, not 1\nleave out --concepts',
    );
    const forced = await measure(cwd, '--config cfg --force --out m');
    const stated =
      /concepts found by vocabulary without stoplists because of --force: the logs were made for vocabulary/;
    expect(forced.code).toBe(0);
    expect(forced.stdout.replaceAll(/\s+/g, ' ')).toMatch(stated);
    expect(readFileSync(join(cwd, 'm/report.md'), 'utf8')).toMatch(stated);
    const { recipe } = (await readRun(join(cwd, 'm/V0'))).manifest;
    expect(recipe.resolved['concepts']).toMatchObject({ replayed: expect.stringMatching(/^vocabulary sha256:/) });
    const { notices } = JSON.parse((await measure(cwd, '--config cfg --force --out m --json')).stdout) as Notices;
    expect(notices[0]).toMatch(stated);
  });
});

interface Notices {
  readonly notices: readonly string[];
}

describe('assay stream run', () => {
  it('runs all phases, and a second call gives the same bytes', async () => {
    const cwd = workplace();
    const call = 'run --traces traces --model heuristic --variants V0,V2 --stoplist 0.9';
    expect(await stream(cwd, `${call} --out one`)).toMatchObject({ code: 0, stderr: '' });
    await stream(cwd, `${call} --out two --quiet`);
    const one = files(join(cwd, 'one'));
    expect(files(join(cwd, 'two'))).toEqual(one);
    for (const name of [
      'figures/coverage.svg',
      'figures/faithfulness.svg',
      'measures/report.md',
      'runs/V0/case-000.run.jsonl.gz',
      'stoplists/stop_cuis.txt',
    ])
      expect(Object.keys(one)).toContain(name);
  });

  it('comes to the same bytes as its steps, with the extractor and the stoplists of one configuration', async () => {
    const cwd = workplace();
    mkdirSync(join(cwd, 'cfg'));
    writeFileSync(join(cwd, 'cfg/extractor.yaml'), 'extractor: vocabulary\ncui_score_threshold: 0.8\n');
    const model = '--traces traces --variants V0,V2 --model heuristic --config cfg --quiet';
    for (const call of [
      `run ${model} --stoplist 0.5 --out all`,
      'stoplist --traces traces --config cfg --threshold 0.5 --out steps/stoplists --quiet',
      `replay ${model} --stoplists steps/stoplists --out steps/runs`,
      'measure --traces traces --runs steps/runs --out steps/measures --quiet',
      'measure --traces traces --runs steps/runs --config cfg --stoplists steps/stoplists --out named --quiet',
      'measure --traces traces --runs steps/runs --stoplists off --force --out none --quiet',
    ])
      expect(await stream(cwd, call), call).toMatchObject({ code: 0, stderr: '' });
    const steps = files(join(cwd, 'steps'));
    const run = files(join(cwd, 'all'));
    const isStep = (name: string): boolean => !name.startsWith('figures/');
    expect(Object.fromEntries(Object.entries(run).filter(([name]) => isStep(name)))).toEqual(steps);
    expect(files(join(cwd, 'named'))).toEqual(files(join(cwd, 'steps/measures')));
    const measures = (out: string): string => readFileSync(join(cwd, out, 'V2/measures.json'), 'utf8');
    expect(measures('named')).not.toBe(measures('none'));
  });

  it('asks for the extractor before the first call, if that is not there', async () => {
    const cwd = workplace();
    mkdirSync(join(cwd, 'cfg'));
    writeFileSync(join(cwd, 'cfg/extractor.yaml'), 'scispacy_model: en_core_sci_sm\ncommand: /no/python\n');
    const done = await stream(cwd, 'run --traces traces --model heuristic --config cfg --out all');
    expect(done).toMatchObject({ code: 2, stderr: expect.stringContaining('/no/python') });
    expect(Object.keys(files(cwd)).filter((name) => name.startsWith('all/'))).toEqual([]);
  });

  it('stops at an inconsistent trace, with code 2', async () => {
    const cwd = temporaryFolder();
    const file = join(writeTraces(cwd, 1), 'case-000.trace.jsonl');
    writeFileSync(file, readFileSync(file, 'utf8').replace('"seq":3,', '"seq":2,'));
    const done = await stream(cwd, 'run --traces traces --model heuristic --out all');
    expect(done.code).toBe(2);
    expect(done.stdout + done.stderr).toContain('case-000.trace.jsonl');
    expect(Object.keys(files(cwd))).toEqual(['traces/case-000.trace.jsonl']);
  });
});
