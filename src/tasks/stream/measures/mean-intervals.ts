import type { MeasureValue } from '../../../measure/tally.ts';
import { bootstrap } from '../../../stats/bootstrap.ts';
import type { ResampleSettings } from '../../../stats/resample-settings.ts';

/** Where a mean lies, or why that cannot be told. */
export type MeanInterval =
  | { readonly low: number; readonly high: number; readonly n: number }
  | { readonly undefined: string };

/** Of a measure of the run; `mirrored`: of 1 minus its value. */
export function measuredInterval(own: MeasureValue | undefined, mirrored = false): MeanInterval {
  if (own === undefined) return { undefined: 'the recipe does not measure it' };
  const { interval, noInterval, n } = own;
  if (interval === null) return { undefined: own.undefined ?? noInterval ?? 'not known' };
  const { low, high } = interval;
  return mirrored ? { low: 1 - high, high: 1 - low, n } : { low, high, n };
}

/** Of a mean of the cases' own values, resampled as numpy would; `settings` null: none are asked for. */
export function caseMeanInterval(values: readonly number[], settings: ResampleSettings | null): MeanInterval {
  if (settings === null) return { undefined: 'not asked for' };
  const { low, high, note, n } = bootstrap(values, { ...settings, compat: 'numpy' });
  return low === null || high === null || note !== null ? { undefined: note ?? 'not known' } : { low, high, n };
}
