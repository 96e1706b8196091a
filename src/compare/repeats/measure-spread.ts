import { makeCase } from '../../data/case.ts';
import { type CaseSpread, SpreadOverCases } from '../../measure/results.ts';
import type { Direction, Measure, Range } from '../../measure/measure.ts';
import { type MeasureValue, Tally } from '../../measure/tally.ts';
import { repeatabilityLimit, type RepeatabilityLimit } from '../../stats/repeatability.ts';
import { varianceParts, type VarianceParts } from '../../stats/variance-parts.ts';
import { figure, significant } from '../../text/figures.ts';
import type { RepeatedRun } from './repeated-run.ts';

/** One measure over several runs of one system. */
export interface MeasureSpread {
  readonly name: string;
  readonly direction: Direction;
  readonly range: Range;
  /** By run: its value over the compared cases, or why there is none. */
  readonly values: readonly { readonly value: number | null; readonly undefined: string | null }[];
  /** Over the runs that have a value; sd with runs - 1 below the line, null with fewer than two. */
  readonly runs: CaseSpread;
  /** Over cases, averaged over runs; null where the measure has no value by case. */
  readonly cases: { readonly meanSd: number | null; readonly undefined: string | null } | null;
  /** By the cases that have a value in every run; null where the measure has no value by case. */
  readonly parts: VarianceParts | null;
  /** Cases without a value in some run: not in `parts`. */
  readonly casesLeftOut: number;
  readonly limit: RepeatabilityLimit;
}

/**
 * Each measure in every run over the same cases, added up from the verdicts: its mean and spread over runs beside its
 * spread over cases. sd between runs = √(Σ (v - mean)² / (R - 1)); sd between cases = the same over the cases of a run,
 * then the mean over the runs. Undefined values leave both and are counted.
 */
export function measureSpreads(
  measures: readonly Measure[],
  runs: readonly RepeatedRun[],
  cases: readonly string[],
): MeasureSpread[] {
  const counted = runs.map((run) => countRun(measures, run, cases));
  return measures.map((measure): MeasureSpread => {
    const own = counted.map(({ values }) => values.get(measure.name)!);
    const spread = spreadOf(own.map(({ value }) => value));
    const byRun = counted.map(({ byCase }) => byCase.map((values) => values[measure.name] ?? null));
    const complete = cases
      .map((_, at) => byRun.flatMap((values) => values[at] ?? []))
      .filter((row) => row.length === runs.length);
    return {
      name: measure.name,
      direction: measure.direction,
      range: measure.range,
      values: own.map(({ value, undefined: reason }) => ({ value, undefined: reason })),
      runs: spread,
      cases: measure.byCase ? caseSpread(byRun) : null,
      parts: measure.byCase ? varianceParts(complete) : null,
      casesLeftOut: measure.byCase ? cases.length - complete.length : 0,
      limit: repeatabilityLimit(spread.sd, spread.n),
    };
  });
}

interface CountedRun {
  readonly values: ReadonlyMap<string, MeasureValue>;
  readonly byCase: readonly Readonly<Record<string, number | null>>[];
}

function countRun(measures: readonly Measure[], run: RepeatedRun, cases: readonly string[]): CountedRun {
  const tally = new Tally(measures, []);
  const byCase = cases.map((id) => tally.addCase(makeCase({ id }), null, run.cases.get(id)!.verdicts).measures);
  return { values: new Map(tally.values().map((value) => [value.name, value])), byCase };
}

/** Equal values have no spread, whatever rounding says. */
function spreadOf(values: readonly (number | null)[]): CaseSpread {
  const spread = new SpreadOverCases();
  for (const value of values) spread.add(value);
  const summary = spread.summary();
  if (summary.min === null || summary.min !== summary.max) return summary;
  return { ...summary, mean: summary.min, sd: summary.n < 2 ? null : 0 };
}

function caseSpread(runs: readonly (readonly (number | null)[])[]): MeasureSpread['cases'] {
  const sds = runs.flatMap((values) => spreadOf(values).sd ?? []);
  if (sds.length < runs.length) return { meanSd: null, undefined: 'a run has a value for fewer than two cases' };
  return { meanSd: spreadOf(sds).mean, undefined: null };
}

/** In a sentence or two: whether a difference between two systems of the size of the spread between runs means anything. */
export function meaningOf(measures: readonly MeasureSpread[]): string | null {
  const main = mainMeasure(measures);
  if (main === null) return null;
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

/** Whether a limit says nothing, because no two values of the measure can be that far apart. */
export function isWider(limit: number | null, [low, high]: MeasureSpread['range']): boolean {
  return limit !== null && low !== null && high !== null && limit >= high - low;
}

/** The measure a reader looks at first. */
export function mainMeasure(measures: readonly MeasureSpread[]): MeasureSpread | null {
  return (
    measures.find(({ name }) => name === 'f1') ??
    measures.find(({ name }) => name === 'overall_quality') ??
    measures.find(({ name }) => name.endsWith('_f1')) ??
    measures[0] ??
    null
  );
}
