import type { CaseDetail, ViewRecord } from '../../../../src/report/html/report-data.ts';
import type { LedgerItem } from '../../../../src/score/ledger.ts';

/** A record with what the tests do not care about filled in. */
export function record(given: Partial<ViewRecord>): ViewRecord {
  return { case: 'C', kind: 'span', verdict: 'hit', rule: 'pair', label: 'LOC', ...given };
}

export function item(index: number, given: Partial<LedgerItem> = {}): LedgerItem {
  return { index, label: 'LOC', text: '', ...given };
}

/** A case with the records of each run. */
export function detail(text: string | null, ...runs: (readonly ViewRecord[] | null)[]): CaseDetail {
  const counts = { hit: 0, missed: 0, spurious: 0, excused: 0 };
  return {
    case: 'C',
    text,
    noText: text === null ? 'texts were left out' : null,
    runs: runs.map((records) => (records === null ? null : { result: { case: 'C', counts, measures: {} }, records })),
  };
}
