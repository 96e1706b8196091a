import { FEW_UNITS, intervalFrom, none, ROUNDING, UNDEFINED_SHARE } from '../interval.ts';
import type { Interval, Sureness } from '../../measure/results.ts';
import type { ResampledValues } from '../resample.ts';
import { resamplePatterns } from './resample-patterns.ts';
import type { ResampleSettings } from '../resample-settings.ts';

/** An interval with what to mind about it. */
export interface NotedSureness extends Sureness {
  readonly interval: Interval | null;
  readonly noInterval: string | null;
  readonly notes: readonly string[];
}

/**
 * The interval of a value from resamples of the items: the middle `level` of what they give (percentile; Efron 1979).
 * None from one item, from resamples that all give the same, or where more than one in twenty have no value.
 */
export function surenessOf(
  times: Float64Array,
  value: number | null,
  settings: ResampleSettings,
  valueOf: (times: Float64Array) => number | null,
  item: string,
): NotedSureness {
  const n = times.reduce((sum, one) => sum + one, 0);
  if (value === null) return { ...none('there is no value'), notes: [] };
  if (n < 2) return { ...none(`there is one ${item} only: nothing to resample`), notes: [] };
  const [resampled] = resamplePatterns(times, 1, settings, (drawn, into) => {
    into[0] = valueOf(drawn) ?? NaN;
  });
  return surenessFrom(resampled!, value, settings.level, { n, item });
}

/** The same from resamples that were drawn already. */
export function surenessFrom(
  resampled: ResampledValues,
  value: number,
  level: number,
  { n, item }: { readonly n: number; readonly item: string },
): NotedSureness {
  const drawn = resampled.values.length + resampled.undefined;
  const share = `${resampled.undefined} of ${drawn} resamples`;
  if (resampled.undefined > UNDEFINED_SHARE * drawn)
    return { ...none(`it is undefined in ${share}: the ${item}s are too few or too much alike`), notes: [] };
  const found = intervalFrom(resampled, value, level, 'percentile', () => []);
  if (found.interval === null) return { ...found, notes: [] };
  const { low, high } = found.interval;
  return {
    ...found,
    notes: [
      ...(value < low - ROUNDING || value > high + ROUNDING
        ? [
            `a coefficient lies outside its own interval: ${item}s drawn twice shift it where categories are many and rare, so that interval does not say how sure it is`,
          ]
        : []),
      ...(resampled.undefined > 0 ? [`the coefficient is undefined in ${share}; the interval is of the others`] : []),
      ...(n < FEW_UNITS
        ? [`the interval is from ${n} ${item}s: with fewer than ${FEW_UNITS} it is likely too narrow`]
        : []),
    ],
  };
}
