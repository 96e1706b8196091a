import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { afterAll, beforeAll, describe, expect, it } from 'vitest';

import { langfuseApp } from '../../src/server/langfuse/langfuse-server.ts';
import { runsPart } from '../../src/server/runs/runs-part.ts';
import { openStore } from '../../src/store/store.ts';
import { inspectArchive, inspectLog, inspectSample, jsonl, scored } from '../formats/logs/made-logs.ts';
import { assayHere } from './assay-here.ts';

let cwd = '';
const assay = (...args: readonly string[]) => assayHere(args, { cwd });
const log = (values: string, more: Readonly<Record<string, unknown>> = {}) =>
  inspectLog(
    [...values].map((value, at) => inspectSample(at + 1, { match: scored(value) })),
    more,
  );
const QUICK = ['--set', 'interval.resamples=200', '--no-report', '--quiet'];

/** Three runs of one model with 1/2, 3/4 and all of four samples right, and one of another model. */
beforeAll(async () => {
  cwd = mkdtempSync(join(tmpdir(), 'assay-import-'));
  for (const [name, values] of Object.entries({ r1: 'CCII', r2: 'CCCI', r3: 'CCCC' })) {
    writeFileSync(join(cwd, `${name}.eval`), inspectArchive(log(values, { accuracy: 0.5 })));
    await assay('import', `${name}.eval`, '--out', name, ...QUICK);
  }
});
afterAll(() => rmSync(cwd, { recursive: true, force: true }));

describe('assay import', () => {
  it('prints nothing with --quiet', async () => {
    expect(await assay('import', 'r1.eval', '--out', 'quiet', ...QUICK)).toEqual({ code: 0, stdout: '', stderr: '' });
  });

  it('shows what was read, the measures, and what differs from the log’s own numbers', async () => {
    const { code, stdout, stderr } = await assay('import', 'r2.eval', '--out', 'shown', '--no-report');
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
    expect(stdout).toContain('Imported from inspect 0.3.154: shown\ntask parity, model acme/gpt-x, 4 samples\n');
    expect(stdout).toContain('The log does not say which way is better for match: higher is assumed.');
    expect(stdout).toMatch(
      /^Means that the log states +called +log +samples\n +match +accuracy +0\.5 +0\.75 +differs$/m,
    );
    expect(stdout).toContain(
      '! warning: The log states accuracy 0.5 over 4 for match, its samples give 0.75\n  over 4\n',
    );
    expect(stdout).toMatch(/^ +match +0\.750 +↑ +4 /m);
    for (const line of stdout.split('\n')) expect(line.length).toBeLessThanOrEqual(80);
  });

  it('keeps a name, a note and tags of the run', async () => {
    await assay('import', 'r1.eval', '--out', 'named', '--name', 'Night run', '--tag', 'model=x', ...QUICK);
    expect(JSON.parse(readFileSync(join(cwd, 'named', 'about.json'), 'utf8'))).toEqual({
      name: 'Night run',
      note: null,
      tags: { model: 'x' },
    });
  });

  it('gives JSON with one entry for each run', async () => {
    const { stdout } = await assay('import', 'r1.eval', '--out', 'json', '--json', ...QUICK);
    const [one, ...others] = JSON.parse(stdout) as Record<string, unknown>[];
    expect(others).toEqual([]);
    expect(one).toMatchObject({
      system: 'parity acme/gpt-x',
      tool: 'inspect',
      version: '0.3.154',
      task: 'parity',
      model: 'acme/gpt-x',
      folder: 'json',
      assumed: ['match'],
      reported: [{ score: 'match', metric: 'accuracy', reported: 0.5, value: 0.5, agrees: true }],
      measures: [{ name: 'match', value: 0.5, n: 4, direction: 'higher' }],
    });
  });

  it('makes a run for each column of a promptfoo file, and compares them', async () => {
    const result = (promptIdx: number, testIdx: number, score: number) => ({
      promptIdx,
      testIdx,
      provider: { id: ['acme:small', 'acme:large'][promptIdx] },
      prompt: { raw: 'r', label: 'p' },
      vars: { city: `City ${testIdx}` },
      response: { output: 'x' },
      success: score === 1,
      failureReason: score === 1 ? 0 : 1,
      score,
      namedScores: {},
    });
    const rows = [0, 1].flatMap((column) =>
      [1, 0, 0.5].map((score, at) => result(column, at, column === 1 ? 1 : score)),
    );
    writeFileSync(join(cwd, 'results.jsonl'), jsonl(rows));
    const { code, stdout } = await assay('import', 'results.jsonl', '--out', 'both', '--no-report');
    expect(code).toBe(0);
    expect(stdout).toContain('acme-large against acme-small\n3 cases paired.');
    expect(stdout).toMatch(/^ +score ↑ +0\.500 +1\.000 +\+0\.500 /m);
    const { stdout: again } = await assay(
      'compare',
      'both/acme-small',
      'both/acme-large',
      '--measure',
      'pass',
      '--json',
      '--quiet',
    );
    expect(JSON.parse(again)).toMatchObject({
      measures: [{ name: 'pass', baseline: 1 / 3, other: 1, wins: 2, losses: 0 }],
    });
  });
});

describe('commands on imported runs', () => {
  it('compare: 2 of 4 and 4 of 4, by the same samples', async () => {
    const { code, stdout } = await assay('compare', 'r1', 'r3', '--json', '--quiet');
    expect(code).toBe(0);
    // Two samples differ, both one way: 2 of 2² ways to swap them are as far apart.
    expect(JSON.parse(stdout)).toMatchObject({
      paired: 4,
      measures: [
        { name: 'match', baseline: 0.5, other: 1, difference: 0.5, wins: 2, ties: 2, permutation: { pValue: 0.5 } },
      ],
    });
  });

  it('gate: passes, fails, is inconclusive, and refuses a measure that is not there', async () => {
    const rules = (text: string) => {
      writeFileSync(join(cwd, 'rules.yaml'), text);
      return ['--rules', 'rules.yaml', '--quiet'];
    };
    expect((await assay('gate', 'r2', ...rules('rules: [{ measure: match, atLeast: 0.7 }]\n'))).code).toBe(0);
    expect((await assay('gate', 'r2', ...rules('rules: [{ measure: match, atLeast: 0.8 }]\n'))).code).toBe(1);
    expect(
      (
        await assay(
          'gate',
          'r2',
          '--baseline',
          'r1',
          ...rules('rules: [{ measure: match, notWorseThan: { margin: 0.9 } }]\n'),
        )
      ).code,
      // One of four cases differs: inconclusive.
    ).toBe(3);
    expect(await assay('gate', 'r2', ...rules('rules: [{ measure: mach, atLeast: 0.8 }]\n'))).toMatchObject({
      code: 2,
    });
  });

  it('repeats: how far the score moves by itself', async () => {
    const { code, stdout } = await assay('repeats', 'r1', 'r2', 'r3', '--json', '--quiet');
    expect(code).toBe(0);
    // 0.5, 0.75 and 1: mean 0.75, and sd √((0.0625 + 0 + 0.0625) / 2).
    expect(JSON.parse(stdout)).toMatchObject({
      cases: { compared: 4 },
      measures: [{ name: 'match', runs: { n: 3, mean: 0.75, min: 0.5, max: 1, sd: 0.25 } }],
    });
    expect(await assay('repeats', 'r1', 'r2', 'r3')).toMatchObject({ code: 0, stderr: '' });
  });

  it('audit, report and explain: findings, numbers, and each sample with its score and its text', async () => {
    expect((await assay('audit', 'r2')).stdout).toContain('reported-values');
    const report = await assay('report', 'r2');
    expect(report).toMatchObject({ code: 0, stderr: '' });
    expect(report.stdout).toContain('inspect log: 4 cases');
    const { stdout } = await assay('explain', 'r2');
    expect(stdout).toContain('Is 4 even? Answer Yes or No.');
    expect(stdout).toContain('Target: Yes');
    expect(stdout).toMatch(/\+ spurious {2}match {2}pred "0" · logged\n {20,}said Yes/);
    expect((await assay('explain', 'r2', '--case', '1')).stdout).toContain('✓ hit  match  pred "1"');
  });

  it('explain: says so where the log is gone', async () => {
    writeFileSync(join(cwd, 'gone.json'), JSON.stringify(log('CI')));
    await assay('import', 'gone.json', '--out', 'gone', ...QUICK);
    rmSync(join(cwd, 'gone.json'));
    expect((await assay('explain', 'gone')).stdout).toContain('is gone');
  });

  it('serve: lists them with their values', async () => {
    const store = openStore(join(cwd, 'data'));
    try {
      const keys = { publicKey: 'pk-lf-0123456789abcdef', secretKey: 'sk-lf-0123456789abcdef0123456789abcdef' };
      const app = langfuseApp({ store, keys, parts: [runsPart({ store, keys, runs: cwd, token: null })] });
      const headers = { host: '127.0.0.1:4390' };
      const live = (await (await app.request('http://127.0.0.1:4390/live', { headers })).json()) as { runs: unknown[] };
      expect(live.runs).toContainEqual(expect.objectContaining({ path: 'r2' }));
      expect(JSON.stringify(live)).toContain('"match"');
    } finally {
      store.close();
    }
  });

  it('waterfall, sweep and score refuse them with what to do instead', async () => {
    expect(await assay('waterfall', 'r1')).toMatchObject({
      code: 2,
      stderr: expect.stringContaining('has no waterfall: the scores are another tool’s'),
    });
    expect(await assay('sweep', 'r1', '--over', 'pair.threshold=0.1..0.9')).toMatchObject({
      code: 2,
      stderr: expect.stringContaining('no parameter to sweep over'),
    });
    writeFileSync(join(cwd, 'scores.yaml'), 'task: scores\nmeasure: {}\n');
    expect(await assay('score', 'scores.yaml', '--cases', 'r1.eval')).toMatchObject({
      code: 2,
      stderr: expect.stringContaining('assay import LOG --out RUN'),
    });
  });
});

describe('mistakes', () => {
  it.each([
    [['nowhere.json', '--out', 'x'], 'nowhere.json: no such file'],
    [['r1.eval'], "required option '--out <folder>' not specified"],
    [['--out', 'x'], 'no log was given name the file that the tool wrote'],
    [['r1.eval', '--out', 'x', '--format', 'inspct'], 'inspct'],
    [['r1.eval', '--out', 'x', '--format', 'promptfoo'], 'expected promptfoo: --output results.json'],
    [['r1.eval', '--out', 'x', '--score', 'mach'], '--score mach: the log has no such score\n  did you mean match?'],
    [['r1.eval', '--out', 'x', '--set', 'interval.resample=2'], 'there is no setting called resample'],
    [['rules.yaml', '--out', 'x'], 'no record was found in this file, expected a log (assay import --help'],
  ])('%j', async (args, message) => {
    writeFileSync(join(cwd, 'rules.yaml'), 'rules: [{ measure: match, atLeast: 0.7 }]\n');
    const { code, stderr, stdout } = await assay('import', ...args);
    expect({ code, stdout }).toEqual({ code: 2, stdout: '' });
    expect(stderr.replaceAll(/\s+/g, ' ')).toContain(message.replaceAll(/\s+/g, ' '));
  });

  it('nothing is written, and what was there stays', async () => {
    const before = readFileSync(join(cwd, 'r1/manifest.json'), 'utf8');
    writeFileSync(join(cwd, 'broken.json'), '{"eval": {"task": "t", "model": "m"}, "samples": [');
    expect((await assay('import', 'broken.json', '--out', 'r1')).code).toBe(2);
    expect(readFileSync(join(cwd, 'r1/manifest.json'), 'utf8')).toBe(before);
  });
});
