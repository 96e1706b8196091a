import { type CaseRecord, readCaseResults, readLedger } from '../../score/ledger.ts';
import type { Run } from '../../score/run.ts';
import {
  byErrors,
  byMove,
  byShare,
  byValue,
  type CaseList,
  type CaseSearch,
  errorsOf,
  isOfCases,
  kindOf,
} from './case-lists.ts';
import type { Check } from './check.ts';
import { isOverall } from './slices-of.ts';

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
