import { existsSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

import { describe, expect, it } from 'vitest';

import { FAIL_UNDER } from '../../src/cli/fail-under.ts';
import { assayHere } from './assay-here.ts';
import { example, type Finished, ROOT, temporaryFolder, words } from './run-assay.ts';

const OFF = ['--set', 'interval=off'];
const here = (args: readonly string[]): Promise<Finished> => assayHere(args, { cwd: ROOT });
/** 21 hits, 7 spurious, 11 missed: precision 0.75, recall 0.65625, f1 0.7. */
const JOURNAL = words`score journal/ashwam --cases ${example('journal/journals.jsonl')}
  --gold ${example('journal/gold.jsonl')} --predictions ${example('journal/predictions.jsonl')} ${OFF}`;
describe('a limit as it is written', () => {
  const read = (written: string) => FAIL_UNDER.read?.(written, '--fail-under');

  it('is a measure and a number, one or several', () => {
    expect(read('f1=0.8')).toEqual([{ measure: 'f1', limit: 0.8 }]);
    expect(read(' f1 = 0.8, recall=1e-1')).toEqual([
      { measure: 'f1', limit: 0.8 },
      { measure: 'recall', limit: 0.1 },
    ]);
    for (const wrong of ['', '=0.8', 'f1=', 'f1=x', 'f1=Infinity', 'f1=0.8,', 'f1>0.8'])
      expect(() => read(wrong), wrong).toThrow('--fail-under');
  });
});

describe('score --fail-under', () => {
  it('ends with 1 if a value is below its limit, and names it', async () => {
    const { code, stdout } = await here([...JOURNAL, '--fail-under', 'f1=0.71,precision=0.75']);
    expect(code).toBe(1);
    expect(stdout).toContain('✗ Limits: 1 of 2 checks failed, 1 passed');
    expect(stdout).toMatch(/✗ f1 ≥ 0\.71\n {2}0\.700 \(n = 39, 7 cases\), which is below 0\.71\./);
    expect(stdout).toContain('✓ passed  precision ≥ 0.75  0.750');
    expect(stdout.replaceAll(/\s+/g, ' ')).toContain(
      'goes by the value alone, however little data it rests on. assay gate',
    );
  });

  it('ends with 0 if all are met, also on the limit itself', async () => {
    const { code, stdout } = await here([...JOURNAL, '--fail-under', 'f1=0.7', '--fail-under', 'recall=0.65625']);
    expect(code).toBe(0);
    expect(stdout).toContain('✓ Limits: 2 checks passed');
  });

  it('is a ceiling for a measure of which less is better', async () => {
    // 21 hits and 7 spurious: 28 predicted objects.
    const counted = [...JOURNAL, '--set', 'measure.objects={of: item-count, kind: object, direction: lower}'];
    expect((await here([...counted, '--fail-under', 'objects=28'])).code).toBe(0);
    const { code, stdout } = await here([...counted, '--fail-under', 'objects=27']);
    expect(code).toBe(1);
    expect(stdout).toMatch(/✗ objects ≤ 27\n.*which is above 27\./);
  });

  it('refuses a measure whose best value is in between', async () => {
    const graph = words`score graph/openspec --gold ${example('graph/items.jsonl')}
      --predictions ${example('graph/outputs.jsonl')} ${OFF}`;
    const { code, stderr } = await here([...graph, '--fail-under', 'entity_over_extraction=1.2']);
    expect([code, stderr]).toEqual([
      2,
      expect.stringContaining('entity_over_extraction is best at 1, so no side is worse'),
    ]);
    expect(stderr).toContain('use assay gate, with atLeast and atMost');
  });

  it('shows what failed on standard error with --quiet, and keeps standard output for JSON', async () => {
    const quiet = await here([...JOURNAL, '--fail-under', 'f1=0.8', '--quiet']);
    expect(quiet).toEqual({
      code: 1,
      stdout: '',
      stderr: 'assay: f1 ≥ 0.8: 0.700 (n = 39, 7 cases), which is below 0.8.\n',
    });
    const json = await here([...JOURNAL, '--fail-under', 'f1=0.8', '--json']);
    expect(json.code).toBe(1);
    expect(JSON.parse(json.stdout)).toMatchObject({ cases: { total: 8 } });
    expect(json.stderr).toContain('Limits: 1 check failed');
  });

  it('judges each of several systems', async () => {
    const both = words`--predictions ${example('journal/predictions-b.jsonl')}`;
    const { code, stdout } = await here([...JOURNAL, ...both, '--fail-under', 'f1=0.8']);
    expect(code).toBe(1);
    expect(stdout).toContain('✗ Limits of predictions: 1 check failed');
    expect(stdout).toContain('✓ Limits of predictions-b: 1 check passed');
  });

  it('refuses, before it scores, what is no limit', async () => {
    const out = join(temporaryFolder(), 'run');
    const refusals = [
      ['f2=0.8', 'there is no measure f2', 'did you mean f1?'],
      ['f1=80', 'f1 lies between 0 and 1, so it could never be met', 'did you mean 0.8?'],
      ['f1=80%', 'expected a number after =', 'did you mean f1=0.8?'],
      ['f1=0', 'so it could never block', 'give a larger number'],
      ['f1', '--fail-under f1: expected measure=value', 'for example --fail-under f1=0.8,recall=0.7'],
      ['f1=0.8,f1=0.9', '--fail-under f1: given twice', 'give each measure one limit'],
    ] as const;
    for (const [limit, message, next] of refusals) {
      const { code, stderr } = await here([...JOURNAL, '--out', out, '--fail-under', limit]);
      expect([code, stderr]).toEqual([2, expect.stringContaining(message)]);
      expect(stderr).toContain(next);
    }
    const { stderr } = await here([...JOURNAL, '--out', out, '--fail-under', 'f2=0.8,f1=80']);
    expect(stderr).toContain('there is no measure f2 (did you mean f1?)');
    expect(stderr).toContain('could never be met (did you mean 0.8?)');
    const part = await here([...JOURNAL, '--out', out, '--shard', '1/2', '--fail-under', 'f1=0.8']);
    expect([part.code, part.stderr]).toEqual([
      2,
      expect.stringContaining('--fail-under: a part of the cases has no result'),
    ]);
    expect(existsSync(out)).toBe(false);
  });

  it('takes a value that is undefined for an error, not for a pass', async () => {
    const cases = join(temporaryFolder(), 'cases.jsonl');
    writeFileSync(
      cases,
      `${JSON.stringify({ id: 'a', text: 'Ann met Bo.', gold: [{ start: 0, end: 3, label: 'P' }], predicted: [] })}\n`,
    );
    const { code, stderr } = await here([
      'score',
      'pii/strict',
      '--cases',
      cases,
      ...OFF,
      '--fail-under',
      'precision=0.5',
    ]);
    expect(code).toBe(2);
    expect(stderr).toMatch(/--fail-under precision: it has no value: \w/);
  });
});
