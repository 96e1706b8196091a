// oxlint-disable typescript/no-deprecated -- what Langfuse 4 no longer has is all that Langfuse 3 has
import type { ScoreBody } from '@langfuse/core';
import { z } from 'zod';

import { isRecord } from '../../data/record-fields.ts';
import { shorten, visible } from '../../data/visible.ts';
import type { RunInfo, RunTrace, TraceSearch, TraceSummary } from '../../experiment/backend.ts';
import type { Correction } from '../../experiment/corrected-output.ts';
import type { DatasetRecord } from '../../store/records.ts';
import { fields, text } from '../shapes/values.ts';
import {
  anyAnswer,
  ingestionAnswer,
  maybeText,
  observationAnswer,
  runAnswer,
  runItemAnswer,
  scoreV2Answer,
  traceAnswer,
  traceIdAnswer,
} from './answers.ts';
import { type Connection, isPathPart } from './connection.ts';
import { allPages, numberedPage, PAGE_SIZE } from './pages.ts';

/** The part of the API that came before Langfuse 4: dataset runs, traces, scores by number of page. Null: it is not there. */

export interface TimeSpan {
  /** Inclusive. */
  readonly from: string;
  /** Exclusive. */
  readonly to: string;
}

/** One score on its way; its id distinguishes it from others of the same batch. */
export interface ScoreEvent {
  readonly id: string;
  readonly type: 'score-create';
  readonly timestamp: string;
  /** The types of the SDK lack the source, which the API takes. */
  readonly body: ScoreBody & { readonly source?: 'API' | 'ANNOTATION' };
}

const runMetadataAnswer = z.object({ metadata: z.unknown().optional() });

const traceSummaryPage = numberedPage(
  z
    .object({
      ...fields(text, 'id', 'timestamp'),
      ...fields(maybeText, 'name', 'userId', 'sessionId', 'environment'),
      tags: z.array(z.string()).nullish(),
    })
    .transform(({ timestamp, tags, ...rest }): TraceSummary => ({
      ...rest,
      time: timestamp,
      tags: tags ?? [],
      error: null,
    })),
);
const correctionPage = numberedPage(
  z
    .object({
      dataType: z.string(),
      timestamp: z.string(),
      stringValue: z.string().nullish(),
      observationId: maybeText,
    })
    .transform(({ dataType, stringValue, timestamp, observationId }): Correction | null =>
      dataType === 'CORRECTION' && typeof stringValue === 'string'
        ? { text: stringValue, observationId, time: timestamp }
        : null,
    ),
);
const runNamePage = numberedPage(z.object({ name: z.string() }));
const runTracePage = numberedPage(z.object({ datasetItemId: z.string(), traceId: z.string(), createdAt: z.string() }));
const runItemPage = numberedPage(runItemAnswer);
const tracePage = numberedPage(traceIdAnswer);
const scorePage = numberedPage(scoreV2Answer);

/** A dataset that is there has a list of runs, maybe an empty one, so that a 404 means that there are no lists of runs. */
export async function hasDatasetRuns({ api, calls }: Connection, datasetName: string): Promise<boolean> {
  const found = await calls.find('list runs', anyAnswer, (options) =>
    api.datasets.getRuns(datasetName, { limit: 1 }, options),
  );
  return found !== null;
}

export async function runIdOf({ api, calls }: Connection, { dataset, name }: RunInfo): Promise<string | null> {
  if (!isPathPart(name)) return null;
  const run = await calls.find('read the run', runAnswer, (options) =>
    api.datasets.getRun(dataset.name, name, options),
  );
  return run?.id ?? null;
}

/** The metadata of a run; null if none has that name. */
export async function olderRunMetadata(
  { api, calls }: Connection,
  dataset: DatasetRecord,
  name: string,
): Promise<Readonly<Record<string, unknown>> | null> {
  if (!isPathPart(name)) return null;
  const run = await calls.find('read the run', runMetadataAnswer, (options) =>
    api.datasets.getRun(dataset.name, name, options),
  );
  if (run === null) return null;
  return isRecord(run.metadata) ? run.metadata : {};
}

export interface RunItemInit {
  readonly datasetItemId: string;
  readonly traceId: string;
  readonly observationId: string;
}

export async function linkItem(
  { api, calls }: Connection,
  { name, description, metadata, datasetAt }: RunInfo,
  item: RunItemInit,
): Promise<z.output<typeof runItemAnswer>> {
  const request = {
    runName: name,
    ...(description === null ? {} : { runDescription: description }),
    metadata,
    ...item,
  };
  const what = `link a trace to the item ${visible(shorten(item.datasetItemId))}`;
  const link = datasetAt === undefined ? null : { ...request, datasetVersion: datasetAt };
  // The server puts the time of a version over the run's metadata, so it is named only for an item that is gone.
  const linked =
    link === null
      ? null
      : await calls.find(what, runItemAnswer, (options) => api.datasetRunItems.create(request, options));
  return linked ?? calls.make(what, runItemAnswer, (options) => api.datasetRunItems.create(link ?? request, options));
}

export async function listRunItems({ api, calls }: Connection, { dataset, name }: RunInfo) {
  return allPages((page) =>
    calls.find('read the items of the run', runItemPage, (options) =>
      api.datasetRunItems.list({ datasetId: dataset.id, runName: name, page, limit: PAGE_SIZE }, options),
    ),
  );
}

/** With the ids of their scores. */
export async function listTraces({ api, calls }: Connection, environment: string, { from, to }: TimeSpan) {
  const filter = { fromTimestamp: from, toTimestamp: to, environment };
  return allPages((page) =>
    calls.find('list traces', tracePage, (options) =>
      api.trace.list({ ...filter, fields: 'core,scores', page, limit: PAGE_SIZE }, options),
    ),
  );
}

export async function getTrace({ api, calls }: Connection, id: string) {
  return calls.find('read a trace', traceAnswer, (options) => api.trace.get(id, {}, options));
}

export async function getObservation({ api, calls }: Connection, id: string) {
  return calls.find('read an observation', observationAnswer, (options) => api.legacy.observationsV1.get(id, options));
}

/** The newest first. */
export async function olderTraces(
  { api, calls }: Connection,
  { name, userId, sessionId, environment, tags = [], from, to, limit }: TraceSearch,
): Promise<readonly TraceSummary[] | null> {
  const found: TraceSummary[] = [];
  for (let page = 1; found.length < limit; page += 1) {
    const request = {
      ...(name === undefined ? {} : { name }),
      ...(userId === undefined ? {} : { userId }),
      ...(sessionId === undefined ? {} : { sessionId }),
      ...(environment === undefined ? {} : { environment }),
      ...(tags.length === 0 ? {} : { tags: [...tags] }),
      ...(from === undefined ? {} : { fromTimestamp: from }),
      ...(to === undefined ? {} : { toTimestamp: to }),
      fields: 'core',
      orderBy: 'timestamp.desc',
      page,
      limit: Math.min(limit, PAGE_SIZE),
    };
    const listed = await calls.find('list traces', traceSummaryPage, (options) => api.trace.list(request, options));
    if (listed === null) return null;
    found.push(...listed.data);
    if (listed.data.length === 0 || page >= listed.meta.totalPages) break;
  }
  return found.slice(0, limit);
}

/** By the links of runs. What went wrong is not said there. */
export async function* olderRunTraces(
  { api, calls }: Connection,
  { id: datasetId, name: datasetName }: DatasetRecord,
  run: string | undefined,
): AsyncGenerator<RunTrace> {
  const runs =
    run === undefined
      ? await allPages((page) =>
          calls.find('list runs', runNamePage, (options) =>
            api.datasets.getRuns(datasetName, { page, limit: PAGE_SIZE }, options),
          ),
        )
      : [{ name: run }];
  for (const { name: runName } of runs ?? []) {
    const links = await allPages((page) =>
      calls.find('read the items of the run', runTracePage, (options) =>
        api.datasetRunItems.list({ datasetId, runName, page, limit: PAGE_SIZE }, options),
      ),
    );
    for (const { datasetItemId, traceId, createdAt } of links ?? [])
      yield { run: runName, item: datasetItemId, traceId, time: createdAt, error: null };
  }
}

/** Scores of the type CORRECTION on a trace and its observations. */
export async function olderCorrections({ api, calls }: Connection, traceId: string) {
  const found = await calls.find('read corrections', correctionPage, (options) =>
    api.scores.getMany({ traceId, dataType: 'CORRECTION', limit: PAGE_SIZE }, options),
  );
  return found?.data ?? null;
}

export async function listScores({ api, calls }: Connection, environment: string, { from, to }: TimeSpan) {
  const filter = { fromTimestamp: from, toTimestamp: to, environment };
  return allPages((page) =>
    calls.find('list scores', scorePage, (options) =>
      api.scores.getMany({ ...filter, fields: 'score', page, limit: PAGE_SIZE }, options),
    ),
  );
}

/** For scores it is alive in Langfuse 4 too: the SDK itself sends them there. */
export async function sendEvents({ api, calls }: Connection, batch: readonly ScoreEvent[]) {
  return calls.find('send scores', ingestionAnswer, (options) => api.ingestion.batch({ batch: [...batch] }, options));
}
