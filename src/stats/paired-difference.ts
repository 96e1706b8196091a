import type { Sureness } from '../measure/results.ts';
import { sumsAt, totals, type UnitSums } from '../measure/unit-sums.ts';
import { type IntervalMethod, intervalFrom, resamplingMethod, ROUNDING } from './interval.ts';
import { isJackknifed, jackknifeDifference } from './jackknife-intervals.ts';
import { type Breathe, ResampledValues } from './resample.ts';
import type { ResampleSettings } from './resample-settings.ts';
import { resampleParts } from './resample-parts.ts';
import { type MeasuredPart, withoutEachUnit } from './unit-by-unit.ts';

/**
 * to − from, and 0 where only rounding sets them apart: F1 of 1 hit and 4 misses is 0.33333333333333337, that of 1 hit,
 * 3 misses and 1 spurious item 0.3333333333333333, and neither wins.
 */
export function differenceBetween(from: number, to: number): number {
  const difference = to - from;
  return Math.abs(difference) <= ROUNDING * Math.max(Math.abs(from), Math.abs(to)) ? 0 : difference;
}

/** A test of paired values, or why it is missing. */
export interface PairedTest {
  readonly pValue: number | null;
  readonly undefined: string | null;
  /** How it was worked out: `exact`, `permutation`, `approx`, `resampled`. */
  readonly method: string;
  readonly statistic: number | null;
  /** Pairs that the test looked at. */
  readonly n: number;
}

/** Yes or no per case: how often only the one system was right. */
export interface YesNoTest extends PairedTest {
  readonly onlyBaseline: number;
  readonly onlyOther: number;
}

/** What two systems' answers to the same cases say about one measure. */
export interface PairedDifference extends Sureness {
  /** The interval by the method of `bounds`, if one was asked for. */
  readonly bounds?: Sureness;
  readonly baseline: number | null;
  readonly other: number | null;
  /** other − baseline; for a measure whose best value lies between the ends, of their distances from it. */
  readonly difference: number | null;
  readonly undefined: string | null;
  /** Whether every resample gave the same difference, which leaves an interval without width. */
  readonly constant: boolean;
  /** Units (cases or clusters) that have anything to do with the measure in either system. */
  readonly units: number;
  /** Units in which the two systems' counts are not the same. */
  readonly differing: number;
  /** True if no unit can make the two differ: their counts, or their values, are the same in each. */
  readonly fixed: boolean;
  /** Swaps the two systems' answers case by case and works the measure out again: the test that decides. */
  readonly permutation: PairedTest;
  /** Signed ranks of the differences per case. */
  readonly wilcoxon: PairedTest;
  /** null where the outcome per case is not a yes or a no. */
  readonly mcnemar: YesNoTest | null;
  readonly effect: {
    /** Mean of the differences per case / their standard deviation. */
    readonly dz: number | null;
    readonly rankBiserial: number | null;
    /** The difference / (its standard error × √units): what the number of cases needed is worked out from. */
    readonly standardised: number | null;
  };
  readonly wins: number;
  readonly losses: number;
  readonly ties: number;
  /** Cases that have no value in one of the two and so are no win, loss or tie. */
  readonly withoutPair: number;
}

export interface ResampledDifference extends Sureness {
  readonly bounds?: Sureness;
  /** Standard deviation of the resampled differences; null where there are fewer than two. */
  readonly standardError: number | null;
}

/** How intervals of differences are made. */
export interface IntervalChoice {
  readonly method: IntervalMethod;
  /** Method of a second interval, for verdicts that must err on the safe side. */
  readonly bounds?: IntervalMethod;
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
  settings: ResampleSettings & IntervalChoice,
  breathe?: Breathe,
): Promise<ResampledDifference[][]> {
  const resampled = others.map(() => parts.map(() => new ResampledValues(settings.resamples)));
  const visit = (places: readonly number[], [before, ...after]: readonly Float64Array[]): void => {
    for (const [other, own] of after.entries()) {
      const differences = own.map((value, at) => differenceBetween(before![at]!, value));
      for (const part of places) resampled[other]![part]!.addAll(differences);
    }
  };
  const tables = [a, ...others];
  await resampleParts(
    parts.map((part) => ({ ...part, tables })),
    settings,
    visit,
    breathe,
  );
  const allA = totals(a);
  return others.map((b, other) => {
    const allB = totals(b);
    return parts.map((part, at) => {
      const own = resampled[other]![at]!;
      const standardError = spread(own.values);
      const before = part.measure.value(sumsAt(a, allA, part.label)).value ?? 0;
      const after = part.measure.value(sumsAt(b, allB, part.label)).value ?? 0;
      const sureBy = (method: IntervalMethod): Sureness => {
        // Equal resamples show no uncertainty of a difference, however its two values vary.
        if (isJackknifed(part.measure, method) && standardError !== 0)
          return jackknifeDifference(a, b, part, { ...settings, method });
        return intervalFrom(own, differenceBetween(before, after), settings.level, resamplingMethod(method), () => {
          const from = withoutEachUnit(a, allA, part);
          return withoutEachUnit(b, allB, part).flatMap((to, unit) => {
            const without = from[unit] ?? null;
            return to === null || without === null ? [] : [differenceBetween(without, to)];
          });
        });
      };
      const { method, bounds } = settings;
      return { ...sureBy(method), standardError, ...(bounds === undefined ? {} : { bounds: sureBy(bounds) }) };
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
