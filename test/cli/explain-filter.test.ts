import { writeFileSync } from 'node:fs';
import { join } from 'node:path';

import { describe, expect, it } from 'vitest';

import { assayHere } from './assay-here.ts';
import { type Finished, PII, ROOT, temporaryFolder } from './run-assay.ts';
import { measuresOf } from './run-files.ts';

const here = (args: readonly string[]): Promise<Finished> => assayHere(args, { cwd: ROOT });

async function scored(): Promise<string> {
  const out = join(temporaryFolder(), 'run');
  await here([...PII, '--set', 'interval=off', '--out', out]);
  return out;
}

/** The first word of every line that begins a verdict. */
function caseIds(text: string): string[] {
  return [...text.matchAll(/^(EX-\d+) /gm)].map(([, id]) => id!);
}

describe('assay explain --label --rule', () => {
  it('lists the verdicts of a label over all cases, gold or predicted, as many as were counted', async () => {
    const run = await scored();
    const { stdout, code } = await here(['explain', run, '--label', 'LOC', '--verdict', 'missed,spurious']);
    expect(code).toBe(0);
    const counted = measuresOf(run)
      .rules.filter(({ label, verdict }) => label === 'LOC' && ['missed', 'spurious'].includes(verdict))
      .reduce((sum, { n }) => sum + n, 0);
    // Four places of LOC that nothing was paired with, seven predictions that are no LOC.
    expect(counted).toBe(11);
    expect(stdout).toMatch(/^11 verdicts in 5 cases\n/);
    expect(caseIds(stdout)).toHaveLength(11);
    expect(stdout).toContain('EX-003  ✗ missed    LOC  gold "Great Ostrey" · no-match');
    const crossed = await here(['explain', run, '--label', 'LOC', '--rule', 'loc-in-org']);
    // Gold has ORG there, and LOC was predicted.
    expect(crossed.stdout).toContain('pred "Northmere" (LOC, was CITY) · loc-in-org 1.000');
  });

  it('lists what rules decided, up to a limit, and says how many more there are', async () => {
    const run = await scored();
    const { stdout } = await here(['explain', run, '--rule', 'loc-in-org', '--limit', '2']);
    const rules = measuresOf(run).rules.filter(({ rule }) => rule === 'loc-in-org');
    const total = rules.reduce((sum, { n }) => sum + n, 0);
    expect(stdout).toContain(`${total} verdicts in`);
    expect(caseIds(stdout)).toHaveLength(2);
    expect(stdout).toContain(`… and ${total - 2} more; --limit shows more`);
  });

  it('takes several between commas or one after another, and prints JSON lines of all that fit', async () => {
    const run = await scored();
    const lines = async (...flags: readonly string[]): Promise<{ label: string; rule: string }[]> => {
      const { stdout } = await here(['explain', run, '--json', '--verdict', 'missed', ...flags]);
      return stdout
        .trim()
        .split('\n')
        .map((line) => JSON.parse(line) as { label: string; rule: string });
    };
    const both = await lines('--label', 'LOC,PERSON');
    expect([...new Set(both.map(({ label }) => label))].toSorted()).toEqual(['LOC', 'PERSON']);
    expect(await lines('--label', 'LOC', '--label', 'PERSON')).toEqual(both);
    expect(await lines('--label', 'LOC', '--limit', '1')).toHaveLength(1);
  });

  it('narrows what is shown of named cases, and passes over cases without a match among all', async () => {
    const run = await scored();
    const one = await here(['explain', run, '--case', 'EX-003', '--label', 'LOC', '--verdict', 'missed']);
    expect(one.stdout).toMatch(/^EX-003\n/);
    expect(one.stdout).toContain('gold "Pellham"');
    expect(one.stdout).not.toContain('hit');
    const all = await here(['explain', run, '--all', '--label', 'LOC', '--verdict', 'missed']);
    expect(all.stdout.match(/^EX-\d+$/gm)).toEqual(['EX-002', 'EX-003', 'EX-005']);
    const none = await here(['explain', run, '--case', 'EX-001', '--label', 'LOC', '--verdict', 'missed']);
    expect(none.stdout).toContain('no such verdict in this case');
  });

  it('suggests what a label or a rule was meant to be', async () => {
    const run = await scored();
    for (const [flags, message, next] of [
      [['--label', 'LCO'], '--label LCO: no verdict of the run has this label', 'did you mean LOC?'],
      [['--rule', 'loc-org'], '--rule loc-org: no verdict of the run has this rule', 'did you mean loc-in-org?'],
      [['--label', 'LOC', '--case', 'EX-9'], 'there is no case "EX-9"', ''],
    ] as const) {
      const { code, stderr } = await here(['explain', run, ...flags]);
      expect([code, stderr]).toEqual([2, expect.stringContaining(message)]);
      expect(stderr).toContain(next);
    }
    const { stdout } = await here(['explain', run, '--label', 'LOC', '--rule', 'loc-in-org', '--verdict', 'missed']);
    expect(stdout).toBe('0 verdicts in 0 cases\n\nno such verdict in this run\n');
  });

  it('finds a label with a comma in it', async () => {
    const cases = join(temporaryFolder(), 'cases.jsonl');
    const out = join(temporaryFolder(), 'run');
    const gold = [{ start: 0, end: 3, label: 'name, first' }];
    writeFileSync(cases, `${JSON.stringify({ id: 'a', text: 'Ann met Bo.', gold, predicted: gold })}\n`);
    await here(['score', 'pii/strict', '--cases', cases, '--set', 'interval=off', '--out', out]);
    const { stdout } = await here(['explain', out, '--label', 'name, first']);
    expect(stdout).toContain('1 verdict in 1 case');
  });
});
