import { visible } from '../../data/visible.ts';
import type { ObservationRecord, TraceRecord } from '../../store/records.ts';
import type { Store } from '../../store/store.ts';
import { deleteTrace, deleteTraces, getTrace, listTraces } from '../../langfuse/shapes/traces.ts';
import { totalCost } from './observation-facts.ts';
import { observationAnswer } from './observations.ts';
import { pageMeta } from './pages.ts';
import { tracePath } from './project.ts';
import { notFound, Refusal } from '../refusal.ts';
import type { Serve } from './route.ts';
import { scoreAnswer } from './scores-v2.ts';

type Group = 'core' | 'io' | 'scores' | 'observations' | 'metrics';
type Groups = ReadonlySet<Group> | undefined;

/** What stands for figures that were not asked for. */
const NOT_ASKED = { latency: -1, totalCost: -1 };

export function serveTraces(serve: Serve, store: Store): void {
  serve(listTraces, ({ query }) => {
    const { page, limit, fields, orderBy, filter, ...wanted } = query;
    if (filter !== undefined) throw new Refusal(400, 'filter: not part of this Langfuse-compatible subset');
    if (orderBy !== undefined && orderBy !== 'timestamp.desc') {
      throw new Refusal(400, 'orderBy: only timestamp.desc is part of this Langfuse-compatible subset');
    }
    const { rows, total } = store.traces.list(wanted, { page, limit });
    const data = rows.map((trace) => {
      const observations = store.traces.observationsOf(trace.id);
      return {
        ...traceAnswer(trace, observations, fields),
        observations: isAsked(fields, 'observations') ? observations.map(({ id }) => id) : [],
        scores: isAsked(fields, 'scores') ? store.scores.ofTrace(trace.id).map(({ id }) => id) : [],
      };
    });
    return { data, meta: pageMeta({ page, limit }, total) };
  });
  serve(getTrace, ({ part, query: { fields } }) => {
    const trace = store.traces.get(part('id'));
    if (trace === null) throw notFound(`The trace ${visible(part('id'))}`);
    const observations = store.traces.observationsOf(trace.id);
    return {
      ...traceAnswer(trace, observations, fields),
      observations: isAsked(fields, 'observations') ? observations.map(observationAnswer) : [],
      scores: isAsked(fields, 'scores')
        ? store.scores.ofTrace(trace.id).map((score) => ({ ...scoreAnswer(score), traceId: trace.id }))
        : [],
    };
  });
  serve(deleteTrace, ({ part }) => {
    if (!store.traces.delete(part('id'))) throw notFound(`The trace ${visible(part('id'))}`);
    return { message: 'The trace is deleted.' };
  });
  serve(deleteTraces, ({ body }) => {
    const gone = store.transaction(() => body.traceIds.filter((id) => store.traces.delete(id)).length);
    return { message: `${gone} of ${body.traceIds.length} traces were here and are deleted.` };
  });
}

function traceAnswer(trace: TraceRecord, observations: readonly ObservationRecord[], fields: Groups) {
  const { createdAt: _created, updatedAt: _updated, input, output, metadata, ...core } = trace;
  return {
    ...core,
    tags: [...trace.tags],
    htmlPath: tracePath(trace.id),
    ...(isAsked(fields, 'io') ? { input, output, metadata } : {}),
    ...(isAsked(fields, 'metrics') ? figuresOf(observations) : NOT_ASKED),
  };
}

/** From the first start to the last end, and what was paid; null where nothing tells. */
function figuresOf(observations: readonly ObservationRecord[]) {
  const starts = observations.map(({ startTime }) => Date.parse(startTime));
  const ends = observations.flatMap(({ endTime }) => (endTime === null ? [] : [Date.parse(endTime)]));
  const costs = observations.map(totalCost).filter((cost) => cost !== null);
  return {
    latency: ends.length === 0 ? null : (most(ends) - least(starts)) / 1000,
    totalCost: costs.length === 0 ? null : costs.reduce((sum, cost) => sum + cost, 0),
  };
}

function most(numbers: readonly number[]): number {
  return numbers.reduce((a, b) => Math.max(a, b));
}

function least(numbers: readonly number[]): number {
  return numbers.reduce((a, b) => Math.min(a, b));
}

function isAsked(fields: Groups, group: Group): boolean {
  return fields === undefined || fields.has(group);
}
