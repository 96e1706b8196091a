import type { Sureness } from '../measure/results.ts';
import { sumsAt, totals, type UnitSums } from '../measure/unit-sums.ts';
import { type IntervalMethod, intervalFrom, ROUNDING } from './interval.ts';
import { differenceBetween } from './paired-difference.ts';
import { type Breathe, ResampledValues } from './resample.ts';
import type { ResampleSettings } from './resample-settings.ts';
import { type MeasuredPart, resampleParts, withoutEachUnit } from './unit-by-unit.ts';

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
  settings: ResampleSettings & { readonly method: IntervalMethod },
  breathe?: Breathe,
): Promise<ResampledDifference[][]> {
  const resampled = others.map(() => parts.map(({ measure }) => new ResampledValues(settings.resamples, measure)));
  const visit = ([before, ...after]: readonly Float64Array[]): void => {
    for (let other = 0; other < after.length; other += 1)
      for (let part = 0; part < parts.length; part += 1)
        resampled[other]![part]!.add(differenceBetween(before![part]!, after[other]![part]!));
  };
  await resampleParts([a, ...others], parts, settings, visit, breathe);
  const allA = totals(a);
  return others.map((b, other) => {
    const allB = totals(b);
    return parts.map((part, at) => {
      const own = resampled[other]![at]!;
      const standardError = spread(own.values);
      const before = part.measure.value(sumsAt(a, allA, part.label)).value ?? 0;
      const after = part.measure.value(sumsAt(b, allB, part.label)).value ?? 0;
      const sure = intervalFrom(own, differenceBetween(before, after), settings.level, settings.method, () => {
        const from = withoutEachUnit(a, allA, part);
        return withoutEachUnit(b, allB, part).flatMap((to, unit) => {
          const without = from[unit] ?? null;
          return to === null || without === null ? [] : [differenceBetween(without, to)];
        });
      });
      return { ...sure, standardError };
    });
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
