import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

import { describe, expect, it } from 'vitest';

import { BASELINE_FLAGS } from '../../src/cli/baseline.ts';
import { openReport } from '../report/html/open-report.ts';
import { assayHere } from './assay-here.ts';
import { example, temporaryFolder } from './run-assay.ts';

const journal = (file: string): string => join(example('journal'), file);

function scored(cwd: string, name: string, more: readonly string[] = []): ReturnType<typeof assayHere> {
  const predictions = journal(name === 'a' ? 'predictions.jsonl' : 'predictions-b.jsonl');
  const files = ['--cases', journal('journals.jsonl'), '--gold', journal('gold.jsonl'), '--predictions', predictions];
  const flags = ['--set', 'interval.resamples=200', '--out', `runs/${name}`, ...more];
  return assayHere(['score', 'journal/ashwam', ...files, ...flags], { cwd });
}

const pageOf = (cwd: string, name: string): ReturnType<typeof openReport> =>
  openReport(readFileSync(join(cwd, `runs/${name}/report.html`), 'utf8'));

describe('scoring with a baseline', () => {
  it('puts both runs into the report, and says what compare says', async () => {
    const cwd = temporaryFolder();
    await scored(cwd, 'a', ['--quiet']);
    const done = await scored(cwd, 'b', ['--baseline', 'runs/a']);
    expect(done.code).toBe(0);
    const { head } = pageOf(cwd, 'b');
    expect(head.runs.map(({ name }) => name)).toEqual(['a', 'b']);

    const compared = await assayHere(['compare', 'runs/a', 'runs/b', '--slices'], { cwd });
    const table = /\n(Measure +a +b[\s\S]*?)\n\n/.exec(compared.stdout)![1]!.split('\n').slice(1);
    const verdicts = table.filter((line) => /^ {2}\S+ [↑↓→]/.test(line));
    expect(verdicts.length).toBeGreaterThan(3);
    for (const line of verdicts) expect(done.stdout.replaceAll(/ +/g, ' ')).toContain(line.replaceAll(/ +/g, ' '));
    expect(done.stdout).toContain('\nAgainst a\n');
    expect(done.stdout).toMatch(/\nEffect sizes, cases that moved {2}\S.* compare runs\/a runs\/b --slices\n$/);
  });

  it('has its flags in the help', async () => {
    const { stdout } = await assayHere(['score', '--help'], { cwd: temporaryFolder() });
    for (const name of Object.keys(BASELINE_FLAGS)) expect(stdout).toContain(`--${name} `);
  });

  it('keeps standard output to the measures with --json, and is silent with --quiet', async () => {
    const cwd = temporaryFolder();
    await scored(cwd, 'a', ['--quiet']);
    const json = await scored(cwd, 'b', ['--baseline', 'runs/a', '--json']);
    expect(JSON.parse(json.stdout)).toHaveProperty('measures');
    expect(json.stderr).toContain('Against a\n');
    expect(await scored(cwd, 'b', ['--baseline', 'runs/a', '--quiet'])).toMatchObject({ stdout: '', stderr: '' });
    expect(pageOf(cwd, 'b').head.runs).toHaveLength(2);
  });

  it('shows no more of the texts than the report of the baseline', async () => {
    const cwd = temporaryFolder();
    await scored(cwd, 'a', ['--quiet', '--texts', 'redacted']);
    await scored(cwd, 'b', ['--quiet', '--baseline', 'runs/a']);
    expect(pageOf(cwd, 'b').head.texts).toBe('redacted');
  });

  it('leaves a run that was not scored alike with its own report, and says how to compare all the same', async () => {
    const cwd = temporaryFolder();
    await scored(cwd, 'a', ['--quiet']);
    const otherwise = ['--set', 'pair.threshold=0.9', '--baseline', 'runs/a'];
    const refused = await scored(cwd, 'b', otherwise);
    expect(refused.code).toBe(2);
    expect(refused.stdout).toContain('--set pair.threshold=0.9');
    expect(refused.stderr).toContain('compare anyway with --force');
    expect(pageOf(cwd, 'b').head.runs).toHaveLength(1);
    const forced = await scored(cwd, 'b', [...otherwise, '--force']);
    expect(forced.code).toBe(0);
    expect(forced.stdout).toContain('compare runs/a runs/b --slices --force\n');
    expect(pageOf(cwd, 'b').head.runs).toHaveLength(2);
  });

  it('makes no page where none is wanted', async () => {
    const cwd = temporaryFolder();
    await scored(cwd, 'a', ['--quiet']);
    const { stdout, code } = await scored(cwd, 'b', ['--baseline', 'runs/a', '--no-report']);
    expect(code).toBe(0);
    expect(stdout).toContain('Against a\n');
    expect(existsSync(join(cwd, 'runs/b/report.html'))).toBe(false);
  });
});

describe('a baseline that cannot be one', () => {
  it('is refused before anything is scored', async () => {
    const cwd = temporaryFolder();
    await scored(cwd, 'a', ['--quiet']);
    const before = readFileSync(join(cwd, 'runs/a/ledger.jsonl'), 'utf8');
    const same = await scored(cwd, 'a', ['--baseline', 'runs/a/']);
    expect(same).toMatchObject({ code: 2, stdout: '' });
    expect(same.stderr).toContain('runs/a is the baseline, which the new run would replace');
    expect(readFileSync(join(cwd, 'runs/a/ledger.jsonl'), 'utf8')).toBe(before);

    const none = await scored(cwd, 'b', ['--baseline', 'runs/none']);
    expect(none).toMatchObject({ code: 2, stdout: '' });
    expect(existsSync(join(cwd, 'runs/b'))).toBe(false);

    const alone = await scored(cwd, 'b', ['--force']);
    expect(alone).toMatchObject({ code: 2, stdout: '' });
    expect(alone.stderr).toContain('add --baseline RUN');
  });

  it('needs a run that is kept', async () => {
    const cwd = temporaryFolder();
    const cases = ['--cases', journal('journals.jsonl'), '--gold', journal('gold.jsonl')];
    const kept = await assayHere(
      ['score', 'journal/ashwam', ...cases, '--predictions', journal('predictions.jsonl'), '--baseline', 'runs/a'],
      { cwd },
    );
    expect(kept).toMatchObject({ code: 2, stdout: '' });
    expect(kept.stderr).toContain('add --out FOLDER');
  });
});
