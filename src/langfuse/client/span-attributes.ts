import type { Attributes } from '@opentelemetry/api';

import { jsonText } from '../../store/text-like-json.ts';
import type { ItemTrace, RunInfo, TraceFields } from '../../experiment/backend.ts';
import { callMetadata, RETRIED, tryFields, usageCells } from '../../experiment/local-trace.ts';
import type { FailedTry } from '../../experiment/targets/target.ts';
import type { Tracing } from './sdk.ts';

/** Of the root: what was asked, and what came of it. */
export function rootAttributes(sdk: Tracing, trace: ItemTrace): Attributes {
  const { LangfuseOtelSpanAttributes: names, createObservationAttributes } = sdk;
  return {
    ...createObservationAttributes('span', {
      input: trace.item.input,
      output: trace.output,
      metadata: trace.metadata,
      ...failureOf(trace),
    }),
    [names.TRACE_NAME]: trace.name,
  };
}

/** What the run says of its traces: on every span, since Langfuse 4 keeps it by span. */
export function traceAttributes(
  { LangfuseOtelSpanAttributes: names }: Tracing,
  { sessionId, userId, tags, release, environment, metadata }: TraceFields,
  trace: ItemTrace,
): Attributes {
  // What is said of a trace takes the place of what its root says: so all of it is said.
  const all = metadata === undefined ? [] : Object.entries({ ...metadata, ...trace.metadata });
  return {
    ...(sessionId === undefined ? {} : { [names.TRACE_SESSION_ID]: sessionId }),
    ...(userId === undefined ? {} : { [names.TRACE_USER_ID]: userId }),
    ...(tags === undefined ? {} : { [names.TRACE_TAGS]: [...tags] }),
    ...(release === undefined ? {} : { [names.RELEASE]: release }),
    ...(environment === undefined ? {} : { [names.ENVIRONMENT]: environment }),
    ...Object.fromEntries(
      all.flatMap(([key, value]) => Object.entries(textOf(`${names.TRACE_METADATA}.${key}`, value))),
    ),
  };
}

/** Of the target's call. A generation, also where no model is known: Langfuse 3 keeps tokens and cost of no other kind. */
export function callAttributes(sdk: Tracing, trace: ItemTrace): Attributes {
  const { request, output, model, modelParameters, prompt, usage } = trace;
  return sdk.createObservationAttributes('generation', {
    input: request,
    output,
    ...failureOf(trace),
    metadata: callMetadata(trace),
    ...(model === null ? {} : { model, modelParameters: { ...modelParameters } }),
    ...(prompt === null ? {} : { prompt: { ...prompt, isFallback: false } }),
    ...usageOf(usage),
  });
}

/** Of an attempt that failed before: an event at the start of the trace, whose length is that of the answer alone. */
export function tryAttributes(sdk: Tracing, attempt: FailedTry, at: number): Attributes {
  const { level, statusMessage, metadata } = tryFields(attempt, at);
  return sdk.createObservationAttributes('event', { level, statusMessage, metadata });
}

/**
 * Of which item of which run it is: on every span of the trace. In Langfuse 4 this is the only link. The SDK's own way
 * of putting them there drops what is longer than 200 characters.
 */
export function experimentAttributes(
  { LangfuseOtelSpanAttributes: names }: Tracing,
  { dataset, name, description, metadata }: RunInfo,
  experimentId: string,
  { item, rootId }: ItemTrace,
): Attributes {
  return {
    [names.EXPERIMENT_ID]: experimentId,
    [names.EXPERIMENT_NAME]: name,
    ...(description === null ? {} : { [names.EXPERIMENT_DESCRIPTION]: description }),
    [names.EXPERIMENT_METADATA]: JSON.stringify(metadata),
    [names.EXPERIMENT_DATASET_ID]: dataset.id,
    [names.EXPERIMENT_ITEM_ID]: item.id,
    ...textOf(names.EXPERIMENT_ITEM_EXPECTED_OUTPUT, item.expectedOutput),
    ...textOf(names.EXPERIMENT_ITEM_METADATA, item.metadata),
    [names.EXPERIMENT_ITEM_ROOT_OBSERVATION_ID]: rootId,
  };
}

function textOf(name: string, value: unknown): Attributes {
  if (value === undefined || value === null) return {};
  return { [name]: jsonText(value) };
}

/** What was sent as a failure before is told to be none: a server may else keep what it has. */
function failureOf({ error, isRetried }: ItemTrace): { level?: 'ERROR' | 'DEFAULT'; statusMessage?: string } {
  if (error !== null) return { level: 'ERROR', statusMessage: `${error.kind}: ${error.message}` };
  return isRetried ? { level: 'DEFAULT', statusMessage: RETRIED } : {};
}

function usageOf(usage: ItemTrace['usage']) {
  const known = Object.entries(usageCells(usage)).filter(([, cells]) => Object.keys(cells).length > 0);
  return Object.fromEntries(known);
}
