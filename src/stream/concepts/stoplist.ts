import { UsageError } from '../../plugin.ts';

export interface CaseConcepts {
  readonly concepts: readonly string[];
  /** Null if the extractor does not report which words it looked at. */
  readonly surfaces: readonly string[] | null;
}

type StopStatus = 'STOPLISTED' | 'KEPT';

export interface StopRow {
  readonly concept: string;
  readonly type: 'CUI' | 'SURFACE';
  readonly dfCount: number;
  readonly dfFraction: number;
  readonly status: StopStatus;
}

export interface StopReport {
  readonly cases: number;
  readonly threshold: number;
  readonly cutoff: number;
  /** Those in most traces first, then by code point. */
  readonly rows: readonly StopRow[];
  /** False where surfaces are not known, which is not the same as none. */
  readonly knowsSurfaces: boolean;
}

/** Concepts and surface forms by the share of traces that have them; those at the threshold or above are stopped. */
export function stopReport(cases: readonly CaseConcepts[], threshold: number): StopReport {
  const cutoff = cutoffCount(threshold, cases.length);
  const knowsSurfaces = cases.every(({ surfaces }) => surfaces !== null);
  const rowsOf = (type: StopRow['type'], sets: readonly (readonly string[])[]): StopRow[] =>
    [...documentFrequencies(sets)].map(([concept, dfCount]) => ({
      concept,
      type,
      dfCount,
      dfFraction: dfCount / cases.length,
      status: statusOf(dfCount, cutoff),
    }));
  const concepts = cases.map((one) => one.concepts);
  const surfaces = knowsSurfaces ? cases.map((one) => one.surfaces ?? []) : [];
  const rows = [...rowsOf('CUI', concepts), ...rowsOf('SURFACE', surfaces)].sort(
    (a, b) => b.dfCount - a.dfCount || compareCodePoints(a.concept, b.concept) || (a.type === 'CUI' ? -1 : 1),
  );
  return { cases: cases.length, threshold, cutoff, rows, knowsSurfaces };
}

/**
 * The least count of traces at which count / n is at least the threshold: ceil(threshold * n), but for products that
 * floating point puts a hair above a whole number.
 *
 * @example cutoffCount(0.9, 40) // 36
 */
export function cutoffCount(threshold: number, cases: number): number {
  if (!(threshold > 0 && threshold <= 1))
    throw new UsageError(`the threshold is ${threshold}`, 'expected a number above 0, at most 1');
  if (cases === 0) throw new UsageError('there are no traces to count in');
  const cutoff = Math.ceil(threshold * cases);
  return (cutoff - 1) / cases >= threshold ? cutoff - 1 : cutoff;
}

export function statusOf(dfCount: number, cutoff: number): StopStatus {
  return dfCount >= cutoff ? 'STOPLISTED' : 'KEPT';
}

export function stopped({ rows }: Pick<StopReport, 'rows'>, type: StopRow['type']): string[] {
  return rows.filter((row) => row.type === type && row.status === 'STOPLISTED').map(({ concept }) => concept);
}

function documentFrequencies(sets: readonly (readonly string[])[]): Map<string, number> {
  const counts = new Map<string, number>();
  for (const set of sets) for (const one of new Set(set)) counts.set(one, (counts.get(one) ?? 0) + 1);
  return counts;
}

/** As Python sorts texts, and as UTF-8 bytes do: an emoji comes after every character of the first plane. */
export function compareCodePoints(a: string, b: string): number {
  return Buffer.compare(Buffer.from(a), Buffer.from(b));
}
