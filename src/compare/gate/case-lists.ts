import { isRecord } from '../../data/record-fields.ts';
import type { Direction } from '../../measure/measure.ts';
import { isOverall, type Slice } from '../../measure/results.ts';
import { type CaseRecord, type LedgerRecord } from '../../score/ledger.ts';
import { readCaseResults, readLedger } from '../../score/ledger-files.ts';
import type { Run } from '../../score/run.ts';
import { FirstOf, type WorstCase } from '../../score/run-counts.ts';
import { compareText } from '../../text/compare.ts';
import type { Check } from './check.ts';

/** Cases that a check which was not passed points to, the worst first; `total` is how many there are. */
export type CaseList = { readonly slice: Slice; readonly total: number } & (
  | { readonly kind: 'errors'; readonly by: 'missed' | 'spurious' | 'both'; readonly cases: readonly WorstCase[] }
  | { readonly kind: 'values'; readonly measure: string; readonly cases: readonly { case: string; value: number }[] }
  | {
      readonly kind: 'moved';
      readonly measure: string;
      readonly cases: readonly { case: string; baseline: number; other: number }[];
    }
  | { readonly kind: 'failed'; readonly cases: readonly { case: string; why: string }[] }
  | { readonly kind: 'unanswered'; readonly cases: readonly { case: string }[] }
  | { readonly kind: 'undefined'; readonly measure: string; readonly cases: readonly { case: string }[] }
);

/** Looks at the cases of a run, and where it has to at its verdicts, and keeps those that belong on its list. */
export interface CaseSearch {
  /** Equal keys are the same search. */
  readonly key: string;
  case?(record: CaseRecord): void;
  verdict?(record: LedgerRecord): void;
  list(): CaseList;
}

const MOST = 10;

/** The ones with the highest score; ties by id, so that the order of the input does not show. */
class Foremost<T extends { readonly case: string }> {
  readonly #first = new FirstOf<{ score: number; of: T }>(
    MOST,
    (a, b) => b.score - a.score || compareText(a.of.case, b.of.case),
  );
  total = 0;

  add(score: number, of: T): void {
    this.total += 1;
    this.#first.add({ score, of });
  }

  list(): T[] {
    return this.#first.list().map(({ of }) => of);
  }
}

/** Which errors a measure is about; null where it is about something else than items found and missed. */
export function errorsOf(
  resolved: Readonly<Record<string, unknown>>,
  measure: string,
): 'missed' | 'spurious' | 'both' | null {
  const { measure: all } = resolved;
  const own = isRecord(all) ? all[measure] : undefined;
  const of = isRecord(own) ? own['of'] : measure;
  if (of === 'macro' && isRecord(own) && typeof own['measure'] === 'string' && own['measure'] !== measure)
    return errorsOf(resolved, own['measure']);
  if (of === 'precision' || of === 'over-extraction') return 'spurious';
  if (of === 'recall' || of === 'entity-recall') return 'missed';
  return of === 'f1' || of === 'mean' || of === 'macro' ? 'both' : null;
}

/** The kind of item that a measure is about; null for all. */
export function kindOf(resolved: Readonly<Record<string, unknown>>, measure: string): string | null {
  const { measure: all } = resolved;
  const own = isRecord(all) ? all[measure] : undefined;
  return isRecord(own) && typeof own['kind'] === 'string' ? own['kind'] : null;
}

/** Whether a slice is told by the case alone: overall, or by columns of the case. */
export function isOfCases(slice: Slice): boolean {
  return slice['label'] === undefined && slice['scheme'] === undefined;
}

function isIn(record: CaseRecord, slice: Slice): boolean {
  return Object.entries(slice).every(([key, value]) => record.slices?.[key] === value);
}

/** The cases with the most errors. */
export function byErrors(slice: Slice, by: 'missed' | 'spurious' | 'both', kind: string | null): CaseSearch {
  const found = new Foremost<WorstCase>();
  const add = (id: string, { missed, spurious, hit }: Omit<WorstCase, 'case'>): void => {
    const score = (by === 'spurious' ? 0 : missed) + (by === 'missed' ? 0 : spurious);
    if (score > 0) found.add(score, { case: id, missed, spurious, hit });
  };
  const key = JSON.stringify(['errors', slice, by, kind]);
  const list = (): CaseList => ({ kind: 'errors', slice, by, total: found.total, cases: found.list() });
  if (isOfCases(slice))
    return {
      key,
      case(record) {
        if (!isIn(record, slice) || record.failed !== undefined) return;
        add(record.case, kind === null ? record.counts : (record.kinds?.[kind] ?? record.counts));
      },
      list,
    };
  const sums = new Map<string, { missed: number; spurious: number; hit: number; excused: number }>();
  return {
    key,
    verdict(record) {
      if (slice['label'] !== undefined && record.label !== slice['label']) return;
      if (record.scheme !== slice['scheme'] || (kind !== null && record.kind !== kind)) return;
      const own = sums.get(record.case) ?? { missed: 0, spurious: 0, hit: 0, excused: 0 };
      own[record.verdict] += record.weight ?? 1;
      sums.set(record.case, own);
    },
    list() {
      for (const [id, own] of sums) add(id, own);
      sums.clear();
      return list();
    },
  };
}

/** The cases with the worst value of a measure; those with the best that there is are left out. */
export function byValue(slice: Slice, measure: string, direction: Direction, best: number | null): CaseSearch {
  const found = new Foremost<{ case: string; value: number }>();
  return {
    key: JSON.stringify(['values', slice, measure]),
    case(record) {
      const value = record.measures[measure] ?? null;
      if (value !== null && value !== best && isIn(record, slice))
        found.add(direction === 'higher' ? -value : value, { case: record.case, value });
    },
    list: () => ({ kind: 'values', slice, measure, total: found.total, cases: found.list() }),
  };
}

/** The cases whose value became worse by most. */
export function byMove(
  slice: Slice,
  measure: string,
  direction: Direction,
  before: ReadonlyMap<string, CaseRecord>,
): CaseSearch {
  const found = new Foremost<{ case: string; baseline: number; other: number }>();
  return {
    key: JSON.stringify(['moved', slice, measure]),
    case(record) {
      const baseline = before.get(record.case)?.measures[measure] ?? null;
      const other = record.measures[measure] ?? null;
      if (baseline === null || other === null || !isIn(record, slice)) return;
      const worse = direction === 'higher' ? baseline - other : other - baseline;
      if (worse > 0) found.add(worse, { case: record.case, baseline, other });
    },
    list: () => ({ kind: 'moved', slice, measure, total: found.total, cases: found.list() }),
  };
}

/** The cases that a share counts, in order of their ids. */
export function byShare(of: 'failed' | 'unanswered' | 'undefined', measure: string | null): CaseSearch {
  const found = new Foremost<{ case: string; why: string }>();
  const total = (): { slice: Slice; total: number } => ({ slice: {}, total: found.total });
  return {
    key: JSON.stringify([of, measure]),
    case({ case: id, failed: leftOut, failedAsEmpty, answered, measures }) {
      const failed = leftOut ?? failedAsEmpty;
      const counts =
        of === 'failed'
          ? failed !== undefined
          : of === 'unanswered'
            ? failed === undefined && answered === false
            : failed === undefined && (measures[measure ?? ''] ?? null) === null;
      if (counts) found.add(0, { case: id, why: failed ?? '' });
    },
    list() {
      const cases = found.list();
      if (of === 'failed') return { kind: of, ...total(), cases };
      const ids = cases.map((one) => ({ case: one.case }));
      return of === 'unanswered'
        ? { kind: of, ...total(), cases: ids }
        : { kind: of, measure: measure ?? '', ...total(), cases: ids };
    },
  };
}

/** A gate with fifty labels that failed is not read list by list: those of the whole run come first. */
const MOST_LISTS = 6;

/** Cases that show what the checks which were not passed are about, a list for each matter. */
export async function casesToSee(run: Run, baseline: string | null, checks: readonly Check[]): Promise<CaseList[]> {
  const pointing = checks.filter(
    ({ verdict, reason }) => verdict === 'failed' || (verdict === 'cannot tell' && reason.kind === 'unsure'),
  );
  if (pointing.length === 0) return [];
  const before = new Map<string, CaseRecord>();
  if (baseline !== null && pointing.some(({ rule }) => rule.kind === 'margin'))
    for await (const record of readCaseResults(baseline)) before.set(record.case, record);
  const ordered = [
    ...pointing.filter(({ slice }) => isOverall(slice)),
    ...pointing.filter(({ slice }) => !isOverall(slice)),
  ];
  const all = ordered.flatMap((check) => searchFor(run, check, before) ?? []);
  const searches = [...new Map(all.map((search) => [search.key, search])).values()].slice(0, MOST_LISTS);
  for await (const record of readCaseResults(run.folder)) for (const search of searches) search.case?.(record);
  if (searches.some((search) => search.verdict !== undefined))
    for await (const record of readLedger(run.folder)) for (const search of searches) search.verdict?.(record);
  return searches.map((search) => search.list()).filter(({ total }) => total > 0);
}

function searchFor(run: Run, { rule, slice }: Check, before: ReadonlyMap<string, CaseRecord>): CaseSearch | null {
  if (rule.kind === 'share') return byShare(rule.of, rule.measure);
  const { measure } = rule;
  const { resolved } = run.manifest.recipe;
  const overall = run.measures.measures.find((value) => value.name === measure && isOverall(value.slice));
  const direction = overall?.direction ?? 'higher';
  const perCase = isOfCases(slice) && overall?.cases !== null;
  if (rule.kind === 'margin' && perCase) return byMove(slice, measure, direction, before);
  const errors = errorsOf(resolved, measure);
  if (errors !== null) return byErrors(slice, errors, kindOf(resolved, measure));
  const best = overall?.range[direction === 'higher' ? 1 : 0] ?? null;
  return perCase ? byValue(slice, measure, direction, best) : null;
}
