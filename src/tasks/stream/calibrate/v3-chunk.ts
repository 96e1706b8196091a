import { bootstrap } from '../../../stats/bootstrap.ts';
import { percentile } from '../../../measure/numpy.ts';
import { resampleSettings, type ResampleSettings } from '../../../stats/resample-settings.ts';
import type { FlushSizes } from './flush-sizes.ts';

export interface V3Case {
  readonly caseId: string;
  readonly flushes: number;
  /** Median CTU of the case's regular flushes; null where it has none. */
  readonly median: number | null;
  readonly excluded: Readonly<Record<string, number>>;
  readonly sha256: string;
}

/** The fixed chunk of V3, and what it stands on. */
export interface V3Chunk {
  /** Null where no case has a regular flush. */
  readonly chunkCtu: number | null;
  /** Before it is rounded up. */
  readonly median: number | null;
  readonly interval: { readonly low: number; readonly high: number } | null;
  /** Why there is no median or no interval. */
  readonly noInterval: string | null;
  readonly resampling: ResampleSettings;
  /** Cases with a regular flush. */
  readonly n: number;
  readonly regular: number;
  readonly excluded: Readonly<Record<string, number>>;
  readonly cases: readonly V3Case[];
}

/**
 * V3's chunk: per case the median CTU of V0's regular flushes, the median of these over cases, rounded up. A median of
 * medians, so that a long conversation counts as much as a short one. Its interval is a bootstrap over cases. Undefined
 * where no case has a regular flush. Example: cases [120, 130], [124], [129, 131, 140]: medians 125, 124, 131, so 125.
 */
export function v3Chunk(sizes: readonly FlushSizes[], settings: Partial<ResampleSettings> = {}): V3Chunk {
  const cases = sizes.map(caseOf);
  const medians = cases.flatMap(({ median }) => (median === null ? [] : [median]));
  const resampling = resampleSettings(settings);
  const { value, low, high, note } = bootstrap(medians, { ...resampling, statistic: 'median' });
  return {
    chunkCtu: value === null ? null : Math.ceil(value),
    median: value,
    interval: low === null || high === null ? null : { low, high },
    noInterval: value === null ? 'no case has a regular flush' : note,
    resampling,
    n: medians.length,
    regular: cases.reduce((sum, { flushes }) => sum + flushes, 0),
    excluded: addedUp(cases),
    cases,
  };
}

function caseOf({ caseId, regular, excluded, sha256 }: FlushSizes): V3Case {
  const sorted = regular.toSorted((a, b) => a - b);
  const median = sorted.length === 0 ? null : percentile(sorted, 0.5);
  return { caseId, flushes: regular.length, median, excluded, sha256 };
}

function addedUp(cases: readonly V3Case[]): Record<string, number> {
  const sums: Record<string, number> = {};
  for (const { excluded } of cases)
    for (const [reason, count] of Object.entries(excluded)) sums[reason] = (sums[reason] ?? 0) + count;
  return sums;
}
