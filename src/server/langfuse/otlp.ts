import type { z } from 'zod';

import type { ExperimentLink } from '../../store/records.ts';
import type { Store } from '../../store/store.ts';
import { exportEnvelope, ingestionApi, otlpSpanShape } from '../../langfuse/shapes/ingestion.ts';
import { otlpProtobuf } from './otlp-protobuf.ts';
import { type ReadSpan, readSpan, SpanAttributes, spanProblem } from './otlp-span.ts';
import { Refusal } from '../refusal.ts';
import { problemsOf } from '../request-body.ts';
import { type ApiRoute, apiRoute } from './api-route.ts';

const ENVIRONMENT_NAMES = ['langfuse.environment', 'deployment.environment.name', 'deployment.environment'];

/** Spans of OpenTelemetry. A bad one is answered as rejected, and the others are kept; if all are bad the request is. */
export function otlpRoutes(store: Store): ApiRoute[] {
  const endpoint = { ...ingestionApi.exportTraces, request: exportEnvelope };
  return [apiRoute(endpoint, ({ body }) => keepExport(store, body), otlpProtobuf)];
}

function keepExport(
  store: Store,
  body: z.output<typeof exportEnvelope>,
): z.input<typeof ingestionApi.exportTraces.answer> {
  const spans: ReadSpan[] = [];
  const problems: string[] = [];
  for (const { resource, scopeSpans } of body.resourceSpans) {
    const environment = new SpanAttributes(resource?.attributes).text(...ENVIRONMENT_NAMES);
    for (const span of (scopeSpans ?? []).flatMap((scope) => scope.spans ?? [])) {
      const result = otlpSpanShape.safeParse(span);
      const attributes = new SpanAttributes(result.data?.attributes);
      const problem = result.success ? spanProblem(attributes) : problemsOf(otlpSpanShape, span, result.error);
      if (problem !== null) problems.push(problem);
      else if (result.success) spans.push(readSpan(result.data, attributes, environment));
    }
  }
  // With nothing to keep it is not a partial success.
  if (spans.length === 0 && problems.length > 0) throw new Refusal(400, problems[0]!);
  store.transaction(() => keepSpans(store, spans));
  if (problems.length === 0) return {};
  return { partialSuccess: { rejectedSpans: problems.length, errorMessage: problems[0]! } };
}

function keepSpans(store: Store, spans: readonly ReadSpan[]): void {
  for (const [id, ofTrace] of Map.groupBy(spans, ({ observation }) => observation.traceId)) {
    keepTrace(store, id, ofTrace);
    for (const { observation } of ofTrace) store.traces.saveObservation(observation);
  }
  for (const { observation } of spans) {
    if (observation.experiment != null) linkExperiment(store, observation, observation.experiment);
  }
}

/** Spans of one trace come in any order and in several exports: the root has the last word. */
function keepTrace(store: Store, id: string, spans: readonly ReadSpan[]): void {
  const rootLast = spans.toSorted((a, b) => Number(a.isRoot) - Number(b.isRoot));
  const trace: ReadSpan['trace'] = {};
  for (const span of rootLast) Object.assign(trace, span.trace);
  const hasRoot = spans.some(({ isRoot }) => isRoot);
  if (!hasRoot && Object.keys(trace).length === 0 && store.traces.get(id) !== null) return;
  const started = spans.map(({ observation }) => observation.startTime).sort();
  const isNew = !hasRoot && store.traces.get(id) === null;
  store.traces.save({ ...(isNew ? { timestamp: started[0]! } : {}), ...trace, id });
}

/**
 * Langfuse 4 knows an experiment by attributes of its spans, Langfuse 3 by runs and run items. Spans make both, so that both
 * show the same; an experiment without a dataset, or about an item that is not here, has no run.
 */
function linkExperiment(
  store: Store,
  observation: { readonly id: string; readonly traceId: string },
  link: ExperimentLink,
): void {
  if (link.datasetId === null || link.rootObservationId !== observation.id) return;
  const item = store.datasets.item(link.itemId);
  if (item === null || item.datasetId !== link.datasetId) return;
  const run =
    store.runs.byId(link.experimentId) ??
    store.runs.get(item.datasetName, link.experimentName) ??
    store.runs.save({
      id: link.experimentId,
      datasetName: item.datasetName,
      name: link.experimentName,
      description: link.experimentDescription,
      metadata: link.experimentMetadata,
    });
  // A run is of one dataset; an id that contradicts that is not followed.
  if (run.datasetId !== link.datasetId) return;
  store.runs.link({ runId: run.id, itemId: item.id, traceId: observation.traceId, observationId: observation.id });
}
