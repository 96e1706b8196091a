import type { Fields } from '../../data/item.ts';
import { isRecord } from '../../data/record-fields.ts';
import { type CaseResult, isOverall, type Slice, verdictCounts } from '../../measure/results.ts';
import type { LedgerCase } from '../../score/ledger.ts';
import { readCaseResults, readLedgerCases } from '../../score/run-file.ts';
import type { Run, WorstCase } from '../../score/run.ts';
import { compareText } from '../../text/compare.ts';
import type { GateCheck } from './check.ts';
import type { ShareRule } from './rules.ts';

/** Cases that a check which was not passed points to, the worst first; `total` is how many there are. */
export type CaseList =
  | ListOf<WorstCase, { kind: 'errors'; by: Errors }>
  | ListOf<{ case: string; value: number }, { kind: 'values'; measure: string }>
  | ListOf<{ case: string; baseline: number; other: number }, { kind: 'moved'; measure: string }>
  | ListOf<{ case: string; why: string }, { kind: 'failed' }>
  | ListOf<{ case: string }, { kind: 'unanswered' } | { kind: 'undefined'; measure: string }>;
type ListOf<Row, Of> = Readonly<Of & { slice: Slice; total: number; cases: readonly Row[] }>;

type Errors = 'missed' | 'spurious' | 'both';

const MOST = 10;
/** A gate with fifty labels that failed is not read list by list: those of the whole run come first. */
const MOST_LISTS = 6;

/** Cases that show what the checks which were not passed are about, a list for each matter. */
export async function casesToSee(run: Run, baseline: string | null, checks: readonly GateCheck[]): Promise<CaseList[]> {
  const pointing = checks.filter(
    ({ verdict, reason }) => verdict === 'failed' || (verdict === 'inconclusive' && reason.kind === 'unsure'),
  );
  const before = new Map<string, CaseResult>();
  if (baseline !== null && pointing.some(({ rule }) => rule.kind === 'margin'))
    for await (const record of readCaseResults(baseline)) before.set(record.case, record);
  const all = pointing
    .toSorted((a, b) => Number(isOverall(b.slice)) - Number(isOverall(a.slice)))
    .flatMap((check) => searchFor(run, check, before) ?? []);
  const searches = [...new Map(all.map((search) => [search.key, search])).values()].slice(0, MOST_LISTS);
  if (searches.some(({ ofVerdicts }) => ofVerdicts))
    for await (const scored of readLedgerCases(run.folder)) for (const search of searches) search.see(scored);
  else if (searches.length > 0)
    for await (const result of readCaseResults(run.folder))
      for (const search of searches) search.see({ result, records: [] });
  return searches.map((search) => search.list()).filter(({ total }) => total > 0);
}

type CaseSearch = ReturnType<typeof searchOf>;

/**
 * Looks at the cases of a run, with `ofVerdicts` also at their verdicts. `scored` gives what the list has of a case and
 * how bad it is; null: it is not on the list. Ties go by id. Equal keys are the same search.
 */
function searchOf<Row extends { readonly case: string }>(
  scored: (one: LedgerCase) => readonly [score: number, row: Row] | null,
  list: (total: number, cases: Row[]) => CaseList,
  { ofVerdicts = false, kind = null }: { ofVerdicts?: boolean; kind?: string | null } = {},
) {
  const found: (readonly [number, Row])[] = [];
  return {
    key: JSON.stringify([list(0, []), kind]),
    ofVerdicts,
    see(one: LedgerCase): void {
      const row = scored(one);
      if (row !== null) found.push(row);
    },
    list: (): CaseList =>
      list(
        found.length,
        found
          .toSorted(([a, one], [b, other]) => b - a || compareText(one.case, other.case))
          .slice(0, MOST)
          .map(([, row]) => row),
      ),
  };
}

function searchFor(run: Run, { rule, slice }: GateCheck, before: ReadonlyMap<string, CaseResult>): CaseSearch | null {
  if (rule.kind === 'share') return byShare(rule);
  const { measure } = rule;
  const overall = run.measures.measures.find((value) => value.name === measure && isOverall(value.slice));
  const direction = overall?.direction ?? 'higher';
  const perCase = isOfCases(slice) && overall?.cases !== null;
  if (rule.kind === 'margin' && perCase)
    return searchOf(
      ({ result }) => {
        const baseline = before.get(result.case)?.measures[measure] ?? null;
        const other = result.measures[measure] ?? null;
        if (baseline === null || other === null || !isIn(result, slice)) return null;
        const worse = direction === 'higher' ? baseline - other : other - baseline;
        return worse > 0 ? [worse, { case: result.case, baseline, other }] : null;
      },
      (total, cases) => ({ kind: 'moved', slice, measure, total, cases }),
    );
  const { errors, kind } = itemsOf(run.manifest.recipe.resolved['measure'], measure);
  if (errors !== null) return byErrors(slice, errors, kind);
  // Those with the best value that there is are left out.
  const best = overall?.range[direction === 'higher' ? 1 : 0] ?? null;
  if (!perCase) return null;
  return searchOf(
    ({ result }) => {
      const value = result.measures[measure] ?? null;
      if (value === null || value === best || !isIn(result, slice)) return null;
      return [direction === 'higher' ? -value : value, { case: result.case, value }];
    },
    (total, cases) => ({ kind: 'values', slice, measure, total, cases }),
  );
}

/** The cases that a share counts, in order of their ids. */
function byShare({ of, measure: name }: ShareRule): CaseSearch {
  const slice = {};
  const measure = name ?? '';
  if (of === 'failed')
    return searchOf(
      ({ result: { case: id, failed, failedAsEmpty } }) => {
        const why = failed ?? failedAsEmpty;
        return why === undefined ? null : [0, { case: id, why }];
      },
      (total, cases) => ({ kind: of, slice, total, cases }),
    );
  return searchOf(
    ({ result: { case: id, failed, failedAsEmpty, answered, measures } }) => {
      const counts = of === 'unanswered' ? answered === false : (measures[measure] ?? null) === null;
      return counts && (failed ?? failedAsEmpty) === undefined ? [0, { case: id }] : null;
    },
    (total, cases) =>
      of === 'unanswered' ? { kind: of, slice, total, cases } : { kind: of, measure, slice, total, cases },
  );
}

/** The cases with the most errors. */
function byErrors(slice: Slice, by: Errors, kind: string | null): CaseSearch {
  const ofVerdicts = !isOfCases(slice);
  return searchOf(
    ({ result, records }) => {
      if (!ofVerdicts && (!isIn(result, slice) || result.failed !== undefined)) return null;
      const own = records.filter(
        ({ label, scheme, kind: of }) =>
          label === (slice['label'] ?? label) && scheme === slice['scheme'] && of === (kind ?? of),
      );
      const counts = ofVerdicts ? verdictCounts(own) : (result.kinds?.[kind ?? ''] ?? result.counts);
      const { missed, spurious, hit } = counts;
      const score = (by === 'spurious' ? 0 : missed) + (by === 'missed' ? 0 : spurious);
      return score > 0 ? [score, { case: result.case, missed, spurious, hit }] : null;
    },
    (total, cases) => ({ kind: 'errors', slice, by, total, cases }),
    { ofVerdicts, kind },
  );
}

const ERRORS: ReadonlyMap<unknown, Errors> = new Map([
  ['precision', 'spurious'],
  ['over-extraction', 'spurious'],
  ['recall', 'missed'],
  ['entity-recall', 'missed'],
  ['f1', 'both'],
  ['mean', 'both'],
  ['macro', 'both'],
]);

/** Which errors a measure is about, null where it is no matter of items found and missed; and of which kind of items, null for all. */
function itemsOf(measures: unknown, name: string): { errors: Errors | null; kind: string | null } {
  const own = isRecord(measures) ? measures[name] : undefined;
  const { of, measure: inner, kind }: Fields = isRecord(own) ? own : { of: name };
  const isMean = of === 'macro' && typeof inner === 'string' && inner !== name;
  return {
    errors: isMean ? itemsOf(measures, inner).errors : (ERRORS.get(of) ?? null),
    kind: typeof kind === 'string' ? kind : null,
  };
}

/** Whether the case alone decides if it is in a slice: overall, or by columns of the case. */
function isOfCases(slice: Slice): boolean {
  return slice['label'] === undefined && slice['scheme'] === undefined;
}

function isIn(record: CaseResult, slice: Slice): boolean {
  return Object.entries(slice).every(([key, value]) => record.slices?.[key] === value);
}
