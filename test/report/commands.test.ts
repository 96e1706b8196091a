import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

import { describe, expect, it, vi } from 'vitest';

import explainCommand from '../../src/cli/explain.ts';
import reportCommand from '../../src/cli/report.ts';
import { UsageError } from '../../src/data/problems.ts';
import type { LedgerRecord } from '../../src/score/ledger.ts';
import {
  type CaseLine,
  dangerous,
  HOSTILE,
  measure,
  type RunParts,
  temporaryFolder,
  verdict,
  writeRun,
} from './made-up-run.ts';

/** What a command writes to standard output. */
async function run(make: typeof explainCommand, ...args: string[]): Promise<string> {
  const written: string[] = [];
  const spy = vi.spyOn(process.stdout, 'write').mockImplementation((text) => {
    written.push(String(text));
    return true;
  });
  const quiet = vi.spyOn(process.stderr, 'write').mockReturnValue(true);
  try {
    await make(() => undefined)
      .exitOverride()
      .parseAsync(args, { from: 'user' });
  } finally {
    spy.mockRestore();
    quiet.mockRestore();
  }
  return written.join('');
}
const explain = (...args: string[]): Promise<string> => run(explainCommand, ...args);

async function mistake(promise: Promise<string>): Promise<string> {
  const error: unknown = await promise.catch((thrown: unknown) => thrown);
  expect(error).toBeInstanceOf(UsageError);
  return error instanceof UsageError ? `${error.message} | ${error.next ?? ''}` : '';
}

const counts = (missed: number, spurious = 0, hit = 1) => ({ hit, missed, spurious, excused: 0 });
const missedIn = (id: string, more: Partial<LedgerRecord> = {}): LedgerRecord =>
  verdict({ verdict: 'missed', case: id, gold: { index: 0, label: 'LOC', text: 'Kars', start: 3, end: 7 }, ...more });

const CASES: readonly CaseLine[] = [
  { case: 'a1', counts: counts(1) },
  { case: 'a2', counts: counts(0, 4) },
  { case: 'a3', counts: counts(2) },
  { case: 'a4', counts: counts(0) },
  { case: 'a5', counts: counts(1, 1), answered: false },
];
const LEDGER = [
  missedIn('a1'),
  verdict({ verdict: 'hit', case: 'a2' }),
  missedIn('a3'),
  missedIn('a3', { scheme: 'exact' }),
  missedIn('a5'),
];
const TEXTS = CASES.map((one) => `${JSON.stringify({ id: one.case, text: 'in Kars, they say', spans: [] })}\n`).join(
  '',
);

function folderWithTexts(
  parts: RunParts = {},
  cases = CASES,
  ledger: readonly LedgerRecord[] = LEDGER,
): { folder: string; gold: string } {
  const base = temporaryFolder();
  const gold = join(base, 'gold.jsonl');
  writeFileSync(gold, TEXTS);
  const resolved = { schemes: { exact: { span: {} } }, ...parts.resolved };
  return {
    gold,
    folder: writeRun({ ...parts, resolved, folder: base }, cases, ledger, [
      { role: 'gold', path: gold, content: TEXTS },
    ]),
  };
}

const shownCases = (text: string): string[] => text.split('\n').flatMap((line) => /^(a\d\S*)/.exec(line)?.[1] ?? []);

describe('assay explain', () => {
  it('shows the three worst cases, in their text, and says how to see the rest', async () => {
    const { folder } = folderWithTexts();
    const text = await explain(folder);
    expect(shownCases(text)).toEqual(['a2', 'a3', 'a5']);
    expect(text).toContain('     in Kars, they say\ngold    ├╌╌┤1✗ LOC\n');
    expect(text).toContain(
      `1 other case has missed or spurious items; to see them, or one:\n  assay explain ${folder} --limit 4\n`,
    );
  });

  it('shows the named cases, in the order named, without those of other schemes', async () => {
    const text = await explain(folderWithTexts().folder, '--case', 'a3', 'a1');
    expect(shownCases(text)).toEqual(['a3', 'a1']);
    expect(text.match(/✗ missed/g)).toHaveLength(2);
  });

  it('ranks by the verdicts asked for', async () => {
    expect(shownCases(await explain(folderWithTexts().folder, '--verdict', 'missed', '--limit', '1'))).toEqual(['a3']);
  });

  it('shows every case with --all, in the order of the run, also the empty ones', async () => {
    expect(shownCases(await explain(folderWithTexts().folder, '--all'))).toEqual(['a1', 'a2', 'a3', 'a4', 'a5']);
    expect(shownCases(await explain(folderWithTexts().folder, '--all', '--limit', '2'))).toEqual(['a1', 'a2']);
  });

  it('refuses a ledger that does not follow the cases', async () => {
    const { folder } = folderWithTexts({}, CASES, LEDGER.toReversed());
    expect(await mistake(explain(folder, '--all'))).toContain('not in the order of cases.jsonl');
  });

  it('says when a case was not answered or failed', async () => {
    expect(await explain(folderWithTexts().folder, '--case', 'a5')).toContain(
      '! no prediction: scored as an empty answer',
    );
    const failed = folderWithTexts({}, [{ case: 'a1', counts: counts(0), failed: 'timeout after 30 s' }], []);
    expect(await explain(failed.folder, '--case', 'a1')).toContain('! failed, so it is not scored: timeout after 30 s');
  });

  it('says so when nothing is wrong anywhere', async () => {
    const { folder } = folderWithTexts({}, [{ case: 'a4', counts: counts(0) }], []);
    expect(await explain(folder)).toBe(
      `No case has a missed or spurious item; to see them anyway:\n  assay explain ${folder} --all\n`,
    );
  });

  it('prints lines of the ledger with --json', async () => {
    const lines = (await explain(folderWithTexts().folder, '--all', '--json', '--scheme', 'exact'))
      .trimEnd()
      .split('\n');
    expect(lines.map((line): unknown => JSON.parse(line))).toEqual([LEDGER[3]]);
  });

  it('prints JSON that a terminal does not act on and a parser reads as it was', async () => {
    const record = missedIn('a1', { label: `${HOSTILE}\u009b2J` });
    const shown = await explain(folderWithTexts({}, CASES.slice(0, 1), [record]).folder, '--json');
    expect(dangerous(shown)).toEqual([]);
    expect(JSON.parse(shown)).toEqual(record);
  });

  it('takes the text of the document for a case scored once per annotator', async () => {
    const { folder } = folderWithTexts(
      { resolved: { prepare: { annotator: { use: 'each' } } } },
      [
        { case: 'a1 (annotator2)', from: 'a1', counts: counts(1) },
        // As runs were written before `from`.
        { case: 'a1@b@x.org', cluster: 'a1', counts: counts(1) },
      ],
      [
        missedIn('a1 (annotator2)'),
        missedIn('a1@b@x.org', {
          gold: { index: 0, label: 'LOC', text: 'Kars', start: 3, end: 7, annotator: 'b@x.org' },
        }),
      ],
    );
    for (const flags of [[], ['--all'], ['--case', 'a1 (annotator2)'], ['--case', 'a1@b@x.org']])
      expect(await explain(folder, ...flags)).not.toContain('no text');
  });

  it('shows the verdicts without the text when the file has changed or is gone, and says why', async () => {
    const { folder, gold } = folderWithTexts();
    writeFileSync(gold, `${TEXTS}\n`);
    const changed = (await explain(folder, '--case', 'a1')).replaceAll(/\n {2}/g, ' ');
    expect(changed).toContain('gold.jsonl has changed since it was scored. Point to it with --cases FILE');
    expect(changed).toContain('gold "Kars"');
    expect(changed).not.toContain('they say');
    const elsewhere = writeRun({}, CASES, LEDGER, [{ role: 'gold', path: '/nowhere/gold.jsonl', content: '' }]);
    expect(await explain(elsewhere, '--case', 'a1')).toContain('/nowhere/gold.jsonl is gone');
    const piped = writeRun({}, CASES, LEDGER, [{ role: 'gold', path: null, content: '' }]);
    expect(await explain(piped, '--case', 'a1')).toContain('was read from standard input');
  });

  it('takes the text from --cases FILE, with a warning when it is another file', async () => {
    const { folder, gold } = folderWithTexts();
    const copy = join(temporaryFolder(), 'copy.jsonl');
    writeFileSync(copy, readFileSync(gold));
    expect(await explain(folder, '--case', 'a1', '--cases', copy)).toMatch(/^a1/);
    writeFileSync(copy, TEXTS.replaceAll('Kars', 'Kiev'));
    const other = await explain(folder, '--case', 'a1', '--cases', copy);
    expect(other).toContain('is not a file that was scored');
    expect(other).toContain('in Kiev, they say');
    expect(other).not.toContain('├');
  });

  it('suggests the nearest name for a case, a verdict or a scheme that does not exist', async () => {
    const { folder } = folderWithTexts();
    expect(await mistake(explain(folder, '--case', 'a11'))).toContain('there is no case "a11"');
    expect(await mistake(explain(folder, '--case', 'a11'))).toContain('did you mean a1');
    expect(await mistake(explain(folder, '--case', 'zzz'))).toContain('its 5 cases are called a1, a2, a3, a4, a5');
    expect(await mistake(explain(folder, '--verdict', 'hit,mised'))).toContain('did you mean missed?');
    expect(await mistake(explain(folder, '--scheme', 'exat'))).toContain('did you mean exact?');
    expect(await mistake(explain(folder, '--limit', 'many'))).toContain('expected a whole number');
  });
});

describe('assay report', () => {
  const parts = { measures: { measures: [measure('f1', 0.775)] } };
  const report = (...args: string[]): Promise<string> => run(reportCommand, ...args);

  it('prints the summary, or Markdown', async () => {
    const folder = writeRun(parts, CASES, LEDGER);
    expect(await report(folder)).toMatch(/^ {2}f1 +0\.775 {2}↑ {2}10$/m);
    expect(await report(folder, '--format', 'markdown')).toContain('| f1 | **0.775** | 10 |');
  });

  it('writes a file, whole or not at all, as Markdown when it is called so', async () => {
    const folder = writeRun(parts, CASES, LEDGER);
    const out = temporaryFolder();
    expect(await report(folder, '--out', join(out, 'a.md'))).toBe('');
    expect(readFileSync(join(out, 'a.md'), 'utf8')).toMatch(/^# pii\/mine/);
    mkdirSync(join(out, 'taken'));
    expect(await mistake(report(folder, '--out', join(out, 'taken')))).toContain('this is a folder');
    expect(readdirSync(out).toSorted()).toEqual(['a.md', 'taken']);
  });
});
