import type { z } from 'zod';

import { isRecord } from '../../data/record-fields.ts';
import type { ScoreRecord } from '../../store/records.ts';
import type { Store } from '../../store/store.ts';
import { listScoresV3, type scoreV3 } from '../../langfuse/shapes/scores-v3.ts';
import { earlier, scan } from './pages.ts';
import { PROJECT_ID } from './project.ts';
import type { Serve } from './route.ts';
import { numberOf, scoreSource } from './scores-v2.ts';

export type ScoreV3Answer = z.input<typeof scoreV3>;
type Query = z.output<typeof listScoresV3.query>;
type Group = 'details' | 'subject' | 'annotation';

export function serveScoresV3(serve: Serve, store: Store): void {
  serve(listScoresV3, ({ query }) => {
    const filter = {
      ids: query.id,
      names: query.name,
      traceIds: query.traceId,
      observationIds: query.observationId,
      sessionIds: query.sessionId,
      datasetRunIds: query.experimentId,
      dataType: onlyOne(query.dataType),
      source: onlyOne(query.source),
      environment: query.environment,
      fromTimestamp: query.fromTimestamp,
    };
    const { rows, meta } = scan({
      list: (page, until) => store.scores.list({ ...filter, toTimestamp: earlier(query.toTimestamp, until) }, page),
      time: ({ timestamp }) => timestamp,
      limit: query.limit,
      cursor: query.cursor,
      isKept: furtherFilter(query),
    });
    const groups = query.fields ?? new Set<Group>();
    return { data: rows.map((row) => scoreV3Answer(row, groups)), meta: { limit: query.limit, ...meta } };
  });
}

export function scoreV3Answer(score: ScoreRecord, groups: ReadonlySet<Group>): ScoreV3Answer {
  const { id, name, timestamp, environment, createdAt, updatedAt } = score;
  const base = {
    id,
    projectId: PROJECT_ID,
    name,
    source: scoreSource(score),
    timestamp,
    environment,
    createdAt,
    updatedAt,
    ...(groups.has('details')
      ? { comment: score.comment, configId: score.configId, metadata: metadataRecord(score.metadata) ?? {} }
      : {}),
    ...(groups.has('annotation') ? { authorUserId: score.authorUserId, queueId: null } : {}),
    ...(groups.has('subject') ? subjectOf(score) : {}),
  };
  switch (score.dataType) {
    case 'NUMERIC':
      return { ...base, dataType: 'NUMERIC', value: numberOf(score) };
    case 'BOOLEAN':
      return { ...base, dataType: 'BOOLEAN', value: numberOf(score) === 1 };
    case 'CATEGORICAL':
      return { ...base, dataType: 'CATEGORICAL', value: score.stringValue ?? '' };
    case 'TEXT':
    case 'CORRECTION':
      return { ...base, dataType: score.dataType, value: score.stringValue ?? '' };
  }
}

/** What a score is about; what is left of one whose subject is unknown has none. */
function subjectOf({ traceId, observationId, sessionId, datasetRunId }: ScoreRecord): Pick<ScoreV3Answer, 'subject'> {
  if (observationId !== null) {
    return { subject: { kind: 'observation', id: observationId, ...(traceId === null ? {} : { traceId }) } };
  }
  if (traceId !== null) return { subject: { kind: 'trace', id: traceId } };
  if (sessionId !== null) return { subject: { kind: 'session', id: sessionId } };
  return datasetRunId === null ? {} : { subject: { kind: 'experiment', id: datasetRunId } };
}

/** What the store cannot narrow its lists to. */
function furtherFilter(query: Query): ((score: ScoreRecord) => boolean) | null {
  const { dataType, source, configId, queueId, authorUserId, value, valueMin, valueMax } = query;
  const needed = [queueId, configId, authorUserId, value, valueMin, valueMax].some((one) => one !== undefined);
  if (!needed && !hasSeveral(dataType) && !hasSeveral(source)) return null;
  return (score) =>
    isAmong(score.dataType, dataType) &&
    isAmong(scoreSource(score), source) &&
    isAmong(score.configId, configId) &&
    isAmong(null, queueId) &&
    isAmong(score.authorUserId, authorUserId) &&
    (valueMin === undefined || (score.value !== null && score.value >= valueMin)) &&
    (valueMax === undefined || (score.value !== null && score.value <= valueMax)) &&
    (value === undefined || value.some((one) => hasValue(score, one)));
}

function hasValue({ dataType, value, stringValue }: ScoreRecord, wanted: string): boolean {
  if (dataType === 'NUMERIC') return value === Number(wanted);
  return dataType === 'BOOLEAN' ? (value === 1) === (wanted === 'true') : stringValue === wanted;
}

function isAmong(value: string | null, wanted: readonly string[] | undefined): boolean {
  return wanted === undefined || (value !== null && wanted.includes(value));
}

function onlyOne<T>(list: readonly T[] | undefined): T | undefined {
  return list?.length === 1 ? list[0] : undefined;
}

function hasSeveral(list: readonly unknown[] | undefined): boolean {
  return list !== undefined && list.length !== 1;
}

/** Where Langfuse answers metadata as names with values, other metadata stands under one name. */
function metadataRecord(metadata: unknown): Record<string, unknown> | null {
  if (metadata === null || metadata === undefined) return null;
  return isRecord(metadata) ? { ...metadata } : { metadata };
}
