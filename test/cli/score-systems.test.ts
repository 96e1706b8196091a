import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

import { describe, expect, it } from 'vitest';

import { assayHere } from './assay-here.ts';
import { type Finished, ROOT, temporaryFolder } from './run-assay.ts';

const journal = (name: string): string => join(ROOT, 'examples/journal', name);
const FILES = ['--cases', journal('journals.jsonl'), '--gold', journal('gold.jsonl')];
const BOTH = ['--predictions', journal('predictions.jsonl'), '--predictions', `b=${journal('predictions-b.jsonl')}`];
const QUICK = ['--set', 'interval.resamples=50'];

const score = (cwd: string, ...more: readonly string[]): Promise<Finished> =>
  assayHere(['score', 'journal/ashwam', ...FILES, ...BOTH, ...QUICK, ...more], { cwd });

describe('assay score with several --predictions', () => {
  it('makes a run of each, the comparison, and the pages of both', async () => {
    const cwd = temporaryFolder();
    const { code, stdout } = await score(cwd, '--out', 'runs', '--legacy-files', '--no-report');
    expect(code).toBe(0);
    expect(stdout).toContain('b against predictions');
    for (const file of ['predictions/ledger.jsonl', 'b/score_summary.json', 'evaluation.json'])
      expect(existsSync(join(cwd, 'runs', file))).toBe(true);
    const page = readFileSync(join(cwd, 'runs/evaluation_summary_report.md'), 'utf8');
    expect(page).toContain('| f1 | higher | 0.700 (');
    // What this recipe has nothing of has no section.
    expect(page).not.toMatch(
      /## (?:Ground truth|Classes|Hallucination|Readability|Languages|Agreement|Conflicts|Slices)/,
    );
    expect(page).not.toMatch(/reviewers|model judge|nobody has answered/i);

    const baseline = await score(cwd, '--out', 'more', '--no-report', '--baseline', 'runs/b');
    expect(baseline.code).toBe(0);
    expect(baseline.stdout).toMatch(/^predictions against b$/m);
    expect(baseline.stdout).toMatch(/^b against runs\/b$/m);
    const same = await score(cwd, '--out', 'runs', '--baseline', 'runs/b');
    expect(same).toMatchObject({ code: 2, stderr: expect.stringContaining('is the baseline') });
  });

  it('compares also where nothing is kept, has JSON by system, and is silent where it is to be', async () => {
    const cwd = temporaryFolder();
    const json = await score(cwd, '--json');
    expect(JSON.parse(json.stdout)).toMatchObject([{ system: 'predictions' }, { system: 'b' }]);
    expect(json.stderr).toContain('b against predictions');
    expect(json.stderr).toContain('Nothing was written');
    expect(await score(cwd, '--quiet')).toMatchObject({ code: 0, stdout: '', stderr: '' });
  });

  it('wants names that differ, and files that can be read again', async () => {
    const cwd = temporaryFolder();
    const twice = await score(cwd, '--predictions', `B=${journal('predictions.jsonl')}`);
    expect(twice).toMatchObject({ code: 2, stderr: expect.stringContaining('both of the system "B"') });
    const piped = await assayHere(
      ['score', 'journal/ashwam', '--cases', '-', '--gold', journal('gold.jsonl'), ...BOTH],
      { cwd, input: '' },
    );
    expect(piped).toMatchObject({ code: 2, stderr: expect.stringContaining('can be read once only') });
  });
});

it('--export writes files as others expect them: the page of an evaluation also of one system', async () => {
  const cwd = temporaryFolder();
  const one = ['score', 'journal/ashwam', ...FILES, ...BOTH.slice(0, 2), ...QUICK, '--no-report'];
  const both = ['--export', 'evaluation-summary', '--export', 'journal-scores'];
  expect(await assayHere([...one, '--out', 'run', ...both], { cwd })).toMatchObject({ code: 0 });
  for (const file of ['manifest.json', 'per_journal_scores.jsonl', 'evaluation_summary_report.md'])
    expect(existsSync(join(cwd, 'run', file))).toBe(true);
  const refused = async (...more: readonly string[]): Promise<string> => (await assayHere(more, { cwd })).stderr;
  expect(await refused(...one, '--export', 'journal-score', '--out', 'run')).toContain('did you mean journal-scores?');
  expect(await refused(...one, '--legacy-files')).toContain('add --out FOLDER');
  const pii = ['score', 'pii/strict', '--gold', 'gold.jsonl', '--out', 'run'];
  expect(await refused(...pii, '--legacy-files')).toContain('--legacy-files is for journal recipes, not for spans');
  expect(await refused(...pii, '--export', 'stream-metrics')).toContain('is for stream recipes, not for spans');
});

it('assay validate checks the files of several systems', async () => {
  const args = ['validate', 'journal/ashwam', ...FILES, ...BOTH];
  const { code, stdout } = await assayHere([...args, '--json'], { cwd: temporaryFolder() });
  expect(code).toBe(0);
  expect(JSON.parse(stdout)).toMatchObject([{ system: 'predictions' }, { system: 'b' }]);
});
