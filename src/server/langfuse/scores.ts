import { randomUUID } from 'node:crypto';

import type { z } from 'zod';

import { visible } from '../../data/visible.ts';
import { defined } from '../../experiment/defined.ts';
import { sendingTime } from '../../experiment/sending-time.ts';
import { SCORE_SOURCES, type scoreBody, scoresApi, type scoreV2, type scoreV3 } from '../../langfuse/shapes/scores.ts';
import type { ScoreSending } from '../../store/score-events.ts';
import type { ScoreRecord, TraceRecord } from '../../store/records.ts';
import type { Store } from '../../store/store.ts';
import { existing, Refusal } from '../refusal.ts';
import { type ApiRoute, apiRoute, PROJECT_ID } from './api-route.ts';
import { traceLookup } from './observations.ts';
import { groupFields, pageAnswer, scan } from './pages.ts';
import { metadataRecord } from './readable-values.ts';
import { fitScoreConfig } from './score-configs.ts';

type ScoreAnswer = z.input<typeof scoreV2>;
type ScoreV3Answer = z.input<typeof scoreV3>;
type QueryV3 = z.output<typeof scoresApi.listScoresV3.query>;

export function scoreRoutes(store: Store): ApiRoute[] {
  const scoreName = (id: string): string => `The score ${visible(id)}`;
  return [
    apiRoute(scoresApi.createScore, ({ body }) => ({
      id: saveScore(store, body, { id: randomUUID(), sentAt: sendingTime() }),
    })),
    apiRoute(scoresApi.deleteScore, ({ part }) => {
      existing(store.scores.delete(part('id')) || null, scoreName(part('id')));
      return { message: 'The score is deleted.' };
    }),
    apiRoute(scoresApi.listScoresV2, ({ query }) => {
      const unserved = (['filter', 'traceTags', 'queueId'] as const).find((name) => query[name] !== undefined);
      if (unserved !== undefined) throw new Refusal(400, `${unserved}: not part of this Langfuse-compatible subset`);
      const { page, limit, fields, ...wanted } = query;
      if (wanted.operator !== undefined && wanted.value === undefined) throw new Refusal(400, 'value: has to be there');
      const filter = {
        ...wanted,
        ids: wanted.scoreIds,
        traceIds: listOf(wanted.traceId),
        observationIds: wanted.observationId,
        sessionIds: listOf(wanted.sessionId),
        datasetRunIds: listOf(wanted.datasetRunId),
        names: listOf(wanted.name),
      };
      const traceOf = traceLookup(store);
      const withTrace = fields === undefined || fields.has('trace');
      return pageAnswer({ page, limit }, store.scores.list(filter, { page, limit }), (row) => ({
        ...scoreAnswer(row),
        ...(withTrace ? { trace: traceFacts(traceOf(row.traceId)) } : {}),
      }));
    }),
    apiRoute(scoresApi.getScoreV2, ({ part }) =>
      scoreAnswer(existing(store.scores.get(part('id')), scoreName(part('id')))),
    ),
    apiRoute(scoresApi.listScoresV3, ({ query }) => {
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
        query,
        to: query.toTimestamp,
        list: (page, toTimestamp) => store.scores.list({ ...filter, toTimestamp }, page),
        time: ({ timestamp }) => timestamp,
        isKept: furtherFilter(query),
      });
      const groups = query.fields ?? new Set();
      return { data: rows.map((row) => scoreV3Answer(row, groups)), meta: { limit: query.limit, ...meta } };
    }),
  ];
}

type SentScore = z.output<typeof scoreBody> & { readonly source?: string | undefined };

/** Keeps a score that was sent; the same id again changes it. Gives its id. */
export function saveScore(store: Store, sent: SentScore, event: ScoreSending): string {
  const { queueId: _, id = randomUUID(), value, name, ...fields } = fitScoreConfig(store, sent);
  const score = {
    source: 'API',
    environment: 'default',
    ...defined(fields),
    id,
    // A correction is always of the output.
    name: fields.dataType === 'CORRECTION' ? 'output' : name,
    // A truth value is sent as 0 or 1.
    value: fields.dataType === 'BOOLEAN' ? value === 1 : value,
  };
  store.scores.merge(score, event);
  return id;
}

/** A score as the second API has it: a category has a number too, which without a configuration is 0. */
export function scoreAnswer(record: ScoreRecord): ScoreAnswer {
  const { dataType, value, stringValue, ...fields } = record;
  const base = { ...fields, source: scoreSource(record), queueId: null };
  switch (dataType) {
    case 'NUMERIC':
      return { ...base, dataType, value: numberOf(record) };
    case 'BOOLEAN':
      return { ...base, dataType, value: numberOf(record), stringValue: value === 1 ? 'True' : 'False' };
    case 'CATEGORICAL':
    case 'CORRECTION':
      return { ...base, dataType, value: value ?? 0, stringValue: stringValue ?? '' };
    case 'TEXT':
      return { ...base, dataType, stringValue: stringValue ?? '' };
  }
}

export function scoreV3Answer(record: ScoreRecord, groups: ReadonlySet<string>): ScoreV3Answer {
  const { id, name, timestamp, environment, createdAt, updatedAt, dataType, stringValue } = record;
  const { comment, configId, metadata, authorUserId } = record;
  const core = { id, projectId: PROJECT_ID, name, source: scoreSource(record), timestamp, environment };
  const base = {
    ...core,
    createdAt,
    updatedAt,
    ...groupFields<Omit<ScoreV3Answer, 'dataType' | 'value'>>(groups, {
      details: () => ({ comment, configId, metadata: metadataRecord(metadata) }),
      annotation: () => ({ authorUserId, queueId: null }),
      subject: () => subjectOf(record),
    }),
  };
  switch (dataType) {
    case 'NUMERIC':
      return { ...base, dataType, value: numberOf(record) };
    case 'BOOLEAN':
      return { ...base, dataType, value: numberOf(record) === 1 };
    case 'CATEGORICAL':
    case 'TEXT':
    case 'CORRECTION':
      return { ...base, dataType, value: stringValue ?? '' };
  }
}

function traceFacts(trace: TraceRecord | null) {
  if (trace === null) return null;
  const { userId, tags, environment, sessionId } = trace;
  return { userId, tags: [...tags], environment, sessionId };
}

/** What a score is about; one whose subject is unknown has none. */
function subjectOf({ traceId, observationId, sessionId, datasetRunId }: ScoreRecord): Pick<ScoreV3Answer, 'subject'> {
  if (observationId !== null)
    return { subject: { kind: 'observation', id: observationId, ...(traceId === null ? {} : { traceId }) } };
  if (traceId !== null) return { subject: { kind: 'trace', id: traceId } };
  if (sessionId !== null) return { subject: { kind: 'session', id: sessionId } };
  return datasetRunId === null ? {} : { subject: { kind: 'experiment', id: datasetRunId } };
}

/** What the store cannot narrow its lists to. */
function furtherFilter(query: QueryV3): ((score: ScoreRecord) => boolean) | null {
  const { dataType, source, configId, queueId, authorUserId, value, valueMin, valueMax } = query;
  const isNeeded = [queueId, configId, authorUserId, value, valueMin, valueMax].some((one) => one !== undefined);
  if (!isNeeded && (dataType?.length ?? 1) === 1 && (source?.length ?? 1) === 1) return null;
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

function listOf(one: string | undefined): string[] | undefined {
  return one === undefined ? undefined : [one];
}

/** The source of a score; any other source that the store has is an interface, not a person. */
function scoreSource({ source }: ScoreRecord): (typeof SCORE_SOURCES)[number] {
  return SCORE_SOURCES.find((one) => one === source) ?? 'API';
}

/** The number of a score that has to have one: a missing one is never answered as 0. */
function numberOf({ id, dataType, value }: ScoreRecord): number {
  if (value === null) throw new Error(`the ${dataType} score ${id} has no number`);
  return value;
}
