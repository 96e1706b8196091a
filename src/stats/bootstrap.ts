import { UsageError } from '../data/problems.ts';
import { pairwiseSum, percentile } from '../measure/numpy.ts';
import { ends, intervalFrom, type ResamplingMethod } from './interval.ts';
import { ResampledValues, resamplePlaces } from './resample.ts';
import { resampleSettings, type ResampleSettings } from './resample-settings.ts';

/** A number made from a sample; null where the sample has none. */
export type Statistic<T> = (sample: readonly T[]) => number | null;

export interface BootstrapOptions<T> extends Partial<ResampleSettings> {
  /** `mean` (the default), `median`, or a function of a sample. */
  readonly statistic?: 'mean' | 'median' | Statistic<T>;
  readonly method?: ResamplingMethod;
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
  /** Why there is no value or no interval, or why the interval is meaningless; null if all is well. */
  readonly note: string | null;
}

/**
 * A statistic with its interval, by drawing samples of the same size with replacement (Efron 1979). Undefined without
 * values; no interval from one value or from equal ones, since resampling cannot show how sure they are.
 * Example: bootstrap([0.1, 0.2, 0.3]): value 0.2, low 0.1, high 0.3.
 */
export function bootstrap<T = number>(values: readonly T[], options: BootstrapOptions<T> = {}): BootstrapResult {
  const settings = resampleSettings(options);
  const { method = 'percentile' } = options;
  const { level, resamples } = settings;
  const numpy = options.compat === 'numpy';
  if (numpy && method !== 'percentile')
    throw new UsageError(`method ${method} has no numpy to be compatible with`, 'leave compat or method out');
  const statistic = statisticOf(options.statistic ?? 'mean', values);
  const n = values.length;
  const source = numpy ? values : canonical(values);
  const value = n === 0 ? null : statistic(source);
  const result = (low: number | null, high: number | null, note: string | null, missing = 0): BootstrapResult => {
    const name = `bootstrap-${method}`;
    return { value, low, high, level, method: name, n, resamples, undefinedResamples: missing, note };
  };
  if (value === null) return result(null, null, n === 0 ? 'there is no value' : 'the statistic has no value here');
  if (n === 1 && !numpy) return result(null, null, 'there is one value only: nothing to resample');

  const resampled = new ResampledValues(resamples);
  const sample: T[] = [...source];
  for (const places of resamplePlaces(n, settings)) {
    for (let at = 0; at < n; at += 1) sample[at] = source[places[at]!]!;
    resampled.add(statistic(sample));
  }
  if (numpy && resampled.undefined === 0) {
    const sorted = resampled.values.sort();
    const [low, high] = ends(level).map((share) => percentile(sorted, share));
    const flat = sorted[0] === sorted.at(-1);
    return result(
      low!,
      high!,
      flat ? 'every resample gave the same value: the interval does not show how sure it is' : null,
    );
  }
  const { interval, noInterval } = intervalFrom(resampled, value, level, method, () =>
    source.flatMap((_, out) => statistic(source.toSpliced(out, 1)) ?? []),
  );
  return result(interval?.low ?? null, interval?.high ?? null, noInterval, resampled.undefined);
}

/** Numbers from small to large, so that their order cannot change an interval. Anything else stays as it came. */
function canonical<T>(values: readonly T[]): readonly T[] {
  return values.every((value) => typeof value === 'number') ? values.toSorted((a, b) => a - b) : values;
}

/** NaN and infinity are no values. */
function statisticOf<T>(named: 'mean' | 'median' | Statistic<T>, values: readonly T[]): Statistic<T> {
  const finite = (value: number | null): number | null => (Number.isFinite(value) ? value : null);
  if (typeof named === 'function') return (sample) => finite(named(sample));
  const wrong = values.findIndex((value) => !Number.isFinite(value));
  if (wrong >= 0)
    throw new UsageError(
      `bootstrap: ${String(values[wrong])} is not a finite number`,
      'leave undefined values out and say how many there were, or pass a custom statistic',
    );
  const of = named === 'mean' ? mean : median;
  return (sample) => (isNumbers(sample) ? finite(of(sample)) : null);
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
