import { UsageError } from '../../plugin.ts';
import { bootstrap, percentile, resampleSettings, type ResampleSettings } from '../../stats.ts';
import { datasetHash } from '../dataset-hash.ts';
import type { GatePolicy } from '../replay/token-gate.ts';
import type { Variant } from '../replay/variant.ts';
import { casesOfList, type SubsetOfList, type UsedList } from './case-list.ts';
import { type FlushSizes, flushSizesOfTrace, readByCase, readLoggedSizes } from './flush-sizes.ts';

export interface V3Calibration extends V3Chunk {
  readonly variant: string;
  /** The gate that the traces were passed through; null if the flushes are from run logs. */
  readonly gate: GatePolicy | null;
  readonly list: UsedList | null;
  /** `sha256:…` of cases and hashes of what was read. */
  readonly inputsHash: string;
}

/** From run logs: a folder of them, or one that holds a folder called after the variant. */
export async function calibrateFromLogs(
  place: string,
  variant: string,
  subset: SubsetOfList | null = null,
): Promise<V3Calibration> {
  return calibrationOf(await readLoggedSizes(place, variant), variant, null, subset);
}

/** From traces, which pass through the variant's gate: that needs no model. */
export async function calibrateFromTraces(
  place: string,
  { id, trigger }: Pick<Variant, 'id' | 'trigger'>,
  subset: SubsetOfList | null = null,
  allowStubs = false,
): Promise<V3Calibration> {
  if (trigger.kind !== 'gate')
    throw new UsageError(`${id} has no gate, so it has no flushes`, 'name one that has with --variant, such as V0');
  const { gate } = trigger;
  const sizes = await readByCase(place, (trace) => flushSizesOfTrace(trace, gate), allowStubs);
  return calibrationOf(sizes, id, gate, subset);
}

function calibrationOf(
  all: readonly FlushSizes[],
  variant: string,
  gate: GatePolicy | null,
  subset: SubsetOfList | null,
): V3Calibration {
  const { chosen, list } = casesOfList(all, subset);
  const traces = chosen.map(({ caseId, sha256 }) => [caseId, sha256] as const);
  return {
    ...v3Chunk(chosen),
    variant,
    gate,
    list,
    inputsHash: datasetHash({ masRunId: null, caseListHash: list?.sha256 ?? null, traces }),
  };
}

interface V3Case {
  readonly caseId: string;
  readonly flushes: number;
  /** Median CTU of the case's regular flushes; null if it has none. */
  readonly median: number | null;
  readonly excluded: Readonly<Record<string, number>>;
  readonly sha256: string;
}

interface V3Chunk {
  /** Null if no case has a regular flush. */
  readonly chunkCtu: number | null;
  /** Before it is rounded up. */
  readonly median: number | null;
  readonly interval: { readonly low: number; readonly high: number } | null;
  readonly noInterval: string | null;
  readonly resampling: ResampleSettings;
  readonly n: number;
  readonly regular: number;
  readonly excluded: Readonly<Record<string, number>>;
  readonly cases: readonly V3Case[];
}

/**
 * V3's chunk: per case the median CTU of V0's regular flushes, the median of these over cases, rounded up. A median of
 * medians, so that a long conversation counts as much as a short one. Its interval is a bootstrap over cases. Undefined
 * if no case has a regular flush. Example: cases [120, 130], [124], [129, 131, 140]: medians 125, 124, 131, so 125.
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
    excluded: excludedIn(cases),
    cases,
  };
}

function caseOf({ caseId, regular, excluded, sha256 }: FlushSizes): V3Case {
  const sorted = regular.toSorted((a, b) => a - b);
  const median = sorted.length === 0 ? null : percentile(sorted, 0.5);
  return { caseId, flushes: regular.length, median, excluded, sha256 };
}

function excludedIn(cases: readonly V3Case[]): Record<string, number> {
  const sums: Record<string, number> = {};
  for (const { excluded } of cases)
    for (const [reason, count] of Object.entries(excluded)) sums[reason] = (sums[reason] ?? 0) + count;
  return sums;
}
