import type { DatasetItemRecord } from '../../store/records.ts';

/** An item as `assay dataset import` reads it: what was exported can be imported. Nothing that is not there is written. */
export function itemLine(item: DatasetItemRecord): Readonly<Record<string, unknown>> {
  return {
    id: item.id,
    input: item.input,
    ...(isGiven(item.expectedOutput) ? { expected_output: item.expectedOutput } : {}),
    ...(isGiven(item.metadata) ? { metadata: item.metadata } : {}),
    ...(isGiven(item.sourceTraceId) ? { source_trace_id: item.sourceTraceId } : {}),
    ...(isGiven(item.sourceObservationId) ? { source_observation_id: item.sourceObservationId } : {}),
    ...(item.status === 'ARCHIVED' ? { status: item.status } : {}),
  };
}

function isGiven(value: unknown): boolean {
  return value !== null && value !== undefined;
}
