import type { z } from 'zod';

import { visible } from '../../data/visible.ts';
import type { ScoreRecord, TraceRecord } from '../../store/records.ts';
import type { Store } from '../../store/store.ts';
import { getScoreV2, listScoresV2, type score } from '../../langfuse/shapes/scores-v2.ts';
import { SCORE_SOURCES } from '../../langfuse/shapes/values.ts';
import { pageMeta } from './pages.ts';
import { notFound, Refusal } from '../refusal.ts';
import type { Serve } from './route.ts';
import { traceLookup } from './observation-facts.ts';

type ScoreAnswer = z.input<typeof score>;

export function serveScoresV2(serve: Serve, store: Store): void {
  serve(listScoresV2, ({ query }) => {
    const unserved = (['filter', 'traceTags', 'queueId'] as const).find((name) => query[name] !== undefined);
    if (unserved !== undefined) throw new Refusal(400, `${unserved}: not part of this Langfuse-compatible subset`);
    const { page, limit, fields, ...wanted } = query;
    if (wanted.operator !== undefined && wanted.value === undefined) throw new Refusal(400, 'value: has to be there');
    const { rows, total } = store.scores.list(
      {
        ...wanted,
        ids: wanted.scoreIds,
        traceIds: listOf(wanted.traceId),
        observationIds: wanted.observationId,
        sessionIds: listOf(wanted.sessionId),
        datasetRunIds: listOf(wanted.datasetRunId),
        names: listOf(wanted.name),
      },
      { page, limit },
    );
    const traceOf = traceLookup(store);
    const withTrace = fields === undefined || fields.has('trace');
    const data = rows.map((row) => ({
      ...scoreAnswer(row),
      ...(withTrace ? { trace: traceFacts(traceOf(row.traceId)) } : {}),
    }));
    return { data, meta: pageMeta({ page, limit }, total) };
  });
  serve(getScoreV2, ({ part }) => {
    const found = store.scores.get(part('id'));
    if (found === null) throw notFound(`The score ${visible(part('id'))}`);
    return scoreAnswer(found);
  });
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

function traceFacts(trace: TraceRecord | null) {
  if (trace === null) return null;
  const { userId, tags, environment, sessionId } = trace;
  return { userId, tags: [...tags], environment, sessionId };
}

function listOf(one: string | undefined): string[] | undefined {
  return one === undefined ? undefined : [one];
}

type ScoreSource = (typeof SCORE_SOURCES)[number];

/** Who gave a score; what the store was told otherwise came through an interface, not from a person. */
export function scoreSource({ source }: ScoreRecord): ScoreSource {
  return SCORE_SOURCES.find((one) => one === source) ?? 'API';
}

/** The number of a score that has to have one: a missing one is never answered as 0. */
export function numberOf({ id, dataType, value }: ScoreRecord): number {
  if (value === null) throw new Error(`the ${dataType} score ${id} has no number`);
  return value;
}
