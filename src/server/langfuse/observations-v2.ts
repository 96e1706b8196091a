import type { z } from 'zod';

import { isRecord } from '../../data/record-fields.ts';
import { shorten } from '../../data/visible.ts';
import { unlessDamaged } from '../../store/cells.ts';
import type { ObservationRecord, TraceRecord } from '../../store/records.ts';
import type { Store } from '../../store/store.ts';
import { listObservationsV2 } from '../../langfuse/shapes/observations-v2.ts';
import { rawText } from './flat-metadata.ts';
import { costOf, latencyOf, levelOf, timeToFirstToken, totalCost, usageOf } from './observation-facts.ts';
import { earlier, scan } from './pages.ts';
import { PROJECT_ID } from './project.ts';
import type { Serve } from './route.ts';
import { type Columns, rowFilter } from './row-filter.ts';
import { traceLookup } from './observation-facts.ts';

const LONGEST_METADATA = 200;

type Query = z.output<typeof listObservationsV2.query>;
type Answered = z.input<typeof listObservationsV2.answer>['data'][number];
type Row = ObservationRecord;
type TraceOf = (id: string | null) => TraceRecord | null;

export function serveObservationsV2(serve: Serve, store: Store): void {
  serve(listObservationsV2, ({ query }) => {
    const traceOf = traceLookup(store);
    const { parentObservationId } = query;
    const filter = {
      userId: query.userId,
      name: query.name,
      type: query.type,
      traceId: query.traceId,
      level: query.level,
      environment: query.environment,
      version: query.version,
      fromStartTime: query.fromStartTime,
      // An empty one stands for none at all, which the store has no word for.
      parentObservationId: parentObservationId === '' ? undefined : parentObservationId,
    };
    const { rows, meta } = scan({
      list: (page, until) =>
        store.traces.listObservations({ ...filter, toStartTime: earlier(query.toStartTime, until) }, page),
      time: ({ startTime }) => startTime,
      limit: query.limit,
      cursor: query.cursor,
      isKept: furtherFilter(query, traceOf),
    });
    const promptIdOf = promptLookup(store);
    return { data: rows.map((row) => answerOf(row, query, traceOf, promptIdOf)), meta };
  });
}

function furtherFilter(query: Query, traceOf: TraceOf): ((row: Row) => boolean) | null {
  const { parentObservationId, sessionId, isRootObservation } = query;
  const filter = rowFilter(query.filter, columnsOf(traceOf));
  if (parentObservationId !== '' && sessionId === undefined && isRootObservation === undefined) return filter;
  return (row) =>
    (parentObservationId !== '' || row.parentObservationId === null) &&
    (isRootObservation === undefined || isRoot(row) === isRootObservation) &&
    (sessionId === undefined || traceOf(row.traceId)?.sessionId === sessionId) &&
    (filter === null || filter(row));
}

function columnsOf(traceOf: TraceOf): Columns<Row> {
  return {
    id: (row) => row.id,
    type: (row) => row.type,
    name: (row) => row.name,
    traceId: (row) => row.traceId,
    startTime: (row) => row.startTime,
    endTime: (row) => row.endTime,
    environment: (row) => row.environment,
    level: (row) => row.level,
    statusMessage: (row) => row.statusMessage,
    version: (row) => row.version,
    userId: (row) => traceOf(row.traceId)?.userId,
    sessionId: (row) => traceOf(row.traceId)?.sessionId,
    traceName: (row) => traceOf(row.traceId)?.name,
    tags: (row) => traceOf(row.traceId)?.tags,
    traceTags: (row) => traceOf(row.traceId)?.tags,
    isRootObservation: isRoot,
    latency: latencyOf,
    inputTokens: (row) => row.usageDetails['input'],
    outputTokens: (row) => row.usageDetails['output'],
    totalTokens: (row) => usageOf(row)['total'],
    totalCost,
    model: (row) => row.model,
    promptName: (row) => row.promptName,
    promptVersion: (row) => row.promptVersion,
    metadata: (row) => row.metadata,
  };
}

function isRoot(row: Row): boolean {
  return row.parentObservationId === null;
}

/** Only the groups of fields that were asked for. */
function answerOf(row: Row, query: Query, traceOf: TraceOf, promptIdOf: (row: Row) => string | null): Answered {
  const groups = query.fields ?? new Set(['basic'] as const);
  const trace = traceOf(row.traceId);
  return {
    id: row.id,
    traceId: row.traceId,
    startTime: row.startTime,
    endTime: row.endTime,
    projectId: PROJECT_ID,
    parentObservationId: row.parentObservationId,
    type: row.type,
    modelId: null,
    inputPrice: null,
    outputPrice: null,
    totalPrice: null,
    ...(groups.has('basic') ? basicFields(row, trace) : {}),
    ...(groups.has('time')
      ? { completionStartTime: row.completionStartTime, createdAt: row.createdAt, updatedAt: row.updatedAt }
      : {}),
    ...(groups.has('io') ? { input: rawText(row.input), output: rawText(row.output) } : {}),
    ...(groups.has('metadata') ? { metadata: shortMetadata(row.metadata, query.expandMetadata ?? []) } : {}),
    ...(groups.has('model') ? { model: row.model, internalModelId: null, modelParameters: row.modelParameters } : {}),
    ...(groups.has('usage')
      ? {
          usageDetails: usageOf(row),
          costDetails: costOf(row),
          totalCost: totalCost(row),
          usagePricingTierName: null,
        }
      : {}),
    ...(groups.has('prompt')
      ? { promptId: promptIdOf(row), promptName: row.promptName, promptVersion: row.promptVersion }
      : {}),
    ...(groups.has('metrics') ? { latency: latencyOf(row), timeToFirstToken: timeToFirstToken(row) } : {}),
    ...(groups.has('trace_context')
      ? { traceName: trace?.name ?? null, tags: [...(trace?.tags ?? [])], release: trace?.release ?? null }
      : {}),
  };
}

/** The prompt that a row names, where it is here; each is looked up once. */
function promptLookup(store: Store): (row: Row) => string | null {
  const known = new Map<string, string | null>();
  return ({ promptName, promptVersion }) => {
    if (promptName === null || promptVersion === null) return null;
    const key = `${promptVersion} ${promptName}`;
    if (!known.has(key)) {
      const prompt = unlessDamaged(() => store.prompts.get(promptName, { version: promptVersion }));
      known.set(key, prompt?.id ?? null);
    }
    return known.get(key) ?? null;
  };
}

function basicFields(row: Row, trace: TraceRecord | null) {
  return {
    name: row.name,
    level: levelOf(row),
    statusMessage: row.statusMessage,
    version: row.version,
    environment: row.environment,
    bookmarked: false,
    public: trace?.public ?? false,
    userId: trace?.userId ?? null,
    sessionId: trace?.sessionId ?? null,
    isRootObservation: isRoot(row),
  };
}

/** Long texts are cut unless their name was asked for in full. */
function shortMetadata(metadata: unknown, expanded: readonly string[]): unknown {
  if (!isRecord(metadata)) return metadata;
  return Object.fromEntries(
    Object.entries(metadata).map(([name, value]) => [
      name,
      typeof value === 'string' && !expanded.includes(name) ? shorten(value, LONGEST_METADATA) : value,
    ]),
  );
}
