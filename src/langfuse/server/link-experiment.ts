import type { ExperimentLink } from '../../store/records.ts';
import type { Store } from '../../store/store.ts';

/**
 * Langfuse 4 knows an experiment by what its spans say, Langfuse 3 by runs and run items. Spans make both, so that both
 * show the same; an experiment without a dataset, or about an item that is not here, has no run.
 */
export function linkExperiment(
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
  // A run is of one dataset; an id that says otherwise is not followed.
  if (run.datasetId !== link.datasetId) return;
  store.runs.link({ runId: run.id, itemId: item.id, traceId: observation.traceId, observationId: observation.id });
}
