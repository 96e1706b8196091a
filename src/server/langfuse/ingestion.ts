import { randomUUID } from 'node:crypto';

import { isRecord } from '../../data/record-fields.ts';
import { visible } from '../../data/visible.ts';
import { defined } from '../../experiment/defined.ts';
import { DamagedCell } from '../../store/cells.ts';
import { StoreConflict } from '../../store/store-conflict.ts';
import type { Store } from '../../store/store.ts';
import type { Generation } from '../../langfuse/shapes/endpoint.ts';
import {
  ingest,
  type IngestedObservation,
  type IngestedTrace,
  type IngestedUsage,
  type IngestedUsageDetails,
  ingestionEnvelope,
  ingestionEvent,
  type IngestionEvent,
} from '../../langfuse/shapes/ingestion.ts';
import { exportTraces } from '../../langfuse/shapes/otlp.ts';
import { readableTexts } from '../parse-json.ts';
import { Refusal } from '../refusal.ts';
import { parsed, type Serve } from './route.ts';
import { saveScore } from './scores.ts';

/** Every event by itself: what is wrong with one is told, and the others are kept. */
export function serveIngestion(serve: Serve, store: Store, generation: Generation): void {
  serve({ ...ingest, request: ingestionEnvelope }, ({ body }) => {
    const successes: { id: string; status: number }[] = [];
    const errors: { id: string; status: number; message: string; error: string }[] = [];
    store.transaction(() => {
      for (const event of body.batch) {
        try {
          if (generation === 4) refuseSpans(event);
          const checked = parsed(ingestionEvent, event, 'event');
          store.transaction(() => keep(store, checked));
          successes.push({ id: checked.id, status: 201 });
        } catch (error) {
          // What is there already may be damaged: that is no reason to lose the rest.
          const isKnown = error instanceof Refusal || error instanceof StoreConflict || error instanceof DamagedCell;
          if (!isKnown) throw error;
          const status = error instanceof Refusal ? error.status : 409;
          errors.push({ id: idOf(event), status, message: error.message, error: error.message });
        }
      }
    });
    return { successes, errors };
  });
}

/** Langfuse 4 takes traces and observations as spans of OpenTelemetry only. */
function refuseSpans(event: unknown): void {
  const type = isRecord(event) ? event['type'] : undefined;
  if (type === 'score-create' || type === 'sdk-log') return;
  throw new Refusal(
    400,
    `Langfuse 4 takes only scores and logs here, and this server is set to be like it: send ${typeof type === 'string' ? visible(type) : 'traces and observations'} as spans to ${exportTraces.path}.`,
  );
}

function idOf(event: unknown): string {
  const id = isRecord(event) ? event['id'] : undefined;
  return typeof id === 'string' ? id : 'unknown';
}

function keep(store: Store, event: IngestionEvent): void {
  switch (event.type) {
    case 'trace-create':
      return keepTrace(store, event.body, event.timestamp);
    case 'score-create':
      return void saveScore(store, event.body, event.timestamp);
    case 'span-create':
      return keepObservation(store, event.body, { type: 'SPAN', startTime: event.timestamp });
    case 'generation-create':
      return keepObservation(store, event.body, { type: 'GENERATION', startTime: event.timestamp });
    case 'event-create':
      return keepObservation(store, event.body, { type: 'EVENT', startTime: event.timestamp });
    case 'observation-create':
      return keepObservation(store, event.body, { type: event.body.type, startTime: event.timestamp });
    case 'span-update':
      return keepObservation(store, event.body, { type: 'SPAN' });
    case 'generation-update':
      return keepObservation(store, event.body, { type: 'GENERATION' });
    case 'observation-update':
      return keepObservation(store, event.body, { type: event.body.type });
    case 'sdk-log':
      return;
  }
}

function keepTrace(store: Store, body: IngestedTrace, at: string): void {
  const { id = randomUUID(), timestamp, ...fields } = body;
  const isThere = timestamp === undefined && store.traces.get(id) !== null;
  store.traces.save({ ...(isThere ? {} : { timestamp: timestamp ?? at }), ...defined(readableTexts(fields)), id });
}

/** With a time to start at, it may be new; without one, it is a change of what is there, or comes before it. */
function keepObservation(
  store: Store,
  body: IngestedObservation,
  kind: { readonly type: string; readonly startTime?: string },
): void {
  const { id = randomUUID(), traceId, usage, usageDetails, ...fields } = body;
  const before = store.traces.observation(id);
  const isNew = kind.startTime !== undefined;
  if (traceId === undefined && before === null && !isNew) {
    throw new Refusal(400, 'traceId: has to be there, since the observation is not here yet');
  }
  store.traces.saveObservation({
    ...(before === null || isNew ? { type: kind.type } : {}),
    ...(before === null && kind.startTime !== undefined ? { startTime: kind.startTime } : {}),
    ...(usage === undefined ? {} : legacyUsage(usage)),
    ...(usageDetails === undefined ? {} : { usageDetails: usageCounts(usageDetails) }),
    ...defined(readableTexts(fields)),
    id,
    traceId: traceId ?? before?.traceId ?? randomUUID(),
  });
}

type Counts = Record<string, number>;

/** The names under which providers count, and ours. */
const NAMES: Readonly<Record<string, string>> = {
  prompt_tokens: 'input',
  completion_tokens: 'output',
  total_tokens: 'total',
  input_tokens: 'input',
  output_tokens: 'output',
};
const DETAILS: Readonly<Record<string, string>> = {
  prompt_tokens_details: 'input',
  completion_tokens_details: 'output',
  input_tokens_details: 'input',
  output_tokens_details: 'output',
};

/** Counts by name; those within `…_details` stand beside the others, as `input_cached_tokens`. */
function usageCounts(details: IngestedUsageDetails): Counts {
  const isProviders = Object.keys(details).some((name) => name in NAMES);
  const entries = Object.entries(details).flatMap(([name, value]) => {
    if (typeof value === 'number') return [[isProviders ? (NAMES[name] ?? name) : name, value] as const];
    return Object.entries(value ?? {}).flatMap(([part, count]) =>
      typeof count === 'number' ? [[`${DETAILS[name] ?? name}_${part}`, count] as const] : [],
    );
  });
  return Object.fromEntries(entries);
}

/** What older SDKs send in one place: counts and costs. */
function legacyUsage(usage: IngestedUsage): { readonly usageDetails: Counts; readonly costDetails: Counts } {
  return {
    usageDetails: given({
      input: usage.input ?? usage.promptTokens,
      output: usage.output ?? usage.completionTokens,
      total: usage.total ?? usage.totalTokens,
    }),
    costDetails: given({ input: usage.inputCost, output: usage.outputCost, total: usage.totalCost }),
  };
}

function given(counts: Readonly<Record<string, number | undefined>>): Counts {
  return Object.fromEntries(
    Object.entries(counts).flatMap(([name, count]) => (count === undefined ? [] : [[name, count]])),
  );
}
