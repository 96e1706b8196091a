import type { CaseResult } from '../../measure/tally.ts';
import type { DatasetRecord } from '../../store/records.ts';
import type { ItemTrace, ScoreInit } from '../backend.ts';
import type { ResolvedPrompt } from '../targets/resolved-prompt.ts';
import type { Target } from '../targets/target.ts';
import type { FrozenItem } from './frozen-dataset.ts';
import type { LogEntry } from './log-entry.ts';
import { scoreIdOf, traceIdsOf } from './trace-ids.ts';

/** What all traces of a run share. */
export interface TraceFrame {
  readonly dataset: DatasetRecord;
  /** What no two runs share. */
  readonly runId: string;
  readonly runName: string;
  readonly target: Pick<Target, 'kind' | 'model' | 'modelParameters'>;
  readonly prompt: ResolvedPrompt | null;
}

interface Scored {
  readonly item: FrozenItem;
  readonly entry: LogEntry;
  /** What its measures say; null where nothing is scored. */
  readonly result: CaseResult | null;
  /** Whether the same item was published as a failure before. */
  readonly wasFailure: boolean;
}

/** One item's outcome as the trace that is published of it. */
export function itemTrace(
  { dataset, runId, runName, target, prompt }: TraceFrame,
  { item, entry, result, wasFailure }: Scored,
): ItemTrace {
  const ids = traceIdsOf(runId, item.id, entry.repeat);
  const answered = entry.outcome === 'answered' ? entry : null;
  return {
    ...ids,
    item: {
      id: item.id,
      datasetId: dataset.id,
      datasetName: dataset.name,
      input: item.input,
      expectedOutput: item.expected_output ?? null,
      metadata: item.metadata ?? null,
      sourceTraceId: item.source_trace_id ?? null,
      sourceObservationId: null,
      status: 'ACTIVE',
      createdAt: entry.startedAt,
      updatedAt: entry.startedAt,
    },
    name: `${runName} ${item.id}`,
    startedAt: entry.startedAt,
    endedAt: entry.endedAt,
    output: answered?.output ?? null,
    error: entry.outcome === 'failed' ? { kind: entry.kind, message: entry.message } : null,
    model: target.model,
    modelParameters: target.modelParameters,
    usage: entry.usage,
    prompt:
      prompt === null || prompt.name === null || prompt.version === null
        ? null
        : { name: prompt.name, version: prompt.version },
    passages: answered?.passages ?? null,
    metadata: { target: target.kind, repeat: entry.repeat, attempts: entry.attempts, cached: entry.cached },
    scores: scoresOf(ids.traceId, entry, result, wasFailure),
  };
}

/** A failed item has no score but `error`; a measure without a value has none at all. */
function scoresOf(traceId: string, entry: LogEntry, result: CaseResult | null, wasFailure: boolean): ScoreInit[] {
  const score = (name: string, value: number, comment: string | null): ScoreInit => ({
    id: scoreIdOf(traceId, name),
    name,
    value,
    comment,
  });
  if (entry.outcome === 'failed') return [score('error', 1, `${entry.kind}: ${entry.message}`)];
  const own = Object.entries(result?.measures ?? {}).flatMap(([name, value]) =>
    value === null ? [] : [score(name, value, null)],
  );
  return wasFailure ? [...own, score('error', 0, 'answered on a later try')] : own;
}
