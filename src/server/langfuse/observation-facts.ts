import { unlessDamaged } from '../../store/cells.ts';
import type { ObservationRecord, TraceRecord } from '../../store/records.ts';
import type { Store } from '../../store/store.ts';
import { LEVELS } from '../../langfuse/shapes/values.ts';

export type Level = (typeof LEVELS)[number];

export function levelOf({ level }: ObservationRecord): Level {
  return LEVELS.find((one) => one === level) ?? 'DEFAULT';
}

/** In seconds; null while it is not at its end. */
export function latencyOf({ startTime, endTime }: Pick<ObservationRecord, 'startTime' | 'endTime'>): number | null {
  return endTime === null ? null : secondsBetween(startTime, endTime);
}

/** In seconds; null where it was not told. */
export function timeToFirstToken({ startTime, completionStartTime }: ObservationRecord): number | null {
  return completionStartTime === null ? null : secondsBetween(startTime, completionStartTime);
}

type Counts = Readonly<Record<string, number>>;

/** As Langfuse counts tokens: a total that was not told is the sum of the parts. */
export function usageOf({ usageDetails }: Pick<ObservationRecord, 'usageDetails'>): Counts {
  const parts = Object.values(usageDetails);
  if (parts.length === 0 || usageDetails['total'] !== undefined) return usageDetails;
  return { ...usageDetails, total: sumOf(parts) };
}

/** As Langfuse adds costs: a total that was not told is that of input and output, and there is none beside other parts. */
export function costOf({ costDetails }: Pick<ObservationRecord, 'costDetails'>): Counts {
  const names = Object.keys(costDetails);
  const isSummed = names.length > 0 && names.every((name) => name === 'input' || name === 'output');
  return isSummed ? { ...costDetails, total: sumOf(Object.values(costDetails)) } : costDetails;
}

/** Null where nothing tells. */
export function totalCost(record: Pick<ObservationRecord, 'costDetails'>): number | null {
  return costOf(record)['total'] ?? null;
}

function sumOf(numbers: readonly number[]): number {
  return numbers.reduce((sum, one) => sum + one, 0);
}

function secondsBetween(from: string, to: string): number {
  return (Date.parse(to) - Date.parse(from)) / 1000;
}

/** Traces by their id, each read once; many rows of one answer belong to the same. */
export function traceLookup(store: Store): (id: string | null) => TraceRecord | null {
  const known = new Map<string, TraceRecord | null>();
  return (id) => {
    if (id === null) return null;
    const kept = known.get(id);
    if (kept !== undefined) return kept;
    const trace = unlessDamaged(() => store.traces.get(id));
    known.set(id, trace);
    return trace;
  };
}
