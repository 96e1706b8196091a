import { appendFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

import { describe, expect, it } from 'vitest';

import { caseIds, readCaseResults, readLedger } from '../../src/score/read-ledger.ts';
import { temporaryFolder, verdict, writeRun } from '../report/made-up-run.ts';

const counts = { hit: 1, missed: 0, spurious: 0, excused: 0 };
const LEDGER = [
  verdict({ verdict: 'hit', case: 'a', gold: { index: 0, label: 'LOC', text: 'x', start: 1, end: 2 } }),
  verdict({ verdict: 'missed', case: 'b "q"\\' }),
  verdict({ verdict: 'excused', case: 'a', scheme: 'token', weight: 3 }),
];

async function all<T>(items: AsyncIterable<T>): Promise<T[]> {
  const out: T[] = [];
  for await (const item of items) out.push(item);
  return out;
}

describe('readLedger', () => {
  it('gives every verdict in order, unknown fields kept', async () => {
    const folder = writeRun({}, [], [...LEDGER, { ...LEDGER[0]!, later: true }]);
    expect(await all(readLedger(folder))).toEqual([...LEDGER, { ...LEDGER[0], later: true }]);
  });

  it('gives those of the named cases, whatever is in their ids', async () => {
    const folder = writeRun({}, [], LEDGER);
    expect(await all(readLedger(folder, new Set(['b "q"\\'])))).toEqual([LEDGER[1]]);
    expect(await all(readLedger(folder, new Set(['a'])))).toEqual([LEDGER[0], LEDGER[2]]);
    expect(await all(readLedger(folder, new Set()))).toEqual([]);
  });

  it('finds a case whose id does not stand first in its line', async () => {
    const folder = temporaryFolder();
    const { case: id, ...rest } = LEDGER[0]!;
    writeFileSync(join(folder, 'ledger.jsonl'), `${JSON.stringify({ ...rest, case: id })}\n`);
    expect(await all(readLedger(folder, new Set(['a'])))).toEqual([LEDGER[0]]);
  });

  it('names the line that is broken, and looks only at those it was asked for', async () => {
    const folder = writeRun({}, [], LEDGER);
    appendFileSync(join(folder, 'ledger.jsonl'), '{"case":"z","verdict":"maybe"}\n');
    await expect(all(readLedger(folder))).rejects.toThrow(/ledger\.jsonl:4: /);
    expect(await all(readLedger(folder, new Set(['a'])))).toHaveLength(2);
  });

  it('says when there is no ledger', async () => {
    await expect(all(readLedger(temporaryFolder()))).rejects.toThrow('this file of the run is missing');
  });
});

describe('readCaseResults', () => {
  it('gives what each case added up to', async () => {
    const folder = writeRun(
      {},
      [
        { case: 'a', counts, measures: { f1: null } },
        { case: 'b', counts, answered: false },
      ],
      [],
    );
    expect(await all(readCaseResults(folder))).toEqual([
      { case: 'a', counts, measures: { f1: null } },
      { case: 'b', counts, measures: {}, answered: false },
    ]);
    expect(await caseIds(folder)).toEqual(['a', 'b']);
  });
});
