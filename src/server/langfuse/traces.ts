import { visible } from '../../data/visible.ts';
import { tracesApi } from '../../langfuse/shapes/traces.ts';
import type { ObservationRecord, TraceRecord } from '../../store/records.ts';
import type { Store } from '../../store/store.ts';
import { existing, Refusal } from '../refusal.ts';
import { type ApiRoute, apiRoute, PROJECT_ID } from './api-route.ts';
import { observationAnswer, totalCost } from './observations.ts';
import { pageAnswer } from './pages.ts';
import { scoreAnswer } from './scores.ts';

type Group = 'core' | 'io' | 'scores' | 'observations' | 'metrics';
type Groups = ReadonlySet<Group> | undefined;

/** What stands for figures that were not asked for. */
const NOT_ASKED = { latency: -1, totalCost: -1 };

export function traceRoutes(store: Store): ApiRoute[] {
  const traceName = (id: string): string => `The trace ${visible(id)}`;
  return [
    apiRoute(tracesApi.listTraces, ({ query: { page, limit, fields, orderBy, filter, ...wanted } }) => {
      if (filter !== undefined) throw new Refusal(400, 'filter: not part of this Langfuse-compatible subset');
      if (orderBy !== undefined && orderBy !== 'timestamp.desc')
        throw new Refusal(400, 'orderBy: only timestamp.desc is part of this Langfuse-compatible subset');
      return pageAnswer({ page, limit }, store.traces.list(wanted, { page, limit }), (trace) => {
        const observations = store.traces.observationsOf(trace.id);
        return {
          ...traceAnswer(trace, observations, fields),
          observations: isAsked(fields, 'observations') ? observations.map(({ id }) => id) : [],
          scores: isAsked(fields, 'scores') ? store.scores.ofTrace(trace.id).map(({ id }) => id) : [],
        };
      });
    }),
    apiRoute(tracesApi.getTrace, ({ part, query: { fields } }) => {
      const trace = existing(store.traces.get(part('id')), traceName(part('id')));
      const observations = store.traces.observationsOf(trace.id);
      const scores = isAsked(fields, 'scores') ? store.scores.ofTrace(trace.id) : [];
      return {
        ...traceAnswer(trace, observations, fields),
        observations: isAsked(fields, 'observations') ? observations.map(observationAnswer) : [],
        scores: scores.map((score) => ({ ...scoreAnswer(score), traceId: trace.id })),
      };
    }),
    apiRoute(tracesApi.deleteTrace, ({ part }) => {
      existing(store.traces.delete(part('id')) || null, traceName(part('id')));
      return { message: 'The trace is deleted.' };
    }),
    apiRoute(tracesApi.deleteTraces, ({ body: { traceIds } }) => {
      const gone = store.transaction(() => traceIds.filter((id) => store.traces.delete(id)).length);
      return { message: `${gone} of ${traceIds.length} traces were here and are deleted.` };
    }),
  ];
}

function traceAnswer(trace: TraceRecord, observations: readonly ObservationRecord[], fields: Groups) {
  const { createdAt: _created, updatedAt: _updated, input, output, metadata, ...core } = trace;
  return {
    ...core,
    tags: [...trace.tags],
    // Where a screen of the trace would be.
    htmlPath: `/project/${PROJECT_ID}/traces/${encodeURIComponent(trace.id)}`,
    ...(isAsked(fields, 'io') ? { input, output, metadata } : {}),
    ...(isAsked(fields, 'metrics') ? figuresOf(observations) : NOT_ASKED),
  };
}

/** From the first start to the last end, and what was paid; null when it is not known. */
function figuresOf(observations: readonly ObservationRecord[]) {
  const starts = observations.map(({ startTime }) => Date.parse(startTime));
  const ends = observations.flatMap(({ endTime }) => (endTime === null ? [] : [Date.parse(endTime)]));
  const costs = observations.map(totalCost).filter((cost) => cost !== null);
  const last = ends.reduce((a, b) => Math.max(a, b), -Infinity);
  const first = starts.reduce((a, b) => Math.min(a, b), Infinity);
  return {
    latency: ends.length === 0 ? null : (last - first) / 1000,
    totalCost: costs.length === 0 ? null : costs.reduce((sum, cost) => sum + cost, 0),
  };
}

function isAsked(fields: Groups, group: Group): boolean {
  return fields === undefined || fields.has(group);
}
