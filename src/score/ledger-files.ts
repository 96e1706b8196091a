import { join } from 'node:path';

import { visible } from '../data/visible.ts';
import { caseLine, type CaseRecord, damaged, type LedgerCase, ledgerLine, type LedgerRecord } from './ledger.ts';
import { readRecords } from './run-file.ts';
import { runFolder } from './run-folder.ts';

const OWN_CASE = /^\{"case":("(?:[^"\\]|\\.)*")/;

/**
 * The verdicts of a run, one at a time and in the order of the ledger. With `cases`, only those of the named cases: the
 * other lines are not even parsed.
 */
export async function* readLedger(folder: string, cases?: ReadonlySet<string>): AsyncGenerator<LedgerRecord> {
  const wanted = (text: string): boolean => {
    if (cases === undefined) return true;
    const id = OWN_CASE.exec(text)?.[1];
    return id === undefined || cases.has(String(JSON.parse(id)));
  };
  for await (const record of readRecords(join(runFolder(folder), 'ledger.jsonl'), ledgerLine, undefined, wanted))
    if (cases === undefined || cases.has(record.case)) yield record;
}

/** What each case added up to, in the order they were scored. `seen` is told of the bytes. */
export function readCaseResults(folder: string, seen?: (chunk: Buffer) => void): AsyncGenerator<CaseRecord> {
  return readRecords(join(runFolder(folder), 'cases.jsonl'), caseLine, seen);
}

export async function caseIds(folder: string): Promise<string[]> {
  return await Array.fromAsync(readCaseResults(folder), (result) => result.case);
}

/** Every case of a run with its lines, one at a time: the ledger has the order of the cases. */
export async function* readLedgerCases(folder: string): AsyncGenerator<LedgerCase> {
  const ledger = readLedger(folder);
  let next = await ledger.next();
  for await (const result of readCaseResults(folder)) {
    const records: LedgerRecord[] = [];
    while (next.done !== true && next.value.case === result.case) {
      records.push(next.value);
      next = await ledger.next();
    }
    yield { result, records };
  }
  if (next.done !== true)
    throw damaged(
      `${folder}: ledger.jsonl is not in the order of cases.jsonl, from case ${visible(next.value.case)} on`,
    );
}
