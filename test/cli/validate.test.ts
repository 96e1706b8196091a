import { writeFileSync } from 'node:fs';
import { join } from 'node:path';

import { describe, expect, it } from 'vitest';

import { assayHere } from './assay-here.ts';
import { type Finished, temporaryFolder } from './run-assay.ts';

const MAP = 'prepare.relabel.map={GIVENNAME: PERSON}';

interface Checked {
  readonly cases: number;
  readonly problems: { total: number; shown: { line: number; message: string }[] };
  readonly findings: { name: string; title: string; cases: { shown: string[] } }[];
  readonly labels: unknown[];
  readonly skipped: string[];
}

async function validate(
  files: Readonly<Record<string, readonly (object | string)[]>>,
  ...args: readonly string[]
): Promise<Finished & { readonly check: Checked }> {
  const cwd = temporaryFolder();
  const flags = Object.entries(files).flatMap(([role, records]) => {
    const lines = records.map((record) => (typeof record === 'string' ? record : JSON.stringify(record)));
    writeFileSync(join(cwd, `${role}.jsonl`), `${lines.join('\n')}\n`);
    return [`--${role}`, `${role}.jsonl`];
  });
  const done = await assayHere(['validate', 'pii/strict', ...flags, '--json', ...args], { cwd });
  return { ...done, check: JSON.parse(done.stdout === '' ? '{}' : done.stdout) as Checked };
}

const TEXT = 'Ann Lee met Bo in Rome.';
const span = (start: number, end: number, label = 'PERSON', text?: string): object => ({ start, end, label, text });
const CASES = [
  { id: 'a', text: TEXT },
  { id: 'b', text: 'Eva Law saw Al in Oslo.' },
];
const GOLD = ['a', 'b'].map((id) => ({ id, spans: [span(0, 7), span(18, 22, 'LOC')] }));

describe('assay validate', () => {
  it('is content with files that can be scored, and counts labels as the files have them', async () => {
    const predictions = ['a', 'b'].map((id) => ({ id, spans: [span(0, 3, 'GIVENNAME'), span(18, 22, 'LOC')] }));
    const { code, check } = await validate({ cases: CASES, gold: GOLD, predictions }, '--set', MAP);
    expect([code, check.cases, check.problems]).toEqual([0, 2, { total: 0, shown: [] }]);
    expect(check.labels).toEqual([
      { label: 'LOC', becomes: null, gold: 2, predicted: 2 },
      { label: 'GIVENNAME', becomes: 'PERSON', gold: 0, predicted: 2 },
      { label: 'PERSON', becomes: null, gold: 2, predicted: 0 },
    ]);
  });

  it('lists every problem with its line: exit code 1', async () => {
    const predictions = [
      { id: 'a', spans: [span(0, 7, 'PERSON', 'Ann Lea'), span(18, 99, 'LOC')] },
      '{"id": "b", "spans": [',
      { id: 'a', spans: [] },
      { id: 'zzz', spans: [] },
    ];
    const { code, check } = await validate({ cases: CASES, gold: GOLD, predictions });
    expect(code).toBe(1);
    expect(check.problems.total).toBe(5);
    expect(check.problems.shown.map(({ line, message }) => [line, message])).toEqual([
      [1, 'the text of the span 0..7 is "Ann Lea", but the document has "Ann Lee" there'],
      [1, 'the span 18..99 is past the end of the text (23 characters)'],
      [2, expect.stringContaining('JSON')],
      [3, 'the id "a" was given before in this file'],
      [4, 'predictions for "zzz", which is not in cases.jsonl'],
    ]);
    expect(check.skipped).toContain('the audit of the data: fix the problems first');
    // Labels are counted all the same.
    expect(check.labels).toContainEqual({ label: 'LOC', becomes: null, gold: 2, predicted: 1 });
  });

  it('warns of labels that the map lacks, cases without predictions and empty texts; --strict fails for it', async () => {
    const cases = [...CASES, { id: 'c', text: '  ' }];
    const gold = [...GOLD, { id: 'c', spans: [] }];
    const predictions = [{ id: 'a', spans: [span(0, 3, 'GIVENAME'), span(18, 22, 'PERSON')] }];
    const files = { cases, gold, predictions };
    const { code, check } = await validate(files, '--set', MAP);
    expect(code).toBe(0);
    expect(check.findings.map(({ name, title, cases: { shown } }) => [name, title, shown])).toEqual([
      ['unknown-label', 'the predicted label "GIVENAME" is not in the recipe (1 item)', ['a']],
      ['empty-text', '1 case has an empty text', ['c']],
      ['no-prediction', '2 cases have no prediction: scored as an empty answer', ['b', 'c']],
      ['labels-never-in-gold', expect.stringContaining('GIVENNAME in prepare.relabel (there is GIVENAME)'), []],
    ]);
    expect((await validate(files, '--set', MAP, '--strict')).code).toBe(1);
  });

  it('finds what the audit knows of files', async () => {
    const cases = Array.from({ length: 10 }, (_, at) => ({
      id: `c${at}`,
      text: `${TEXT} The same words again, ten times.`,
    }));
    const gold = cases.map(({ id }) => ({ id, spans: [span(0, 7)] }));
    const { check } = await validate({ cases, gold });
    expect(check.findings.map(({ name }) => name)).toEqual(['duplicate-cases']);
    expect(check.skipped).toContain('no predictions: --predictions FILE');
  });

  it('shows a person the same', async () => {
    const cwd = temporaryFolder();
    writeFileSync(
      join(cwd, 'd.jsonl'),
      `${JSON.stringify({ id: 'a', text: TEXT, gold: [span(0, 3)], predicted: [span(0, 99)] })}\n`,
    );
    const { code, stdout } = await assayHere(['validate', 'pii/strict', '--cases', 'd.jsonl'], { cwd });
    expect(code).toBe(1);
    expect(stdout).toContain('✗ d.jsonl:1: a predicted item 0: the span 0..99 is past the end of the text');
    expect(stdout).toMatch(/PERSON +1 +1/);
    expect(stdout).toContain('1 problem: the files cannot be scored as they are.');
  });
});
