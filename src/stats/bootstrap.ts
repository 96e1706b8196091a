import { UsageError } from '../data/problems.ts';
import { pairwiseSum, percentile } from '../measure/numpy.ts';
import { ends, type IntervalMethod, intervalFrom } from './interval.ts';
import { ResampledValues, resamplePlaces } from './resample.ts';
import { resampleSettings, type ResampleSettings } from './resample-settings.ts';

/** A number made from a sample; null where the sample has none. */
export type Statistic<T> = (sample: readonly T[]) => number | null;

export interface BootstrapOptions<T> extends Partial<ResampleSettings> {
  /** `mean` (the usual), `median`, or a function of a sample. */
  readonly statistic?: 'mean' | 'median' | Statistic<T>;
  readonly method?: IntervalMethod;
  /**
   * `numpy`: the values in the order given, and every bit as numpy's RandomState.choice, mean and percentile give it,
   * which draws an interval without width for one value and for equal ones.
   */
  readonly compat?: 'numpy';
}

export interface BootstrapResult {
  readonly value: number | null;
  readonly low: number | null;
  readonly high: number | null;
  readonly level: number;
  readonly method: string;
  readonly n: number;
  readonly resamples: number;
  /** Resamples for which the statistic had no value. */
  readonly undefinedResamples: number;
  /** Why there is no value or no interval, or why the interval says nothing; null where all is well. */
  readonly note: string | null;
}

/**
 * A statistic with its interval, by drawing samples of the same size with replacement (Efron 1979). Undefined without
 * values; no interval from one value or from equal ones, since resampling cannot show how sure they are.
 * Example: bootstrap([0.1, 0.2, 0.3]): value 0.2, low 0.1, high 0.3.
 */
export function bootstrap<T = number>(values: readonly T[], options: BootstrapOptions<T> = {}): BootstrapResult {
  const settings = resampleSettings(options);
  const method = options.method ?? 'percentile';
  const numpy = options.compat === 'numpy';
  if (numpy && method !== 'percentile')
    throw new UsageError(`method ${method} has no numpy to be compatible with`, 'leave compat or method out');
  const statistic = statisticOf(options.statistic ?? 'mean', values);
  const n = values.length;
  const source = numpy ? values : canonical(values);
  const whole = n === 0 ? null : finite(statistic(source));
  const result = (
    [low, high]: readonly [number | null, number | null],
    note: string | null,
    undefinedResamples = 0,
  ): BootstrapResult => ({
    value: whole,
    low,
    high,
    level: settings.level,
    method: `bootstrap-${method}`,
    n,
    resamples: settings.resamples,
    undefinedResamples,
    note,
  });
  if (whole === null) return result(NONE, n === 0 ? 'there is no value' : 'the statistic has no value here');
  if (n === 1 && !numpy) return result(NONE, 'there is one value only: nothing to resample');

  const resampled = resamples(source, statistic, settings);
  const undefinedResamples = resampled.undefined;
  if (numpy && undefinedResamples === 0) {
    const [low, high] = ends(settings.level);
    const sorted = resampled.values.sort();
    const flat = sorted[0] === sorted.at(-1);
    return result(
      [percentile(sorted, low), percentile(sorted, high)],
      flat ? 'every resample gave the same value: the interval says nothing about how sure it is' : null,
    );
  }
  const { interval, noInterval } = intervalFrom(resampled, whole, settings.level, method, () =>
    withoutEach(source, statistic),
  );
  return interval === null
    ? result(NONE, noInterval, undefinedResamples)
    : result([interval.low, interval.high], null, undefinedResamples);
}

const NONE = [null, null] as const;

function resamples<T>(source: readonly T[], statistic: Statistic<T>, settings: ResampleSettings): ResampledValues {
  const found = new ResampledValues(settings.resamples);
  const sample: T[] = [...source];
  for (const places of resamplePlaces(source.length, settings)) {
    for (let at = 0; at < places.length; at += 1) sample[at] = source[places[at]!]!;
    found.add(finite(statistic(sample)));
  }
  return found;
}

/** The statistic without each value in turn; a sample for which it has none leaves the list. */
function withoutEach<T>(source: readonly T[], statistic: Statistic<T>): number[] {
  return source.flatMap((_, out) => {
    const value = finite(statistic(source.filter((_one, at) => at !== out)));
    return value === null ? [] : [value];
  });
}

/** Numbers from small to large, so that their order cannot change an interval. Anything else stays as it came. */
function canonical<T>(values: readonly T[]): readonly T[] {
  return values.every((value) => typeof value === 'number') ? values.toSorted((a, b) => a - b) : values;
}

function statisticOf<T>(named: 'mean' | 'median' | Statistic<T>, values: readonly T[]): Statistic<T> {
  if (typeof named === 'function') return named;
  for (const value of values) {
    if (typeof value !== 'number' || !Number.isFinite(value))
      throw new UsageError(
        `bootstrap: ${String(value)} is not a finite number`,
        'leave undefined values out and say how many there were, or give a statistic of your own',
      );
  }
  const of = named === 'mean' ? mean : median;
  return (sample) => (isNumbers(sample) ? of(sample) : null);
}

/** One look suffices: all values were looked at before the first sample was drawn. */
function isNumbers(sample: readonly unknown[]): sample is readonly number[] {
  return typeof sample[0] === 'number';
}

/** 0 is added because numpy's sum starts from it: a mean of nothing but −0 is 0. */
function mean(sample: readonly number[]): number {
  return (0 + pairwiseSum(sample)) / sample.length;
}

function median(sample: readonly number[]): number {
  return percentile(
    sample.toSorted((a, b) => a - b),
    0.5,
  );
}

/** NaN and infinity are no values. */
function finite(value: number | null): number | null {
  return value !== null && Number.isFinite(value) ? value : null;
}
