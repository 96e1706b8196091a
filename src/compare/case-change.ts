import { VERDICTS, type Verdict } from '../judge/verdict.ts';
import { improvement, type Measure } from '../measure/measure.ts';
import type { CaseResult } from '../measure/results.ts';
import { differenceBetween } from '../stats/paired-difference.ts';
import { compareText } from '../text/compare.ts';
import { ContentHash } from '../text/content-hash.ts';
import type { CaseChanges, MovedCase } from './comparison.ts';

/** Groups of cases between two runs; each case is in exactly one. Others: as many errors, but not the same ones. */
export const CASE_CHANGES = ['worse', 'better', 'others', 'unchanged'] as const;
export type CaseChange = (typeof CASE_CHANGES)[number];

/** Measure that cases change by; null: their errors, missed and spurious items together. */
export type ChangeMeasure = Pick<Measure, 'name' | 'direction' | 'best'> | null;

/** A case as one run has it. */
export interface CaseState {
  readonly errors: number;
  /** Value of the measure that cases change by. */
  readonly value: number | null;
  /** Equal to the other run's if the errors are the same ones. */
  readonly print: number | undefined;
}

const FEWER: Pick<Measure, 'direction'> = { direction: 'lower' };

/**
 * Change of a case between two runs: errors of the other less errors of the baseline. In tasks without item verdicts it is
 * the difference of a measure, null if one of the two has no value. Never both.
 *
 * @example caseChange(null, { errors: 3, value: 0.4, print: 1 }, { errors: 7, value: 0.5, print: 2 }) // { size: 4, change: 'worse' }
 */
export function caseChange(
  measure: ChangeMeasure,
  baseline: CaseState,
  other: CaseState,
): { readonly size: number | null; readonly change: CaseChange } {
  const [from, to] = measure === null ? [baseline.errors, other.errors] : [baseline.value, other.value];
  if (from === null || to === null) return { size: null, change: from === to ? 'unchanged' : 'others' };
  const size = differenceBetween(from, to);
  const way = size === 0 ? 0 : improvement(measure ?? FEWER, from, to);
  if (way !== 0) return { size, change: way > 0 ? 'better' : 'worse' };
  return { size, change: size === 0 && baseline.print === other.print ? 'unchanged' : 'others' };
}

/** Errors of a case: missed and spurious items. */
export function errorsOf({ missed, spurious }: Pick<CaseResult['counts'], 'missed' | 'spurious'>): number {
  return missed + spurious;
}

/** The recipe's first primary measure with values per case, else f1, else the first one; null if any item has a verdict. */
export function changeMeasure(
  cases: Iterable<Pick<CaseResult, 'counts'>>,
  measures: readonly Measure[],
  primary: readonly Measure[],
): ChangeMeasure {
  for (const { counts } of cases) if (VERDICTS.some((verdict) => counts[verdict] > 0)) return null;
  const perCase = [...primary, ...measures.filter(({ name }) => name === 'f1'), ...measures].find(
    ({ overLabels }) => overLabels !== true,
  );
  return perCase ?? null;
}

const hash = new ContentHash();

/** Numbers equal for the same errors: gold that is missed, and predictions that are spurious. 0 without errors. */
export function errorPrint(verdicts: readonly Verdict[]): number {
  const errors = verdicts.flatMap(({ kind, verdict, gold, predicted }) => {
    if (verdict !== 'missed' && verdict !== 'spurious') return [];
    const item = verdict === 'missed' ? gold : predicted;
    const { label, text, start, end, source, target } = item ?? {};
    // Gold is numbered alike for all runs; systems number their predictions as they like.
    return JSON.stringify([
      kind,
      verdict,
      verdict === 'missed' ? item?.index : 0,
      label,
      text,
      start,
      end,
      source,
      target,
    ]);
  });
  if (errors.length === 0) return 0;
  hash.reset(...errors.sort(compareText));
  const { a, b } = hash.state;
  return 1 + (a >>> 0) * 2 ** 20 + (b >>> 12);
}

/** A run's cases by id, and the print of the errors of each. */
export interface ChangedRun {
  readonly cases: ReadonlyMap<string, Pick<CaseResult, 'counts' | 'measures'>>;
  readonly errors: ReadonlyMap<string, number>;
}

/** Changes of the cases of each system, and the cases that changed most. */
export function caseChanges(
  [baseline, ...others]: readonly ChangedRun[],
  ids: ReadonlySet<string>,
  measure: ChangeMeasure,
  most: number,
): { readonly changes: CaseChanges; readonly moved: MovedCase[] } {
  const stateOf = ({ cases, errors }: ChangedRun, id: string): CaseState => {
    const { counts, measures } = cases.get(id)!;
    const value = measure === null ? null : (measures[measure.name] ?? null);
    return { errors: errorsOf(counts), value, print: errors.get(id) };
  };
  const moved: MovedCase[] = [];
  const systems = others.map((run, at) => {
    const groups = { worse: 0, better: 0, others: 0, unchanged: 0 };
    const totals = { baseline: 0, other: 0 };
    const own: MovedCase[] = [];
    for (const id of ids) {
      const [before, after] = [stateOf(baseline!, id), stateOf(run, id)];
      const { size, change } = caseChange(measure, before, after);
      groups[change] += 1;
      totals.baseline += before.errors;
      totals.other += after.errors;
      if (size === null || (change !== 'better' && change !== 'worse')) continue;
      const [from, to] = measure === null ? [before.errors, after.errors] : [before.value!, after.value!];
      const name = measure?.name ?? 'errors';
      own.push({ case: id, system: at + 1, name, baseline: from, other: to, difference: size, change });
    }
    own.sort((a, b) => Math.abs(b.difference) - Math.abs(a.difference) || compareText(a.case, b.case));
    moved.push(...own.slice(0, most));
    return { system: at + 1, ...groups, errors: totals };
  });
  return { changes: { by: measure?.name ?? null, systems }, moved };
}
