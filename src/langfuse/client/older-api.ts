// oxlint-disable typescript/no-deprecated -- what Langfuse 4 no longer has is all that Langfuse 3 has
import type { ScoreBody } from '@langfuse/core';
import { z } from 'zod';

import { isRecord } from '../../data/record-fields.ts';
import { shorten, visible } from '../../data/visible.ts';
import type { RunInfo, RunTrace, TraceSearch, TraceSummary } from '../../experiment/backend.ts';
import type { Correction } from '../../experiment/corrected-output.ts';
import { defined } from '../../experiment/defined.ts';
import type { DatasetRecord } from '../../store/records.ts';
import { fields, anyText } from '../shapes/values.ts';
import { jsonOrNull, textOrNull, fetchedObservation } from './answers.ts';
import type { CallOptions } from './calls.ts';
import { type Connection, isPathPart } from './connection.ts';
import { allPages, numberedPage, PAGE_SIZE } from './pages.ts';

/** The part of the API that came before Langfuse 4: dataset runs, traces, scores by number of page. Null: it is not there. */

/** From the first time on, before the second. */
export type TimeSpan = Readonly<Record<'from' | 'to', string>>;

/** One score on its way; its id distinguishes it from others of the same batch. */
export interface ScoreEvent {
  readonly id: string;
  readonly type: 'score-create';
  readonly timestamp: string;
  /** The types of the SDK lack the source, which the API takes. */
  readonly body: ScoreBody & { readonly source?: 'API' | 'ANNOTATION' };
}

const ingestionAnswer = z.object({
  successes: z.array(z.object({ id: anyText })),
  errors: z.array(z.object({ id: anyText, status: z.int(), message: textOrNull, error: z.unknown().optional() })),
});
const linkAnswer = z.object(fields(anyText, 'datasetRunId', 'traceId'));
const runLink = z.object(fields(anyText, 'datasetItemId', 'traceId', 'createdAt'));
const traceAnswer = z.object({
  id: anyText,
  ...fields(textOrNull, 'name', 'environment'),
  ...fields(jsonOrNull, 'input', 'output', 'metadata'),
  observations: z.array(z.object({ id: anyText, parentObservationId: textOrNull })).nullish(),
});
const traceRow = z
  .object({
    ...fields(anyText, 'id', 'timestamp'),
    ...fields(textOrNull, 'name', 'userId', 'sessionId', 'environment'),
    tags: z.array(z.string()).nullish(),
  })
  .transform(({ timestamp, tags, ...rest }): TraceSummary => ({
    ...rest,
    time: timestamp,
    tags: tags ?? [],
    error: null,
  }));
const correctionRow = z
  .object({ ...fields(anyText, 'dataType', 'timestamp'), stringValue: anyText.nullish(), observationId: textOrNull })
  .transform(({ dataType, stringValue, timestamp, observationId }): Correction | null =>
    dataType === 'CORRECTION' && typeof stringValue === 'string'
      ? { text: stringValue, observationId, time: timestamp }
      : null,
  );

/** A dataset that is there has a list of runs, maybe an empty one, so that a 404 means that there are no lists of runs. */
export async function hasDatasetRuns({ api, calls }: Connection, datasetName: string): Promise<boolean> {
  const found = await calls.find('list runs', z.unknown(), (options) =>
    api.datasets.getRuns(datasetName, { limit: 1 }, options),
  );
  return found !== null;
}

export async function runIdOf(connection: Connection, { dataset, name }: RunInfo): Promise<string | null> {
  return (await runOf(connection, dataset, name, z.object({ id: anyText })))?.id ?? null;
}

/** The metadata of a run; null if none has that name. */
export async function olderRunMetadata(connection: Connection, dataset: DatasetRecord, name: string) {
  const run = await runOf(connection, dataset, name, z.object({ metadata: z.unknown() }));
  if (run === null) return null;
  return isRecord(run.metadata) ? run.metadata : {};
}

async function runOf<T>({ api, calls }: Connection, dataset: DatasetRecord, name: string, answer: z.ZodType<T>) {
  if (!isPathPart(name)) return null;
  return calls.find('read the run', answer, (options) => api.datasets.getRun(dataset.name, name, options));
}

export async function linkItem(
  { api, calls }: Connection,
  { name, description, metadata, datasetAt }: RunInfo,
  item: Readonly<Record<'datasetItemId' | 'traceId' | 'observationId', string>>,
): Promise<z.output<typeof linkAnswer>> {
  const request = { runName: name, ...defined({ runDescription: description ?? undefined }), metadata, ...item };
  const what = `link a trace to the item ${visible(shorten(item.datasetItemId))}`;
  const create = (version: { readonly datasetVersion?: string }) => (options: CallOptions) =>
    api.datasetRunItems.create({ ...request, ...version }, options);
  // The server puts the time of a version over the run's metadata, so it is named only for an item that is gone.
  const linked = datasetAt === undefined ? null : await calls.find(what, linkAnswer, create({}));
  return linked ?? calls.make(what, linkAnswer, create(defined({ datasetVersion: datasetAt })));
}

export async function olderRunLinks(connection: Connection, { dataset, name }: RunInfo) {
  return runItems(connection, linkAnswer, dataset.id, name);
}

async function runItems<T>(connection: Connection, row: z.ZodType<T>, datasetId: string, runName: string) {
  return allPages(connection, 'read the items of the run', row, (page, options) =>
    connection.api.datasetRunItems.list({ datasetId, runName, ...page }, options),
  );
}

/** With the ids of their scores. */
export async function olderTraceScores(connection: Connection, environment: string, { from, to }: TimeSpan) {
  const filter = { fromTimestamp: from, toTimestamp: to, environment, fields: 'core,scores' };
  const row = z.object({ id: anyText, scores: z.array(anyText).nullish() });
  return allPages(connection, 'list traces', row, (page, options) =>
    connection.api.trace.list({ ...filter, ...page }, options),
  );
}

export async function olderTrace({ api, calls }: Connection, id: string) {
  return calls.find('read a trace', traceAnswer, (options) => api.trace.get(id, {}, options));
}

export async function olderObservation({ api, calls }: Connection, id: string) {
  return calls.find('read an observation', fetchedObservation, (options) => api.legacy.observationsV1.get(id, options));
}

/** The newest first. */
export async function olderTraces(
  { api, calls }: Connection,
  { name, userId, sessionId, environment, tags = [], from, to, limit }: TraceSearch,
): Promise<readonly TraceSummary[] | null> {
  const request = {
    ...defined({ name, userId, sessionId, environment, fromTimestamp: from, toTimestamp: to }),
    ...(tags.length === 0 ? {} : { tags: [...tags] }),
    fields: 'core',
    orderBy: 'timestamp.desc',
    limit: Math.min(limit, PAGE_SIZE),
  };
  const found: TraceSummary[] = [];
  for (let page = 1; found.length < limit; page += 1) {
    const traces = await calls.find('list traces', numberedPage(traceRow), (options) =>
      api.trace.list({ ...request, page }, options),
    );
    if (traces === null) return null;
    found.push(...traces.data);
    if (traces.data.length === 0 || page >= traces.meta.totalPages) break;
  }
  return found.slice(0, limit);
}

/** By the links of runs, which do not record what went wrong. */
export async function* olderRunTraces(
  connection: Connection,
  dataset: DatasetRecord,
  run: string | undefined,
): AsyncGenerator<RunTrace> {
  const runs =
    run === undefined
      ? await allPages(connection, 'list runs', z.object({ name: anyText }), (page, options) =>
          connection.api.datasets.getRuns(dataset.name, page, options),
        )
      : [{ name: run }];
  for (const { name } of runs ?? [])
    for (const link of (await runItems(connection, runLink, dataset.id, name)) ?? [])
      yield { run: name, item: link.datasetItemId, traceId: link.traceId, time: link.createdAt, error: null };
}

/** Scores of the type CORRECTION on a trace and its observations. */
export async function olderCorrections({ api, calls }: Connection, traceId: string) {
  const found = await calls.find('read corrections', numberedPage(correctionRow), (options) =>
    api.scores.getMany({ traceId, dataType: 'CORRECTION', limit: PAGE_SIZE }, options),
  );
  return found?.data ?? null;
}

/** Scores that were first sent from that time on: a score has the time of its first sending. */
export async function olderScores(connection: Connection, environment: string, from: string) {
  const filter = { fromTimestamp: from, environment, fields: 'score' };
  const row = z.object({ ...fields(anyText, 'id', 'name'), traceId: textOrNull, value: z.unknown() });
  return allPages(connection, 'list scores', row, (page, options) =>
    connection.api.scores.getMany({ ...filter, ...page }, options),
  );
}

/** For scores it is alive in Langfuse 4 too: the SDK itself sends them there. */
export async function sendEvents({ api, calls }: Connection, batch: readonly ScoreEvent[]) {
  return calls.find('send scores', ingestionAnswer, (options) => api.ingestion.batch({ batch: [...batch] }, options));
}
