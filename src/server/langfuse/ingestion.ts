import { randomUUID } from 'node:crypto';

import { isRecord } from '../../data/record-fields.ts';
import { visible } from '../../data/visible.ts';
import { defined } from '../../experiment/defined.ts';
import { DamagedCell } from '../../store/cells.ts';
import { StoreConflict } from '../../store/store-conflict.ts';
import type { Store } from '../../store/store.ts';
import type { ServedGeneration } from '../../langfuse/shapes/endpoint.ts';
import {
  ingestionApi,
  ingestionEnvelope,
  ingestionEvent,
  type IngestedObservation,
  type IngestedTrace,
  type IngestedUsage,
  type IngestedUsageDetails,
  type IngestionEvent,
} from '../../langfuse/shapes/ingestion.ts';
import { readableTexts } from './readable-values.ts';
import { Refusal } from '../refusal.ts';
import { parsedBody } from '../request-body.ts';
import { type ApiRoute, apiRoute } from './api-route.ts';
import { saveScore } from './scores.ts';

/** Every event by itself: an error is answered for a bad one, and the others are kept. */
export function ingestionRoutes(store: Store, generation: ServedGeneration): ApiRoute[] {
  const batch = apiRoute({ ...ingestionApi.ingest, request: ingestionEnvelope }, ({ body }) => {
    const successes: { id: string; status: number }[] = [];
    const errors: { id: string; status: number; message: string; error: string }[] = [];
    store.transaction(() => {
      for (const event of body.batch) {
        try {
          if (generation === 4) refuseSpans(event);
          const checked = parsedBody(ingestionEvent, event, 'event');
          store.transaction(() => keep(store, checked));
          successes.push({ id: checked.id, status: 201 });
        } catch (error) {
          // What is there already may be damaged: that is no reason to lose the rest.
          const isKnown = error instanceof Refusal || error instanceof StoreConflict || error instanceof DamagedCell;
          if (!isKnown) throw error;
          const id = fieldOf(event, 'id');
          const status = error instanceof Refusal ? error.status : 409;
          const { message } = error;
          errors.push({ id: typeof id === 'string' ? id : 'unknown', status, message, error: message });
        }
      }
    });
    return { successes, errors };
  });
  return [batch];
}

function fieldOf(event: unknown, name: string): unknown {
  return isRecord(event) ? event[name] : undefined;
}

/** Langfuse 4 takes traces and observations as spans of OpenTelemetry only. */
function refuseSpans(event: unknown): void {
  const type = fieldOf(event, 'type');
  if (type === 'score-create' || type === 'sdk-log') return;
  throw new Refusal(
    400,
    `Langfuse 4 takes only scores and logs here, and this server is set to be like it: send ${typeof type === 'string' ? visible(type) : 'traces and observations'} as spans to ${ingestionApi.exportTraces.path}.`,
  );
}

function keep(store: Store, { id, type, body, timestamp }: IngestionEvent): void {
  if (type === 'sdk-log') return;
  if (type === 'trace-create') return keepTrace(store, body, timestamp);
  if (type === 'score-create') return void saveScore(store, body, { id, sentAt: timestamp });
  const kind = 'type' in body ? body.type : type.split('-')[0]!.toUpperCase();
  keepObservation(store, body, kind, type.endsWith('-create') ? timestamp : undefined);
}

function keepTrace(store: Store, body: IngestedTrace, at: string): void {
  const { id = randomUUID(), timestamp, ...fields } = body;
  const isThere = timestamp === undefined && store.traces.get(id) !== null;
  store.traces.save({ ...(isThere ? {} : { timestamp: timestamp ?? at }), ...defined(readableTexts(fields)), id });
}

/** With a time to start at, it may be new; without one, it is a change of what is there, or comes before it. */
function keepObservation(store: Store, body: IngestedObservation, type: string, startTime: string | undefined): void {
  const { id = randomUUID(), traceId, usage, usageDetails, ...fields } = body;
  const before = store.traces.observation(id);
  if (traceId === undefined && before === null && startTime === undefined)
    throw new Refusal(400, 'traceId: has to be there, since the observation is not here yet');
  store.traces.saveObservation({
    ...(before === null || startTime !== undefined ? { type } : {}),
    ...(before === null && startTime !== undefined ? { startTime } : {}),
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
const DETAILS = new Map(
  ['prompt', 'completion', 'input', 'output'].map((kind) => [`${kind}_tokens_details`, NAMES[`${kind}_tokens`]!]),
);

/** Counts by name; those within `…_details` become separate counts, as `input_cached_tokens`. */
function usageCounts(details: IngestedUsageDetails): Counts {
  const isProviders = Object.keys(details).some((name) => name in NAMES);
  const entries = Object.entries(details).flatMap(([name, value]) => {
    if (typeof value === 'number') return [[isProviders ? (NAMES[name] ?? name) : name, value] as const];
    return Object.entries(value ?? {}).flatMap(([part, count]) =>
      typeof count === 'number' ? [[`${DETAILS.get(name) ?? name}_${part}`, count] as const] : [],
    );
  });
  return Object.fromEntries(entries);
}

/** What older SDKs send in one place: counts and costs. */
function legacyUsage(usage: IngestedUsage): { readonly usageDetails: Counts; readonly costDetails: Counts } {
  return {
    usageDetails: defined({
      input: usage.input ?? usage.promptTokens,
      output: usage.output ?? usage.completionTokens,
      total: usage.total ?? usage.totalTokens,
    }),
    costDetails: defined({ input: usage.inputCost, output: usage.outputCost, total: usage.totalCost }),
  };
}
