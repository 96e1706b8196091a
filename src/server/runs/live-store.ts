import { unlessDamaged } from '../../store/cells.ts';
import type { Store } from '../../store/store.ts';
import type { LiveExperiment, LiveReview } from './live-data.ts';

const MOST_STORED = 200;

/** What a store has to show. */
export interface LiveStored {
  readonly experiments: readonly LiveExperiment[];
  readonly reviews: readonly LiveReview[];
}

/** Experiments and reviews as lists show them. The answers of reviewers are for `assay review serve` only. */
export function storedParts(store: Store): LiveStored {
  const { rows } = store.runs.experiments({}, { page: 1, limit: MOST_STORED });
  const experiments = rows.map(({ name, items, startTime, endTime, datasetId }): LiveExperiment => ({
    path: null,
    name,
    dataset: datasetId === null ? null : (unlessDamaged(() => store.datasets.byId(datasetId))?.name ?? null),
    state: 'stored',
    done: items,
    failed: 0,
    total: null,
    runs: [],
    changed: Date.parse(endTime ?? startTime) || null,
    scores: [],
  }));
  const reviews = store.reviews.list().map(({ id, name, task }): LiveReview => {
    const states = store.reviews.states(id);
    return {
      name,
      task,
      items: store.reviews.items(id).length,
      people: store.reviews.people(id).length,
      assigned: store.reviews.assignments(id).length,
      begun: states.filter(({ committed, cells }) => !committed && cells.some(({ value }) => value !== null)).length,
      finished: states.filter(({ committed }) => committed).length,
      decided: store.reviews.decisions(id).length,
    };
  });
  return { experiments, reviews };
}
