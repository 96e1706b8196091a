import { percentile } from '../../stats.ts';

export const OUTLIERS = ['latency_spike', 'excessive_flushes', 'low_coverage'] as const;
type Outlier = (typeof OUTLIERS)[number];

/** The values of a case that can be outliers. */
interface OutlierValues {
  readonly latency: number | null;
  readonly flushes: number | null;
  readonly coverage: number | null;
}

/**
 * Outliers among the cases of a variant: mean summary latency above the 95th percentile of the cases, flushes above the
 * 95th, coverage below the 5th. A reason to look, not a verdict: one in twenty is always beyond.
 */
export function outliersOf(cases: readonly OutlierValues[]): Outlier[][] {
  const bound = (of: keyof OutlierValues, share: number): number | null => {
    const known = cases.flatMap((one) => one[of] ?? []).sort((a, b) => a - b);
    return known.length === 0 ? null : percentile(known, share);
  };
  const [latency, flushes, coverage] = [bound('latency', 0.95), bound('flushes', 0.95), bound('coverage', 0.05)];
  return cases.map((one) => [
    ...(isAbove(one.latency, latency) ? (['latency_spike'] as const) : []),
    ...(isAbove(one.flushes, flushes) ? (['excessive_flushes'] as const) : []),
    ...(isAbove(coverage, one.coverage) ? (['low_coverage'] as const) : []),
  ]);
}

function isAbove(a: number | null, b: number | null): boolean {
  return a !== null && b !== null && a > b;
}
