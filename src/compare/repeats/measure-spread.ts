import { makeCase } from '../../data/case.ts';
import { type CaseSpread, spreadOverCases } from '../../measure/results.ts';
import type { Measure, Range } from '../../measure/measure.ts';
import { repeatabilityLimit } from '../../stats/repeatability.ts';
import { varianceParts } from '../../stats/variance-parts.ts';
import { figure, significant } from '../../text/figures.ts';
import { makeSet } from '../paired-sets.ts';
import type { RepeatedRun } from './read-runs.ts';

/** One measure over several runs of one system. */
export type MeasureSpread = ReturnType<typeof measureSpreads>[number];

/**
 * Each measure in every run over the same cases, added up from the verdicts: its mean and spread over runs beside its
 * spread over cases. sd between runs = √(Σ (v - mean)² / (R - 1)); sd between cases = the same over the cases of a run,
 * then the mean over the runs. Undefined values leave both and are counted.
 */
export function measureSpreads(measures: readonly Measure[], runs: readonly RepeatedRun[], cases: readonly string[]) {
  const counted = runs.map((run) => {
    const set = makeSet(measures, null);
    const byCase = cases.map((id) => set.add({ case: makeCase({ id }), ...run.cases.get(id)! }).measures);
    return { values: set.tally.values(), byCase };
  });
  return measures.map(({ name, direction, range, meanOfCases, overLabels = false }, at) => {
    const values = counted.map((run) => ({ value: run.values[at]!.value, undefined: run.values[at]!.undefined }));
    const spread = spreadOf(values.map(({ value }) => value));
    const byRun = counted.map(({ byCase }) => byCase.map((own) => own[name] ?? null));
    const rows = cases.map((_, place) => byRun.flatMap((own) => own[place] ?? []));
    const complete = rows.filter((row) => row.length === runs.length);
    return {
      name,
      direction,
      range,
      ...(meanOfCases === true ? { meanOfCases } : {}),
      /** By run: its value over the compared cases, or why it has none. */
      values,
      /** Over the runs that have a value; sd with runs - 1 below the line, null with fewer than two. */
      runs: spread,
      /** Over cases, averaged over runs; null where the measure has no value by case. */
      cases: overLabels ? null : caseSpread(byRun),
      /** By the cases that have a value in every run; null where the measure has no value by case. */
      parts: overLabels ? null : varianceParts(complete),
      /** Cases without a value in some run: not in `parts`. */
      casesLeftOut: overLabels ? 0 : cases.length - complete.length,
      limit: repeatabilityLimit(spread.sd, spread.n),
    };
  });
}

/** Equal values have no spread, whatever rounding does. */
function spreadOf(values: readonly (number | null)[]): CaseSpread {
  const summary = spreadOverCases(values.map((value) => value ?? NaN));
  if (summary.min === null || summary.min !== summary.max) return summary;
  return { ...summary, mean: summary.min, sd: summary.n < 2 ? null : 0 };
}

function caseSpread(runs: readonly (readonly (number | null)[])[]) {
  const sds = runs.flatMap((values) => spreadOf(values).sd ?? []);
  if (sds.length < runs.length) return { meanSd: null, undefined: 'a run has a value for fewer than two cases' };
  return { meanSd: spreadOf(sds).mean, undefined: null };
}

/** In a sentence or two: whether a difference between two systems of the size of the spread between runs means anything. */
export function meaningOf(measures: readonly MeasureSpread[]): string | null {
  const main = mainMeasure(measures);
  if (main === undefined) return null;
  const { name, runs, limit, range } = main;
  const { n, mean, min, max, sd } = runs;
  if (mean === null || min === null || max === null || sd === null)
    return `${name} has a value in fewer than two runs, so these runs say nothing about how far it moves by itself.`;
  if (limit.value === null)
    return `${name} is ${figure(mean)} in ${n === 2 ? 'both' : `all ${n}`} runs: running again moved it by nothing here. How far it would move on other cases these runs cannot say.`;
  const moved = `Run again, the same system has another ${name}: from ${figure(min)} to ${figure(max)} over ${n} runs (sd ${significant(sd)}).`;
  if (isWider(limit.value, range))
    return `${moved} ${n} runs are too few to say which difference between two systems would mean something.`;
  return `${moved} Two systems, each run once, whose ${name} differs by less than ${significant(limit.value)} differ no more than two runs of this one do, 95 times in 100: such a difference means nothing by itself.`;
}

/** Whether a limit is meaningless, because no two values of the measure can be that far apart. */
export function isWider(limit: number | null, [low, high]: Range): boolean {
  return limit !== null && low !== null && high !== null && limit >= high - low;
}

/** The measure a reader looks at first. */
function mainMeasure(measures: readonly MeasureSpread[]): MeasureSpread | undefined {
  const named = (is: (name: string) => boolean) => measures.find(({ name }) => is(name));
  const main = named((name) => name === 'f1') ?? named((name) => name === 'overall_quality');
  return main ?? named((name) => name.endsWith('_f1')) ?? measures[0];
}
