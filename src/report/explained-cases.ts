import { UsageError } from '../data/problems.ts';
import type { VerdictKind } from '../judge/verdict.ts';
import { type CaseResult, type LedgerCase, type LedgerRecord } from '../score/ledger.ts';
import { readCaseResults, readLedger } from '../score/run-file.ts';
import { compareText } from '../text/compare.ts';
import { closestNames } from '../text/closest-names.ts';

/** The named cases, in the order named. */
export async function namedCases(folder: string, ids: readonly string[]): Promise<CaseResult[]> {
  const wanted = new Set(ids);
  const found = new Map<string, CaseResult>();
  for await (const result of readCaseResults(folder)) if (wanted.has(result.case)) found.set(result.case, result);
  return Promise.all([...wanted].map(async (id) => found.get(id) ?? (await unknownCase(folder, id))));
}

async function unknownCase(folder: string, id: string): Promise<never> {
  const ids = await Array.fromAsync(readCaseResults(folder), (result) => result.case);
  const near = closestNames(id, ids);
  throw new UsageError(
    `there is no case ${JSON.stringify(id)} in ${folder}`,
    near.length > 0
      ? `did you mean ${near.join(' or ')}?`
      : `its ${ids.length} cases are called ${ids.slice(0, 5).join(', ')}${ids.length > 5 ? ', …' : ''}`,
  );
}

/** The cases with most of some verdicts, and how many more have any; ties by id. */
export async function worstCases(
  folder: string,
  verdicts: readonly VerdictKind[],
  limit: number,
): Promise<{ cases: CaseResult[]; others: number }> {
  const weight = ({ counts }: CaseResult): number => verdicts.reduce((sum, verdict) => sum + counts[verdict], 0);
  const order = (a: CaseResult, b: CaseResult): number => weight(b) - weight(a) || compareText(a.case, b.case);
  let held: CaseResult[] = [];
  let any = 0;
  for await (const result of readCaseResults(folder)) {
    if (weight(result) === 0) continue;
    any += 1;
    held.push(result);
    if (held.length > Math.max(1000, limit * 2)) held = held.sort(order).slice(0, limit);
  }
  const cases = held.sort(order).slice(0, limit);
  return { cases, others: any - cases.length };
}

/** The verdicts of a few cases, in the order of the cases. */
export async function* explainedCases(folder: string, cases: readonly CaseResult[]): AsyncGenerator<LedgerCase> {
  const records = new Map(cases.map((result) => [result.case, new Array<LedgerRecord>()]));
  for await (const record of readLedger(folder, new Set(records.keys()))) records.get(record.case)?.push(record);
  for (const result of cases) yield { result, records: records.get(result.case) ?? [] };
}
