import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { afterAll, beforeAll, describe, expect, it } from 'vitest';

import gateCommand from '../../src/cli/gate.ts';
import { UsageError } from '../../src/data/problems.ts';
import { assayHere } from './assay-here.ts';
import { assay, example, type Finished, JOURNAL, PII, ROOT, temporaryFolder, words } from './run-assay.ts';

/** Off in tests that are themselves run by a pipeline. */
const NOT_ON_GITHUB = { GITHUB_ACTIONS: '', GITHUB_STEP_SUMMARY: '', GITHUB_WORKSPACE: '' };

// The runs are scored once: 38 hits, 14 spurious, 8 missed by pii/piranha; F1 0.7 by journal/ashwam, and gold itself.
let runs = '';
const gold = JOURNAL.map((word) => (word.endsWith('predictions.jsonl') ? example('journal/gold.jsonl') : word));
beforeAll(async () => {
  runs = mkdtempSync(join(tmpdir(), 'assay-gate-'));
  for (const [name, call] of Object.entries({ pii: PII, journal: JOURNAL, gold }))
    await assayHere([...call, '--quiet', '--no-report', '--out', join(runs, name)], { cwd: ROOT });
});
afterAll(() => rmSync(runs, { recursive: true, force: true }));

function gate(args: readonly string[], env: Record<string, string> = {}): Promise<Finished> {
  return assayHere(['gate', ...args], { cwd: runs, env: { ...NOT_ON_GITHUB, ...env } });
}
/** In a process of its own, whose exit code is what a pipeline goes by. */
function gateProcess(...args: string[]): Finished {
  return assay(['gate', ...args], { cwd: runs, env: NOT_ON_GITHUB });
}
function rules(text: string): string {
  const file = join(temporaryFolder(), 'rules.yaml');
  writeFileSync(file, text);
  return file;
}
const MARGIN = 'rules: [{ measure: f1, notWorseThan: { margin: 0.05 } }]\n';

describe('assay gate', () => {
  it('passes with code 0', async () => {
    const done = await gate(['pii', '--rules', example('gate/passes.yaml')]);
    expect(done).toMatchObject({ code: 0, stderr: '' });
    expect(done.stdout).toMatch(/^✓ Gate passed: 5 of 12 checks passed, 7 were skipped as too small\n/);
  });

  it('blocks with code 1 and says what failed: F1 is 76/98, recall of LOC 9/13', () => {
    const done = gateProcess('pii', '--rules', example('gate/blocks.yaml'));
    expect(done.code).toBe(1);
    expect(done.stdout).toMatch(/^✗ Gate failed: 2 of 3 checks failed, 1 passed\n/);
    expect(done.stdout).toContain('which is below 0.8.');
    expect(done.stdout).toMatch(/✗ failed {2}recall \(label LOC\) ≥ 0\.75 {4}0\.692/);
    expect(done.stdout).toContain('explain pii --case EX-003 --case EX-002 --case EX-005');
  });

  it('is inconclusive with code 3', () => {
    const done = gateProcess('pii', '--rules', example('gate/inconclusive.yaml'));
    expect(done.code).toBe(3);
    expect(done.stdout).toMatch(/^\? Gate inconclusive: 2 checks inconclusive\n/);
  });

  it('refuses rules that do not fit or could never block with code 2, and writes nothing', async () => {
    const folder = temporaryFolder();
    const out = join(folder, 'gate.json');
    const bad = rules('rules:\n  - { measure: f11, atLeast: 0.5 }\n  - { measure: f1, atLeast: 0 }\n');
    const done = await gate(['pii', '--rules', bad, '--out', out]);
    expect(done).toMatchObject({ code: 2, stdout: '' });
    expect(done.stderr).toContain('rules.yaml:2: rule 1 measure: the run has no measure f11 (did you mean f1?)');
    expect(done.stderr).toContain(
      'rules.yaml:3: rule 2 atLeast: f1 lies between 0 and 1, so the rule could never block',
    );
    expect(existsSync(out)).toBe(false);
  });

  it('takes gate.yaml of the working directory, and says which file it was', async () => {
    expect(await gate(['pii'])).toMatchObject({
      code: 2,
      stderr: expect.stringContaining('rules file not found: gate.yaml'),
    });
    const folder = temporaryFolder();
    writeFileSync(join(folder, 'gate.yaml'), 'rules: [{ measure: f1, atLeast: 0.5 }]\n');
    const done = await assayHere(['gate', join(runs, 'pii')], { cwd: folder, env: NOT_ON_GITHUB });
    expect(done.code).toBe(0);
    expect(done.stdout).toContain('Rules gate.yaml on ');
  });
});

describe('sure', () => {
  it('goes by the interval that score prints with the method studentised, wider than the percentile one', async () => {
    const folder = temporaryFolder();
    const scored = join(folder, 'studentised');
    const method = ['--set', 'interval.method=studentised'];
    await assayHere([...PII, ...method, '--quiet', '--no-report', '--out', scored], { cwd: ROOT });
    const file = rules(
      'rules: [{ measure: f1, atLeast: 0.5, sure: true }, { measure: recall, each: label, atLeast: 0.1, sure: true }]\n',
    );
    const figures = async (run: string): Promise<{ interval: { low: number; method: string } | null }[]> => {
      const { stdout } = await gate([run, '--rules', file, '--json']);
      const { checks }: { checks: { interval: { low: number; method: string } | null }[] } = JSON.parse(stdout);
      return checks.map(({ interval }) => ({ interval }));
    };
    const found = await figures('pii');
    expect(found.length).toBeGreaterThan(3);
    expect(found).toEqual(await figures(scored));
    expect(found[0]!.interval!.method).toBe('studentised');
    // The score table's is 0.674 to 0.871.
    expect(found[0]!.interval!.low).toBeLessThan(0.67);
  });
});

describe('against a baseline', () => {
  it('passes, fails or is inconclusive by the interval of the difference', async () => {
    // 0.3 worse than gold itself in F1, but over seven cases, of which one makes most of it.
    const few = await gate(['journal', '--baseline', 'gold', '--rules', rules(MARGIN)]);
    expect(few).toMatchObject({ code: 3, stdout: expect.stringContaining('studentised') });
    const wide = rules('rules: [{ measure: recall, notWorseThan: { margin: 0.002 } }]\n');
    const empty = join(temporaryFolder(), 'empty');
    const answers = join(temporaryFolder(), 'answers.jsonl');
    writeFileSync(answers, '{"journal_id":"D01","items":[]}\n');
    const none = JOURNAL.map((word) => (word.endsWith('predictions.jsonl') ? answers : word));
    await assayHere([...none, '--quiet', '--no-report', '--out', empty], { cwd: ROOT });
    expect(await gate([empty, '--baseline', 'gold', '--rules', wide])).toMatchObject({ code: 1 });
    expect(await gate(['gold', '--baseline', 'journal', '--rules', rules(MARGIN)])).toMatchObject({ code: 0 });
    // Four of six cases have every polarity right, so the interval reaches 0; the margin lies within it.
    const polarity = rules('rules: [{ measure: polarity_accuracy, notWorseThan: { margin: 0.1 } }]\n');
    const unsure = await gate(['journal', '--baseline', 'gold', '--rules', polarity]);
    expect(unsure.code).toBe(3);
    expect(unsure.stdout).toContain('-0.095 (1.000 before, 0.905 now');
  });

  it('passes a run with the same answers, and says that they are the same', async () => {
    const again = join(temporaryFolder(), 'again');
    await assayHere([...JOURNAL, '--quiet', '--no-report', '--out', again], { cwd: ROOT });
    const done = await gate(['journal', '--baseline', again, '--rules', rules(MARGIN)]);
    expect(done.code).toBe(0);
    expect(done.stdout).toContain('The two runs are the same on every case');
    expect(done.stdout).toContain('hold the same predictions');
  });

  it('refuses a missing baseline, the run itself, and one that was scored in another way', async () => {
    const file = rules(MARGIN);
    expect(await gate(['journal', '--rules', file])).toMatchObject({
      code: 2,
      stderr: expect.stringContaining('give --baseline RUN'),
    });
    expect(await gate(['journal', '--baseline', 'journal', '--rules', file])).toMatchObject({
      code: 2,
      stderr: expect.stringContaining('is the run itself'),
    });
    const other = join(temporaryFolder(), 'other');
    await assayHere([...gold, '--set', 'pair.threshold=0.9', '--quiet', '--no-report', '--out', other], { cwd: ROOT });
    const refused = await gate(['journal', '--baseline', other, '--rules', file]);
    expect(refused).toMatchObject({ code: 2, stdout: '' });
    expect(refused.stderr).toContain('--force');
    const forced = await gate(['journal', '--baseline', other, '--rules', file, '--force']);
    expect(forced.code).toBe(3);
    expect(forced.stdout).toMatch(/^! .*was not scored as/m);
  });
});

describe('files', () => {
  it('are whole, alike every time, and nothing else is left behind', async () => {
    const folder = temporaryFolder();
    const call = (to: string): Promise<Finished> => {
      const places = words`--out ${join(to, 'gate.json')} --junit ${join(to, 'deeper/gate.xml')} --markdown ${join(to, 'gate.md')}`;
      return gate(['pii', '--rules', example('gate/blocks.yaml'), ...places]);
    };
    const [a, b] = [join(folder, 'a'), join(folder, 'b')];
    expect([(await call(a)).code, (await call(b)).code]).toEqual([1, 1]);
    for (const name of ['gate.json', 'deeper/gate.xml', 'gate.md'])
      expect(readFileSync(join(b, name), 'utf8')).toBe(readFileSync(join(a, name), 'utf8'));
    expect(readdirSync(a).toSorted()).toEqual(['deeper', 'gate.json', 'gate.md']);
    expect(JSON.parse(readFileSync(join(a, 'gate.json'), 'utf8'))).toMatchObject({ verdict: 'failed' });
    expect(readFileSync(join(a, 'deeper/gate.xml'), 'utf8')).toContain('failures="2" errors="0" skipped="0"');
    expect(readFileSync(join(a, 'gate.md'), 'utf8')).toMatch(/^# ❌ Gate failed/);
  });

  it('must not be folders, each other or the rules, and have a place', async () => {
    const folder = temporaryFolder();
    const file = rules('rules: [{ measure: f1, atLeast: 0.5 }]\n');
    mkdirSync(join(folder, 'sub'));
    const refused = async (...flags: string[]): Promise<string> => {
      const call = [join(runs, 'pii'), '--rules', file, '--quiet', ...flags];
      const error: unknown = await gateCommand(() => {})
        .parseAsync(call, { from: 'user' })
        .catch((thrown: unknown) => thrown);
      return error instanceof UsageError ? error.message : '';
    };
    expect(await refused('--junit', join(folder, 'sub'))).toContain('this is a folder');
    const twice = await refused('--out', join(folder, 'x'), '--markdown', join(folder, 'x'));
    expect(twice).toContain('--out and --markdown both name');
    expect(await refused('--markdown', file)).toContain('--rules and --markdown both name');
    expect(await refused('--out', join(file, 'x'))).toContain('cannot write');
  });
});

describe('output', () => {
  it('is nothing but JSON on standard output with --json, and nothing at all with --quiet', async () => {
    const json = await gate(['pii', '--rules', example('gate/blocks.yaml'), '--json']);
    expect(JSON.parse(json.stdout)).toMatchObject({ verdict: 'failed', counts: { failed: 2, passed: 1 } });
    expect(json.stderr).toContain('✗ Gate failed');
    expect(await gate(['pii', '--rules', example('gate/blocks.yaml'), '--quiet'])).toEqual({
      code: 1,
      stdout: '',
      stderr: '',
    });
  });

  it('has annotations on GitHub, behind a text that cannot give commands, and goes to the step summary', async () => {
    const folder = temporaryFolder();
    const summary = join(folder, 'summary.md');
    writeFileSync(summary, 'before\n');
    const github = { GITHUB_ACTIONS: 'true', GITHUB_STEP_SUMMARY: summary, GITHUB_WORKSPACE: example('') };
    const call = ['pii', '--rules', example('gate/blocks.yaml')];
    const lines = (await gate(call, github)).stdout.trimEnd().split('\n');
    expect(lines.filter((line) => line.startsWith('::')).map((line) => line.split('::')[1])).toEqual([
      'error file=gate/blocks.yaml,line=3,title=f1 ≥ 0.8',
      'error file=gate/blocks.yaml,line=5,title=recall (label LOC) ≥ 0.75',
      'notice file=gate/blocks.yaml,title=Gate failed',
    ]);
    expect(readFileSync(summary, 'utf8')).toMatch(/^before\n# ❌ Gate failed: 2 of 3/);

    const json = await gate([...call, '--json'], github);
    expect(() => void JSON.parse(json.stdout)).not.toThrow();
    expect(json.stderr).toContain('::error file=gate/blocks.yaml,line=3');
  });
});
