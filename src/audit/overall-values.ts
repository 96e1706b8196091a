import type { MeasureValue } from '../measure/results.ts';
import type { Run } from '../score/run.ts';

/** The values of a run without a slice. */
export function overallValues(run: Run): MeasureValue[] {
  return run.measures.measures.filter(({ slice }) => Object.keys(slice).length === 0);
}

/** Half of what an interval covers: how far the value may be off; null where there is no interval. */
export function halfWidth({ interval }: Pick<MeasureValue, 'interval'>): number | null {
  return interval === null ? null : (interval.high - interval.low) / 2;
}
