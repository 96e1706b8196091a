import { percentile } from '../../../measure/numpy.ts';

export const OUTLIERS = ['latency_spike', 'excessive_flushes', 'low_coverage'] as const;
export type Outlier = (typeof OUTLIERS)[number];

/** The values of a case that can stand out. */
export interface OutlierValues {
  readonly latency: number | null;
  readonly flushes: number | null;
  readonly coverage: number | null;
}

/**
 * Cases that stand out among those of their variant: mean summary latency above the 95th percentile of the cases,
 * flushes above the 95th, coverage below the 5th. A word to look, not a verdict: one in twenty always lies beyond.
 */
export function outliersOf(cases: readonly OutlierValues[]): Outlier[][] {
  const latency = bound(
    cases.map((one) => one.latency),
    0.95,
  );
  const flushes = bound(
    cases.map((one) => one.flushes),
    0.95,
  );
  const coverage = bound(
    cases.map((one) => one.coverage),
    0.05,
  );
  return cases.map((one) => [
    ...(above(one.latency, latency) ? (['latency_spike'] as const) : []),
    ...(above(one.flushes, flushes) ? (['excessive_flushes'] as const) : []),
    ...(above(coverage, one.coverage) ? (['low_coverage'] as const) : []),
  ]);
}

function bound(values: readonly (number | null)[], share: number): number | null {
  const known = values.filter((value) => value !== null).toSorted((a, b) => a - b);
  return known.length === 0 ? null : percentile(known, share);
}

function above(a: number | null, b: number | null): boolean {
  return a !== null && b !== null && a > b;
}
