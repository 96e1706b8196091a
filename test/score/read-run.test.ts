import { appendFileSync, mkdirSync, readFileSync, rmSync, truncateSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

import { describe, expect, it } from 'vitest';

import { UsageError } from '../../src/data/problems.ts';
import { readRun } from '../../src/score/run-file.ts';
import { VERSION } from '../../src/score/version.ts';
import { madeUpRun, measure, rule, temporaryFolder, verdict, writeRun } from '../report/made-up-run.ts';

const CASES = [
  { case: 'a', counts: { hit: 1, missed: 0, spurious: 0, excused: 0 } },
  { case: 'b', counts: { hit: 1, missed: 2, spurious: 1, excused: 0 } },
  { case: 'c', counts: { hit: 0, missed: 1, spurious: 0, excused: 3 } },
];
const LEDGER = [verdict({ verdict: 'hit' }), verdict({ verdict: 'missed', case: 'b' })];
const PARTS = { measures: { measures: [measure('f1', 0.5)], rules: [rule('hit', 'pair', 2)] } };

async function mistake(folder: string): Promise<{ message: string; next: string | null }> {
  const error: unknown = await readRun(folder).catch((thrown: unknown) => thrown);
  expect(error).toBeInstanceOf(UsageError);
  return error instanceof UsageError ? { message: error.message, next: error.next } : { message: '', next: '' };
}

describe('readRun', () => {
  it('gives back what was written, with the worst cases found again', async () => {
    const folder = writeRun(PARTS, CASES, LEDGER);
    const run = await readRun(folder);
    const expected = madeUpRun(PARTS);
    expect(run.folder).toBe(folder);
    expect(run.measures).toEqual(expected.measures);
    expect(run.manifest.recipe).toEqual(expected.manifest.recipe);
    expect(run.worst).toEqual([
      { case: 'b', missed: 2, spurious: 1, hit: 1 },
      { case: 'c', missed: 1, spurious: 0, hit: 0 },
    ]);
  });

  it('keeps fields it does not know', async () => {
    const folder = writeRun(PARTS, CASES, LEDGER);
    const manifest: unknown = JSON.parse(readFileSync(join(folder, 'manifest.json'), 'utf8'));
    writeFileSync(join(folder, 'manifest.json'), JSON.stringify({ ...(manifest as object), later: 1 }));
    expect((await readRun(folder)).manifest).toHaveProperty('later', 1);
  });

  it('names the folder that is missing and a run beside it that may be meant', async () => {
    const folder = writeRun(PARTS, CASES, LEDGER);
    expect(await mistake(`${folder}s`)).toEqual({
      message: `${folder}s does not exist`,
      next: `did you mean ${folder}?`,
    });
  });

  it('names runs inside a folder that is none', async () => {
    const base = temporaryFolder();
    const one = writeRun({ ...PARTS, folder: join(base, 'x') }, CASES, LEDGER);
    expect(await mistake(base)).toEqual({
      message: `${base} is not a run: it has no manifest.json`,
      next: `did you mean ${one}?`,
    });
    const two = writeRun({ ...PARTS, folder: join(base, 'y') }, CASES, LEDGER);
    expect((await mistake(base)).next).toBe(`runs near there: ${one}, ${two}`);
  });

  it('does not offer what a crash has left behind', async () => {
    const base = join(temporaryFolder(), 'runs');
    mkdirSync(join(base, 'run.partial-123'), { recursive: true });
    writeFileSync(join(base, 'run.partial-123', 'manifest.json'), '{}');
    expect((await mistake(base)).next).toContain('assay score makes a run');
  });

  it('takes a file of the run for a slip', async () => {
    const folder = writeRun(PARTS, CASES, LEDGER);
    expect(await mistake(join(folder, 'ledger.jsonl'))).toEqual({
      message: `${join(folder, 'ledger.jsonl')} is a file, expected the folder of a run`,
      next: `did you mean ${folder}?`,
    });
  });

  it('refuses a format it does not know, before it looks at the rest', async () => {
    const folder = writeRun(PARTS, CASES, LEDGER);
    writeFileSync(join(folder, 'manifest.json'), JSON.stringify({ format: 7, assay: '9.1.0' }));
    const { message, next } = await mistake(folder);
    expect(message).toBe(
      `${folder}: written by a newer Assay (9.1.0) in format 7; this is Assay ${VERSION}, which reads formats 2 and 3`,
    );
    expect(next).toBe('update Assay: npm install assay@latest');
    writeFileSync(join(folder, 'manifest.json'), JSON.stringify({ format: 1, assay: '0.0.1' }));
    const older = await mistake(folder);
    expect(older.message).toContain(`${folder}: written by Assay 0.0.1 in format 1; this is`);
    expect(older.next).toBe('read it with assay 0.0.1, or score again');
  });

  it('notices a ledger or cases that were cut off or added to', async () => {
    const cut = writeRun(PARTS, CASES, LEDGER);
    truncateSync(join(cut, 'ledger.jsonl'), readFileSync(join(cut, 'ledger.jsonl')).length - 5);
    expect((await mistake(cut)).message).toBe(
      `${join(cut, 'ledger.jsonl')}: 1 complete lines, but the manifest lists 2: the file was cut off`,
    );
    const fewer = writeRun(PARTS, CASES, LEDGER);
    writeFileSync(
      join(fewer, 'cases.jsonl'),
      readFileSync(join(fewer, 'cases.jsonl'), 'utf8').split('\n').slice(0, 2).join('\n'),
    );
    expect((await mistake(fewer)).message).toContain('the manifest lists 3: the file was cut off');
    const more = writeRun(PARTS, CASES, LEDGER);
    appendFileSync(join(more, 'ledger.jsonl'), '{}\n');
    expect((await mistake(more)).message).toContain('the manifest lists 2: lines were added');
  });

  it('says which file is broken, where, and how', async () => {
    const half = writeRun(PARTS, CASES, LEDGER);
    truncateSync(join(half, 'cases.jsonl'), readFileSync(join(half, 'cases.jsonl')).length - 5);
    expect((await mistake(half)).message).toContain(`${join(half, 'cases.jsonl')}:3: not JSON`);
    const broken = writeRun(PARTS, CASES, LEDGER);
    writeFileSync(join(broken, 'measures.json'), '{"signature": \u001b[2J');
    const { message, next } = await mistake(broken);
    expect(message).toContain(`${join(broken, 'measures.json')}: not JSON`);
    expect(message).not.toContain('\u001b');
    expect(next).toBe('the run folder is damaged or was changed: score again');
    const wrong = writeRun(PARTS, CASES, LEDGER);
    writeFileSync(join(wrong, 'measures.json'), '{"signature": 5}');
    expect((await mistake(wrong)).message).toContain(`${join(wrong, 'measures.json')}: signature:`);
    const missing = writeRun(PARTS, CASES, LEDGER);
    rmSync(join(missing, 'ledger.jsonl'));
    expect((await mistake(missing)).message).toContain('this file of the run is missing');
  });
});
