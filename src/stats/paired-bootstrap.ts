import { type Sums, valueLike } from '../measure/measure.ts';
import type { Sureness } from '../measure/results.ts';
import { type ColumnSums, EMPTY_COLUMN, sumsAt, totals, type UnitSums } from '../measure/unit-sums.ts';
import { type IntervalMethod, intervalFrom, LABEL_MISSING, ROUNDING } from './interval.ts';
import { differenceBetween, type MeasuredPart } from './paired-difference.ts';
import { type Breathe, eachResample, ResampledValues } from './resample.ts';
import type { ResampleSettings } from './resample-settings.ts';
import { valueColumns, withoutEachUnit } from './unit-by-unit.ts';

export interface BootstrapSettings extends ResampleSettings {
  readonly method: IntervalMethod;
}

export interface ResampledDifference extends Sureness {
  /** Standard deviation of the resampled differences; null where there are fewer than two. */
  readonly standardError: number | null;
}

/**
 * Intervals of the differences of other tables from a, part by part: each resample draws units and takes all systems'
 * answers to them, so that what makes a case hard for both cancels out (Efron and Tibshirani 1993). The tables must be
 * aligned.
 */
export async function pairedBootstrap(
  a: UnitSums,
  others: readonly UnitSums[],
  parts: readonly MeasuredPart[],
  settings: BootstrapSettings,
  breathe?: Breathe,
): Promise<ResampledDifference[][]> {
  const width = a.columns.length;
  const wanted = new Set(parts.flatMap(({ measure, label }) => valueColumns(a, measure, label)));
  const systems = [a, ...others].map((table, at) => ({
    table,
    all: totals(table),
    columns: table.columns.map((column, place) => (wanted.has(place) ? column : EMPTY_COLUMN)),
    from: at * width,
  }));
  const wholes = systems.map(({ table, all }) =>
    parts.map(({ measure, label }) => measure.value(sumsAt(table, all, label))),
  );
  const resampled = others.map(() =>
    parts.map(
      ({ measure }) => new ResampledValues(settings.resamples, measure.overLabels === true ? LABEL_MISSING : undefined),
    ),
  );
  let views: Sums[][] | null = null;
  await eachResample(
    a.units.length,
    systems.flatMap(({ columns }) => columns),
    settings,
    (sums) => {
      views ??= systems.map(({ table, from }) =>
        parts.map(({ label }) => sumsAt(table, sums.subarray(from, from + width), label)),
      );
      for (const [part, { measure }] of parts.entries()) {
        const before = valueLike(measure, wholes[0]![part]!, views[0]![part]!);
        for (let other = 0; other < others.length; other += 1) {
          const after = valueLike(measure, wholes[other + 1]![part]!, views[other + 1]![part]!);
          const isThere = before !== null && after !== null;
          resampled[other]![part]!.add(isThere ? differenceBetween(before, after) : null);
        }
      }
    },
    breathe,
  );
  return others.map((_, other) =>
    parts.map((part, at) => {
      const own = resampled[other]![at]!;
      const standardError = spread(own.values);
      const difference = differenceBetween(wholes[0]![at]!.value ?? 0, wholes[other + 1]![at]!.value ?? 0);
      const sure = intervalFrom(own, difference, settings.level, settings.method, () =>
        withoutEachPair(systems[0]!, systems[other + 1]!, part),
      );
      return { ...sure, standardError };
    }),
  );
}

interface Totalled {
  readonly table: UnitSums;
  readonly all: ColumnSums;
}

function withoutEachPair(a: Totalled, b: Totalled, { measure, label }: MeasuredPart): number[] {
  const from = withoutEachUnit(a.table, a.all, measure, label);
  return withoutEachUnit(b.table, b.all, measure, label).flatMap((to, at) => {
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
