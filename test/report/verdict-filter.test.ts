import { join } from 'node:path';

import { describe, expect, it } from 'vitest';

import { score } from '../../src/report/score.ts';
import { type ShownVerdicts, verdictFilter } from '../../src/report/verdict-filter.ts';
import { readLedger, readRun } from '../../src/score/run-file.ts';
import { makeCase } from '../../src/data/case.ts';
import { makeItem } from '../../src/data/item.ts';
import { temporaryFolder } from '../cli/run-assay.ts';

const TEXT = 'Ann met Bo in Rome.';
const span = (index: number, start: number, end: number, label: string) =>
  makeItem({ kind: 'span', index, label, start, end, text: TEXT.slice(start, end) });

/** Ann is found, Bo is taken for a place, Rome is missed. */
async function ledger(shown: Partial<ShownVerdicts>): Promise<string[]> {
  const out = join(temporaryFolder(), 'run');
  const gold = [span(0, 0, 3, 'PERSON'), span(1, 8, 10, 'PERSON'), span(2, 14, 18, 'CITY, TOWN')];
  const predicted = [span(0, 0, 3, 'PERSON'), span(1, 8, 10, 'LOC')];
  const given = makeCase({ id: 'a', text: TEXT, gold, predicted });
  await score('pii/every-scheme', [given], { out, set: ['interval=off'], texts: 'off' });
  const isShown = await verdictFilter(await readRun(out), { verdicts: null, scheme: null, ...shown });
  const found: string[] = [];
  for await (const record of readLedger(out))
    if (isShown(record)) found.push(`${record.verdict} ${record.label} ${record.scheme ?? ''}`.trim());
  return found;
}

describe('which verdicts are shown', () => {
  it('fits every list, and any name within one', async () => {
    expect(await ledger({ labels: ['LOC'] })).toEqual(['spurious LOC']);
    expect(await ledger({ labels: ['LOC,PERSON'], verdicts: ['missed', 'spurious'] })).toEqual([
      'missed PERSON',
      'spurious LOC',
    ]);
    expect(await ledger({ labels: ['PERSON'], rules: ['pair'] })).toEqual(['hit PERSON']);
    expect(await ledger({ rules: ['pair', 'no-match'] })).toEqual(['hit PERSON', 'missed CITY, TOWN']);
  });

  it('takes a name with a comma as it is', async () => {
    expect(await ledger({ labels: ['CITY, TOWN'] })).toEqual(['missed CITY, TOWN']);
  });

  it('keeps to one scheme, and finds a label on the side that the verdict is not counted for', async () => {
    const [first, ...others] = await ledger({ labels: ['LOC'], scheme: 'exact', verdicts: ['hit'] });
    // By exact boundaries Bo is found, whatever it is called.
    expect([first, others]).toEqual(['hit PERSON exact', []]);
  });

  it('refuses a name that no verdict has', async () => {
    await expect(ledger({ labels: ['PERSNO'] })).rejects.toThrow(
      '--label PERSNO: no verdict of the run has this label',
    );
    await expect(ledger({ rules: ['pair,pear'] })).rejects.toThrow('--rule pear: no verdict of the run has this rule');
  });
});
