import { appendFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

import fc from 'fast-check';
import { describe, expect, it } from 'vitest';

import { openParquetRows } from '../../src/data/parquet-rows.ts';
import { ledgerRecord, type LedgerRecord } from '../../src/score/ledger.ts';
import { LEDGER_COLUMNS, ledgerCells, readLedgerRows } from '../../src/score/ledger-parquet.ts';
import { openParquet } from '../../src/score/parquet-file.ts';
import { runsHere } from '../many-runs.ts';
import { temporaryFolder, verdict } from '../report/made-up-run.ts';
import { anyVerdict } from './any-verdict.ts';

async function written(file: string, records: readonly LedgerRecord[]): Promise<LedgerRecord[]> {
  writeFileSync(file, '');
  const table = await openParquet(LEDGER_COLUMNS, (bytes) => appendFileSync(file, bytes));
  for (const record of records) table.add(ledgerCells(record));
  table.end();
  return await Array.fromAsync(readLedgerRows(file));
}

describe('a ledger as a table', () => {
  it('law: gives back every verdict, whatever it holds, byte for byte', async () => {
    const file = join(temporaryFolder(), 'ledger.parquet');
    await fc.assert(
      fc.asyncProperty(fc.array(anyVerdict, { minLength: 1, maxLength: 5 }), async (verdicts) => {
        const records = verdicts.map((one) => ledgerRecord(one, null));
        const again = await written(file, records);
        expect(again.map((record) => JSON.stringify(record))).toEqual(records.map((record) => JSON.stringify(record)));
      }),
      { seed: 5, numRuns: runsHere(200) },
    );
  });

  it('has columns that need no JSON for what is asked most', async () => {
    const file = join(temporaryFolder(), 'ledger.parquet');
    const gold = { index: 3, label: 'LOC', text: 'Bonn', start: 4, end: 8, annotator: 'ann' };
    await written(file, [verdict({ verdict: 'missed', case: 'a', gold, because: 'b' })]);
    const [[row] = []] = await Array.fromAsync((await openParquetRows(file, file)).batches());
    expect(row).toMatchObject({
      case: 'a',
      scheme: null,
      verdict: 'missed',
      credit: 1,
      weight: 1,
      gold_index: 3,
      gold_text: 'Bonn',
      gold_start: 4,
      gold_more: '{"annotator":"ann"}',
      predicted_index: null,
      set_aside: false,
      record: null,
    });
  });

  it('is read a few rows at a time, in order, and may be empty', async () => {
    const file = join(temporaryFolder(), 'ledger.parquet');
    expect(await written(file, [])).toEqual([]);
    const records = Array.from({ length: 45_000 }, (_, at) => verdict({ verdict: 'hit', case: `c${at}` }));
    expect(await written(file, records)).toEqual(records);
    const { batches } = await openParquetRows(file, file);
    const sizes = (await Array.fromAsync(batches())).map((rows) => rows.length);
    expect(Math.max(...sizes)).toBeLessThanOrEqual(2000);
    expect(sizes.reduce((sum, size) => sum + size, 0)).toBe(45_000);
  });

  it('keeps half a character and a huge index beside columns that cannot', () => {
    const half = ledgerCells(verdict({ verdict: 'missed', label: '\ud800' }));
    expect(half.at(-1)).toBe(JSON.stringify(verdict({ verdict: 'missed', label: '\ud800' })));
    expect(half).not.toContain('\ud800');
    const huge = { index: 2 ** 40, label: 'A', text: '' };
    expect(ledgerCells(verdict({ verdict: 'missed', gold: huge })).at(-1)).toContain('1099511627776');
  });
});
