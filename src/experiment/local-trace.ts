import { hash } from 'node:crypto';

import { defined } from './defined.ts';
import { JsonText } from '../store/table.ts';
import type { DatasetRunRecord } from '../store/records.ts';
import type { Store } from '../store/store.ts';
import type { ItemTrace, ScoreInit, TraceFields } from './backend.ts';
import type { FailedTry } from './targets/target.ts';
import type { Usage } from './limits/budget.ts';

/** What Langfuse's own SDK calls the place where experiments run. */
const EXPERIMENT_ENVIRONMENT = 'sdk-experiment';

/** The status once an item that failed has an answer. */
export const RETRIED = 'answered on a later try';

/** Writes one item's trace as Langfuse would have it: trace, root span, the call within it, the link, the scores. */
export function saveItemTrace(store: Store, run: DatasetRunRecord, trace: ItemTrace, fields: TraceFields): void {
  const { traceId, rootId, item, name, startedAt, endedAt, output, error, metadata } = trace;
  const { environment = EXPERIMENT_ENVIRONMENT, sessionId = null, userId = null, release = null, tags = [] } = fields;
  const input = new JsonText(item.input);
  const shared = { environment, name, input, output: new JsonText(output) };
  const span = {
    ...shared,
    traceId,
    startTime: startedAt,
    endTime: endedAt,
    level: error === null ? 'DEFAULT' : 'ERROR',
    statusMessage: error === null ? (trace.isRetried ? RETRIED : null) : `${error.kind}: ${error.message}`,
  };
  const carried = { sessionId, userId, release, tags, metadata: { ...fields.metadata, ...metadata } };
  store.traces.save({ ...shared, id: traceId, timestamp: startedAt, ...carried });
  const experiment = {
    experimentId: run.id,
    experimentName: run.name,
    experimentDescription: run.description,
    experimentMetadata: run.metadata,
    datasetId: run.datasetId,
    itemId: item.id,
    itemExpectedOutput: item.expectedOutput,
    itemMetadata: item.metadata,
    rootObservationId: rootId,
  };
  const root = { ...span, id: rootId, parentObservationId: null, type: 'SPAN', metadata, experiment };
  const call = {
    ...span,
    id: trace.callId,
    parentObservationId: rootId,
    type: 'GENERATION',
    input: trace.request,
    model: trace.model,
    modelParameters: trace.modelParameters,
    ...usageCells(trace.usage),
    promptName: trace.prompt?.name ?? null,
    promptVersion: trace.prompt?.version ?? null,
    metadata: callMetadata(trace),
  };
  const event = { traceId, parentObservationId: rootId, type: 'EVENT', environment };
  const times = { startTime: startedAt, endTime: startedAt };
  const tries = trace.tries.map((one, at) => ({ ...tryFields(one, at), id: tryId(trace, at), ...event, ...times }));
  for (const observation of [root, call, ...tries]) store.traces.saveObservation(observation, true);
  store.runs.put({ runId: run.id, itemId: item.id, traceId, observationId: rootId });
  for (const score of trace.scores) store.scores.put({ ...scoreCells(score, fields), traceId, timestamp: endedAt });
}

/** Metadata of the call itself. */
export function callMetadata({ passages, isCached }: ItemTrace): Record<string, unknown> {
  return { ...(passages === null ? {} : { passages }), ...(isCached ? { cached: true } : {}) };
}

/** An attempt that failed: not an error of the run, which its last outcome decides. */
export function tryFields({ kind, message, startedAt, endedAt }: FailedTry, at: number) {
  return {
    name: `attempt ${at + 1}`,
    level: 'WARNING',
    statusMessage: `${kind}: ${message}`,
    metadata: { started_at: startedAt, ended_at: endedAt },
  } as const;
}

/** 16 hex digits, the same when it is sent again. */
export function tryId({ traceId, tries }: ItemTrace, at: number): string {
  return hash('sha256', JSON.stringify([traceId, tries[at]?.startedAt, at])).slice(0, 16);
}

export function scoreCells(score: ScoreInit, { environment = EXPERIMENT_ENVIRONMENT }: TraceFields) {
  return { ...score, dataType: 'NUMERIC', source: 'API', environment } as const;
}

/** Only what is known: a number that is missing is not nought. */
export function usageCells(usage: Usage | null) {
  const { inputTokens, outputTokens, cost } = usage ?? { inputTokens: null, outputTokens: null, cost: null };
  const input = inputTokens ?? undefined;
  const output = outputTokens ?? undefined;
  const total = input === undefined || output === undefined ? undefined : input + output;
  return { usageDetails: defined({ input, output, total }), costDetails: defined({ total: cost ?? undefined }) };
}
