import type { z } from 'zod';

import { isRecord } from '../../data/record-fields.ts';
import { shorten, visible } from '../../data/visible.ts';
import { tracesApi, type observationShape } from '../../langfuse/shapes/traces.ts';
import { LEVELS } from '../../langfuse/shapes/values.ts';
import { unlessDamaged } from '../../store/cells.ts';
import type { ObservationRecord, TraceRecord } from '../../store/records.ts';
import type { Store } from '../../store/store.ts';
import { existing, Refusal } from '../refusal.ts';
import { type ApiRoute, apiRoute, PROJECT_ID } from './api-route.ts';
import { groupFields, pageAnswer, scan } from './pages.ts';
import { rawText } from './readable-values.ts';
import { type Columns, rowFilter } from './row-filter.ts';

const LONGEST_METADATA = 200;
const NO_PRICES = { modelId: null, inputPrice: null, outputPrice: null, totalPrice: null };

type ObservationAnswer = z.input<typeof observationShape>;
type ObservationV2Answer = z.input<typeof tracesApi.listObservationsV2.answer>['data'][number];
type QueryV2 = z.output<typeof tracesApi.listObservationsV2.query>;
type Row = ObservationRecord;
type TraceOf = (id: string | null) => TraceRecord | null;

export function observationRoutes(store: Store): ApiRoute[] {
  return [
    apiRoute(tracesApi.listObservations, ({ query: { page, limit, filter, ...wanted } }) => {
      if (filter !== undefined) throw new Refusal(400, 'filter: not part of this Langfuse-compatible subset');
      return pageAnswer({ page, limit }, store.traces.listObservations(wanted, { page, limit }), observationAnswer);
    }),
    apiRoute(tracesApi.getObservation, ({ part }) =>
      observationAnswer(existing(store.traces.observation(part('id')), `The observation ${visible(part('id'))}`)),
    ),
    apiRoute(tracesApi.listObservationsV2, ({ query }) => {
      const traceOf = traceLookup(store);
      const { userId, name, type, traceId, level, environment, version, fromStartTime } = query;
      // An empty one stands for none at all, which the store has no word for.
      const parentObservationId = query.parentObservationId === '' ? undefined : query.parentObservationId;
      const plain = { userId, name, type, traceId, level, environment, version, fromStartTime };
      const filter = { ...plain, parentObservationId };
      const { rows, meta } = scan({
        query,
        to: query.toStartTime,
        list: (page, toStartTime) => store.traces.listObservations({ ...filter, toStartTime }, page),
        time: ({ startTime }) => startTime,
        isKept: furtherFilter(query, traceOf),
      });
      const promptIdOf = promptLookup(store);
      return { data: rows.map((row) => observationV2Answer(row, query, traceOf, promptIdOf)), meta };
    }),
  ];
}

/** An observation as the first API has it. Prices of models are not known here. */
export function observationAnswer(record: Row): ObservationAnswer {
  const { experiment: _experiment, createdAt: _createdAt, updatedAt: _updatedAt, ...fields } = record;
  const usageDetails = usageOf(record);
  const costDetails = costOf(record);
  return {
    ...fields,
    usageDetails,
    costDetails,
    level: levelOf(record),
    usage: {
      input: usageDetails['input'] ?? 0,
      output: usageDetails['output'] ?? 0,
      total: usageDetails['total'] ?? 0,
      unit: usageDetails['total'] === undefined ? null : 'TOKENS',
    },
    promptId: null,
    ...NO_PRICES,
    calculatedInputCost: costDetails['input'] ?? null,
    calculatedOutputCost: costDetails['output'] ?? null,
    calculatedTotalCost: totalCost(record),
    latency: secondsBetween(record.startTime, record.endTime),
    timeToFirstToken: secondsBetween(record.startTime, record.completionStartTime),
  };
}

function furtherFilter(query: QueryV2, traceOf: TraceOf): ((row: Row) => boolean) | null {
  const { parentObservationId, sessionId, isRootObservation } = query;
  const filter = rowFilter(query.filter, columnsOf(traceOf));
  if (parentObservationId !== '' && sessionId === undefined && isRootObservation === undefined) return filter;
  return (row) =>
    (parentObservationId !== '' || isRoot(row)) &&
    (isRootObservation === undefined || isRoot(row) === isRootObservation) &&
    (sessionId === undefined || traceOf(row.traceId)?.sessionId === sessionId) &&
    (filter === null || filter(row));
}

/** Columns that a filter can name: fields of a row as they are, and what is worked out from it or its trace. */
const PLAIN_COLUMNS = [
  'id',
  'type',
  'name',
  'traceId',
  'startTime',
  'endTime',
  'environment',
  'level',
  'statusMessage',
  'version',
  'model',
  'promptName',
  'promptVersion',
  'metadata',
] as const;

function columnsOf(traceOf: TraceOf): Columns<Row> {
  return {
    ...Object.fromEntries(PLAIN_COLUMNS.map((name) => [name, (row: Row) => row[name]])),
    userId: (row) => traceOf(row.traceId)?.userId,
    sessionId: (row) => traceOf(row.traceId)?.sessionId,
    traceName: (row) => traceOf(row.traceId)?.name,
    tags: (row) => traceOf(row.traceId)?.tags,
    traceTags: (row) => traceOf(row.traceId)?.tags,
    isRootObservation: isRoot,
    latency: (row) => secondsBetween(row.startTime, row.endTime),
    inputTokens: (row) => row.usageDetails['input'],
    outputTokens: (row) => row.usageDetails['output'],
    totalTokens: (row) => usageOf(row)['total'],
    totalCost,
  };
}

/** Only the groups of fields that were asked for. */
function observationV2Answer(
  row: Row,
  query: QueryV2,
  traceOf: TraceOf,
  promptIdOf: (row: Row) => string | null,
): ObservationV2Answer {
  const { id, traceId, startTime, endTime, parentObservationId, type, name, statusMessage, version, environment } = row;
  const { completionStartTime, createdAt, updatedAt, model, modelParameters, promptName, promptVersion } = row;
  const trace = traceOf(traceId);
  const core = { id, traceId, startTime, endTime, projectId: PROJECT_ID, parentObservationId, type };
  const basic = { name, level: levelOf(row), statusMessage, version, environment, bookmarked: false };
  return {
    ...core,
    ...NO_PRICES,
    ...groupFields<ObservationV2Answer>(query.fields ?? new Set(['basic']), {
      basic: () => ({
        ...basic,
        public: trace?.public ?? false,
        userId: trace?.userId ?? null,
        sessionId: trace?.sessionId ?? null,
        isRootObservation: isRoot(row),
      }),
      time: () => ({ completionStartTime, createdAt, updatedAt }),
      io: () => ({ input: rawText(row.input), output: rawText(row.output) }),
      metadata: () => ({ metadata: shortMetadata(row.metadata, query.expandMetadata ?? []) }),
      model: () => ({ model, internalModelId: null, modelParameters }),
      usage: () => ({
        usageDetails: usageOf(row),
        costDetails: costOf(row),
        totalCost: totalCost(row),
        usagePricingTierName: null,
      }),
      prompt: () => ({ promptId: promptIdOf(row), promptName, promptVersion }),
      metrics: () => ({
        latency: secondsBetween(startTime, endTime),
        timeToFirstToken: secondsBetween(startTime, completionStartTime),
      }),
      trace_context: () => ({
        traceName: trace?.name ?? null,
        tags: [...(trace?.tags ?? [])],
        release: trace?.release ?? null,
      }),
    }),
  };
}

/** Long texts are cut unless their name was asked for in full. */
function shortMetadata(metadata: unknown, expanded: readonly string[]): unknown {
  if (!isRecord(metadata)) return metadata;
  const shown = Object.entries(metadata).map(([name, value]) =>
    typeof value === 'string' && !expanded.includes(name) ? [name, shorten(value, LONGEST_METADATA)] : [name, value],
  );
  return Object.fromEntries(shown);
}

function isRoot(row: Row): boolean {
  return row.parentObservationId === null;
}

export function levelOf({ level }: Row): (typeof LEVELS)[number] {
  return LEVELS.find((one) => one === level) ?? 'DEFAULT';
}

/** Null without an end. */
function secondsBetween(from: string, to: string | null): number | null {
  return to === null ? null : (Date.parse(to) - Date.parse(from)) / 1000;
}

type Counts = Readonly<Record<string, number>>;

/** As Langfuse counts tokens: a total that was not sent is the sum of the parts. */
function usageOf({ usageDetails }: Row): Counts {
  const parts = Object.values(usageDetails);
  if (parts.length === 0 || usageDetails['total'] !== undefined) return usageDetails;
  return { ...usageDetails, total: sumOf(parts) };
}

/** As Langfuse adds costs: a total that was not sent is that of input and output, and is absent with other parts. */
function costOf({ costDetails }: Row): Counts {
  const names = Object.keys(costDetails);
  const isSummed = names.length > 0 && names.every((name) => name === 'input' || name === 'output');
  return isSummed ? { ...costDetails, total: sumOf(Object.values(costDetails)) } : costDetails;
}

/** Null when it is not known. */
export function totalCost(record: Row): number | null {
  return costOf(record)['total'] ?? null;
}

function sumOf(numbers: readonly number[]): number {
  return numbers.reduce((sum, one) => sum + one, 0);
}

/** Traces by their id, each read once; many rows of one answer belong to the same. */
export function traceLookup(store: Store): TraceOf {
  return lookedUpOnce((id: string | null) => (id === null ? null : unlessDamaged(() => store.traces.get(id))), String);
}

/** The id of the prompt that a row names, if it is here. */
function promptLookup(store: Store): (row: Row) => string | null {
  return lookedUpOnce(
    ({ promptName: name, promptVersion: version }: Row) =>
      name === null || version === null
        ? null
        : (unlessDamaged(() => store.prompts.get(name, { version }))?.id ?? null),
    ({ promptName, promptVersion }) => JSON.stringify([promptName, promptVersion]),
  );
}

function lookedUpOnce<Wanted, Value>(
  look: (wanted: Wanted) => Value,
  keyOf: (wanted: Wanted) => string,
): (wanted: Wanted) => Value {
  const known = new Map<string, { readonly value: Value }>();
  return (wanted) => {
    const entry = known.get(keyOf(wanted)) ?? { value: look(wanted) };
    known.set(keyOf(wanted), entry);
    return entry.value;
  };
}
