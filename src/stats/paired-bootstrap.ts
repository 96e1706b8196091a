import { valueLike } from '../measure/measure.ts';
import type { Sureness } from '../measure/results.ts';
import { type ColumnSums, EMPTY_COLUMN, sumsAt, totals, type UnitSums } from '../measure/unit-sums.ts';
import { type Breathe, eachResample } from './each-resample.ts';
import { type IntervalMethod, intervalFrom, LABEL_MISSING, ROUNDING } from './interval.ts';
import { differenceBetween, type MeasuredPart } from './paired-difference.ts';
import type { ResampleSettings } from './resample-settings.ts';
import { valueColumns, withoutEachUnit } from './unit-by-unit.ts';

export interface ResampledDifference extends Sureness {
  /** Standard deviation of the resampled differences; null where there are fewer than two. */
  readonly standardError: number | null;
}

/**
 * Intervals of differences b − a: each resample draws units and takes both systems' answers to them, so that what makes
 * a case hard for both cancels out (Efron and Tibshirani 1993). The tables must be aligned.
 */
export async function pairedBootstrap(
  a: UnitSums,
  b: UnitSums,
  parts: readonly MeasuredPart[],
  settings: ResampleSettings & { readonly method: IntervalMethod },
  breathe?: Breathe,
): Promise<ResampledDifference[]> {
  const width = a.columns.length;
  const wanted = new Set(parts.flatMap(({ measure, label }) => valueColumns(a, measure, label)));
  const columns = [...a.columns, ...b.columns].map((column, at) => (wanted.has(at % width) ? column : EMPTY_COLUMN));
  const [allA, allB] = [totals(a), totals(b)];
  const cells = parts.map((part) => ({
    part,
    wholeA: part.measure.value(sumsAt(a, allA, part.label)),
    wholeB: part.measure.value(sumsAt(b, allB, part.label)),
    values: new Float64Array(settings.resamples),
    defined: 0,
  }));
  let views: { a: ReturnType<typeof sumsAt>; b: ReturnType<typeof sumsAt> }[] | null = null;
  await eachResample(
    a.units.length,
    columns,
    settings,
    (sums) => {
      views ??= parts.map(({ label }) => ({
        a: sumsAt(a, sums.subarray(0, width), label),
        b: sumsAt(b, sums.subarray(width), label),
      }));
      for (const [at, cell] of cells.entries()) {
        const from = valueLike(cell.part.measure, cell.wholeA, views[at]!.a);
        const to = valueLike(cell.part.measure, cell.wholeB, views[at]!.b);
        if (from === null || to === null) continue;
        cell.values[cell.defined] = differenceBetween(from, to);
        cell.defined += 1;
      }
    },
    breathe,
  );
  return cells.map(({ part, values, defined }) => {
    const own = values.subarray(0, defined);
    const standardError = spread(own);
    const sure = intervalFrom(
      {
        values: own,
        undefined: settings.resamples - defined,
        ...(part.measure.overLabels === true ? { why: LABEL_MISSING } : {}),
      },
      differenceOf(a, b, allA, allB, part),
      settings.level,
      settings.method,
      () => withoutEachPair(a, b, allA, allB, part),
    );
    return { ...sure, standardError };
  });
}

function differenceOf(a: UnitSums, b: UnitSums, allA: ColumnSums, allB: ColumnSums, part: MeasuredPart): number {
  const { measure, label } = part;
  const [from, to] = [measure.value(sumsAt(a, allA, label)).value, measure.value(sumsAt(b, allB, label)).value];
  return differenceBetween(from ?? 0, to ?? 0);
}

function withoutEachPair(
  a: UnitSums,
  b: UnitSums,
  allA: ColumnSums,
  allB: ColumnSums,
  { measure, label }: MeasuredPart,
): number[] {
  const from = withoutEachUnit(a, allA, measure, label);
  return withoutEachUnit(b, allB, measure, label).flatMap((to, at) => {
    const before = from[at] ?? null;
    return to === null || before === null ? [] : [differenceBetween(before, to)];
  });
}

/** Sample standard deviation; 0 where the values differ by rounding only, which their mean would hide. */
function spread(values: Float64Array): number | null {
  if (values.length < 2) return null;
  const [least, most] = [values.reduce((a, b) => Math.min(a, b)), values.reduce((a, b) => Math.max(a, b))];
  if (most - least <= ROUNDING * Math.max(Math.abs(least), Math.abs(most))) return 0;
  const mean = values.reduce((sum, value) => sum + value, 0) / values.length;
  return Math.sqrt(values.reduce((sum, value) => sum + (value - mean) ** 2, 0) / (values.length - 1));
}
