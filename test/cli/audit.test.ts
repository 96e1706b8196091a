import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { afterAll, beforeAll, describe, expect, test } from 'vitest';

import { planRecipe } from '../../src/recipe/plan.ts';
import { scoreToFolder } from '../../src/score/score-to-folder.ts';
import { fileSource } from '../../src/data/source.ts';
import { assayHere } from './assay-here.ts';
import { words } from './run-assay.ts';

const EXAMPLES = join(import.meta.dirname, '../../examples');
const cwd = mkdtempSync(join(tmpdir(), 'assay-audit-cli-'));
afterAll(() => rmSync(cwd, { recursive: true, force: true }));

async function scored(name: string, recipe: string, set: readonly string[] = []): Promise<void> {
  const plan = await planRecipe(recipe, ['interval.resamples=200', ...set]);
  await scoreToFolder(plan, { cases: fileSource(join(EXAMPLES, 'pii/docs.json')) }, { out: join(cwd, name) });
}
beforeAll(async () => {
  await scored('piranha', 'pii/piranha');
  await scored('strict', 'pii/strict');
  await scored('accepted', 'pii/piranha', ['audit.accept.excused-hits=agreed with the client']);
});
const audit = (...args: readonly string[]) => assayHere(['audit', ...args], { cwd });

describe('assay audit', () => {
  test('says what was found, and ends well unless told to be strict', async () => {
    const { code, stdout, stderr } = await audit('piranha');
    expect(code).toBe(0);
    expect(stderr).toBe('');
    expect(stdout).toContain(
      '✗ error: excused-hits\n  10 of 38 hits (26 %) are on labels whose misses are excused (ORG, DATETIME and\n  DEM); with those misses counted, recall would be 0.594 instead of 0.826.\n',
    );
    for (const line of stdout.split('\n')) expect(line.length).toBeLessThanOrEqual(80);
  });

  test('--strict ends with 1 where an error stands, and --strict=warning for warnings', async () => {
    expect((await audit('piranha', '--strict')).code).toBe(1);
    expect((await audit('strict', '--strict')).code).toBe(0);
    expect((await audit('strict', '--strict=warning')).code).toBe(1);
    expect((await audit('accepted', '--strict')).code).toBe(0);
    expect((await audit('piranha', '--strict', '--accept', 'excused-hits=just a look')).code).toBe(0);
  });

  test('what the recipe accepts stays in view with its reason', async () => {
    const { stdout } = await audit('accepted');
    expect(stdout).toContain('Accepted\n  excused-hits (error): 10 of 38 hits');
    expect(stdout).toContain('Because: agreed with the client');
  });

  test('so does what --accept lets stand; one that nothing was found for is told', async () => {
    const { stdout } = await audit(
      ...words`piranha --accept ${'excused-hits=a look'} --accept placeholder-answers=none`,
    );
    expect(stdout).toContain('Accepted\n  excused-hits (error)');
    expect(stdout).not.toContain('Accepted in the recipe');
    expect(stdout).toContain('Accepted, but not found\n  placeholder-answers\n    Because: none\n');
  });

  test('--json gives the audits to other programs', async () => {
    const { stdout } = await audit('piranha', 'strict', '--json');
    const { audits } = JSON.parse(stdout) as { audits: { run: string; findings: { name: string }[] }[] };
    expect(audits.map(({ run }) => run)).toEqual(['piranha', 'strict']);
    // The first is the baseline of the second, and they were not scored alike.
    expect(audits[0]!.findings.map(({ name }) => name)).toContain('different-signatures');
    expect(audits[1]!.findings.map(({ name }) => name)).not.toContain('different-signatures');
  });

  test('--out writes a page or JSON', async () => {
    await audit('piranha', '--out', 'audit.md');
    expect(readFileSync(join(cwd, 'audit.md'), 'utf8')).toContain('# ❌ Audit of piranha: 1 error, ');
    await audit('piranha', '--out', 'audit.json');
    expect(JSON.parse(readFileSync(join(cwd, 'audit.json'), 'utf8'))).toHaveProperty('audits');
    const { code, stderr } = await audit('piranha', '--out', 'audit.txt');
    expect([code, stderr]).toEqual([2, 'assay: --out audit.txt: expected a name that ends in .md or .json\n']);
  });

  test('--gate looks at the rules of a gate', async () => {
    writeFileSync(join(cwd, 'rules.yaml'), 'rules: [{ measure: f1, atLeast: 0 }]\n');
    expect((await audit('piranha', '--gate', 'rules.yaml')).stdout).toContain(
      'Rule 1 of the gate (line 1) can block nothing',
    );
  });

  test('--train looks for cases of the training among those of the test', async () => {
    const { stdout } = await audit('strict', '--train', join(EXAMPLES, 'pii/gold.jsonl'));
    expect(stdout).toMatch(/error: training-data-in-test/);
  });

  test('--severity leaves out what is less severe', async () => {
    const { stdout } = await audit('piranha', '--severity', 'error');
    expect(stdout).not.toContain('· note');
    expect(stdout).toContain('less severe than error not shown');
  });

  test.each([
    [['piranha', '--severity', 'eror'], '--severity eror: unknown severity\ndid you mean error?'],
    [['piranha', '--strict=bad'], '--strict bad: unknown severity\nexpected error, warning, note'],
    [['piranha', '--accept', 'too-fev-cases=x'], 'there is no check called too-fev-cases\ndid you mean too-few-cases?'],
    [['piranha', '--gate', 'none.yaml'], 'rules file not found: none.yaml'],
    [['piranhas'], 'does not exist'],
    [['piranha', '--cases', 'gone.json'], 'gone.json'],
  ])('%j is refused', async (args, message) => {
    const { code, stderr } = await audit(...args);
    expect(code).toBe(2);
    expect(stderr).toContain(message);
  });

  test('help lists every check', async () => {
    const { stdout } = await assayHere(['audit', '--help'], { cwd });
    expect(stdout).toMatch(/^ {2}excused-hits +hits that count on labels whose/m);
    expect(stdout).toContain('Examples:');
  });
});
