import { UsageError } from '../data/problems.ts';
import type { VerdictKind } from '../judge/verdict.ts';
import { didYouMean } from '../prepare/setting-error.ts';
import { type CaseResult, idInFiles, type LedgerCase, type LedgerRecord } from '../score/ledger.ts';
import { readCaseResults, readLedger, readLedgerCases } from '../score/run-file.ts';
import type { Run } from '../score/run.ts';
import { compareText } from '../text/compare.ts';
import { type CaseTexts, openCaseTexts } from './case-texts.ts';
import type { Document } from './document.ts';
import { explainDocument, verdictListDocument } from './explain.ts';
import { recipeFacts, type RecipeFacts } from './recipe-facts.ts';
import { type ShownVerdicts, verdictFilter } from './verdict-filter.ts';

export interface ExplainOptions extends ShownVerdicts {
  /** Cases by id; null: the worst; 'all': every case, in the order of the files. */
  readonly cases: readonly string[] | 'all' | null;
  readonly limit: number;
  /** The path of the texts now, if not where they were scored. */
  readonly texts: string | null;
}

/** Chosen verdicts of a case: as lines of the ledger, and as a document with its text. */
export interface ExplainedCase {
  readonly records: readonly LedgerRecord[];
  readonly document: () => Promise<Document>;
}

export interface Explanation {
  /** What cases without a chosen id are ranked by. */
  readonly ranked: readonly VerdictKind[];
  /** How many of the cases are shown, and how many more have such verdicts; null if cases were chosen. */
  readonly worst: { readonly shown: number; readonly others: number } | null;
  /** Opens the texts of the files that were scored; why some cannot be shown, if so. */
  readonly notice: () => Promise<string | null>;
  readonly cases: () => AsyncGenerator<ExplainedCase>;
  readonly close: () => Promise<void>;
}

/** The verdicts of cases of a run, each with the rule that decided it. */
export async function explainRun(run: Run, options: ExplainOptions): Promise<Explanation> {
  const { folder } = run;
  const { verdicts, scheme, limit } = options;
  const facts = recipeFacts(run);
  if (scheme !== null && !facts.schemes.includes(scheme)) throw unknownScheme(scheme, facts);
  const ranked = verdicts ?? ['missed', 'spurious'];
  const worst = options.cases === null ? await worstCases(folder, ranked, limit) : null;
  const cases = options.cases === 'all' ? null : (worst?.cases ?? (await namedCases(folder, options.cases ?? [])));
  const ofScheme = (record: LedgerRecord): boolean => (record.scheme ?? null) === scheme;
  const isShown = await verdictFilter(run, options);
  // Among all cases, those without a verdict that was asked for are passed over.
  const isNarrow = options.cases === 'all' && [options.labels, options.rules].some((names = []) => names.length > 0);
  let texts: Promise<CaseTexts> | null = null;
  const openTexts = (): Promise<CaseTexts> =>
    (texts ??= openCaseTexts(run, cases === null ? null : new Set(cases.map(idInFiles)), options.texts));
  return {
    ranked,
    worst: worst && { shown: worst.cases.length, others: worst.others },
    notice: async () => (await openTexts()).notice,
    async *cases() {
      let seen = 0;
      for await (const explained of cases === null ? readLedgerCases(folder) : explainedCases(folder, cases)) {
        if (seen === limit) break;
        const records = explained.records.filter(isShown);
        if (isNarrow && records.length === 0) continue;
        seen += 1;
        const hidden = explained.records.filter(ofScheme).length - records.length;
        const document = async () => caseDocument(explained.result, records, hidden, await openTexts(), facts, scheme);
        yield { records, document };
      }
    },
    close: async () => (await texts)?.close(),
  };
}

/** Verdicts of all cases, the first of them listed. */
export interface VerdictList {
  readonly records: readonly LedgerRecord[];
  readonly total: number;
  /** How many cases have such a verdict. */
  readonly cases: number;
  readonly document: () => Document;
}

/** The verdicts that fit, of all cases in their order; `limit` of them are kept. */
export async function listVerdicts(run: Run, options: Omit<ExplainOptions, 'cases' | 'texts'>): Promise<VerdictList> {
  const facts = recipeFacts(run);
  const { scheme, limit } = options;
  if (scheme !== null && !facts.schemes.includes(scheme)) throw unknownScheme(scheme, facts);
  const isShown = await verdictFilter(run, options);
  const records: LedgerRecord[] = [];
  let [total, cases, last] = [0, 0, ''];
  for await (const record of readLedger(run.folder)) {
    if (!isShown(record)) continue;
    total += 1;
    if (cases === 0 || record.case !== last) cases += 1;
    last = record.case;
    if (records.length < limit) records.push(record);
  }
  const { attributes } = facts;
  const document = () => verdictListDocument(records, { total, cases, unit: facts.unit(scheme), attributes });
  return { records, total, cases, document };
}

function unknownScheme(scheme: string, { schemes }: RecipeFacts): UsageError {
  return new UsageError(
    `--scheme ${scheme}: the run has no such scheme`,
    didYouMean(scheme, schemes) ??
      (schemes.length > 0 ? `schemes: ${schemes.join(', ')}` : 'it was scored by the recipe’s own pairing only'),
  );
}

async function caseDocument(
  result: CaseResult,
  records: readonly LedgerRecord[],
  hidden: number,
  texts: CaseTexts,
  facts: RecipeFacts,
  scheme: string | null,
): Promise<Document> {
  const text = await texts.of(idInFiles(result));
  return explainDocument({
    caseId: result.case,
    records,
    hidden,
    text,
    offsets: facts.offsets,
    unit: facts.unit(scheme),
    attributes: facts.attributes,
    remark: remarkOf(result, text === null && texts.notice === null ? texts.lacking : null),
  });
}

function remarkOf(result: CaseResult, lacking: string | null): string | null {
  const remarks = [
    ...(result.failed === undefined ? [] : [`failed, so it is not scored: ${result.failed}`]),
    ...(result.failedAsEmpty === undefined ? [] : [`failed, scored as an empty answer: ${result.failedAsEmpty}`]),
    ...(result.answered === false ? ['no prediction: scored as an empty answer'] : []),
    ...(lacking === null || lacking === '' ? [] : [lacking]),
  ];
  return remarks.length === 0 ? null : remarks.join('; ');
}

/** The named cases, in the order named. */
async function namedCases(folder: string, ids: readonly string[]): Promise<CaseResult[]> {
  const wanted = new Set(ids);
  const found = new Map<string, CaseResult>();
  for await (const result of readCaseResults(folder)) if (wanted.has(result.case)) found.set(result.case, result);
  return Promise.all([...wanted].map(async (id) => found.get(id) ?? (await unknownCase(folder, id))));
}

async function unknownCase(folder: string, id: string): Promise<never> {
  const ids = await Array.fromAsync(readCaseResults(folder), (result) => result.case);
  throw new UsageError(
    `there is no case ${JSON.stringify(id)} in ${folder}`,
    didYouMean(id, ids) ??
      `its ${ids.length} cases are called ${ids.slice(0, 5).join(', ')}${ids.length > 5 ? ', …' : ''}`,
  );
}

/** The cases with most of some verdicts, and how many more have any; ties by id. */
async function worstCases(
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
async function* explainedCases(folder: string, cases: readonly CaseResult[]): AsyncGenerator<LedgerCase> {
  const records = new Map(cases.map((result) => [result.case, new Array<LedgerRecord>()]));
  for await (const record of readLedger(folder, new Set(records.keys()))) records.get(record.case)?.push(record);
  for (const result of cases) yield { result, records: records.get(result.case) ?? [] };
}
