import { unlessDamaged } from '../../store/cells.ts';
import type { Store } from '../../store/store.ts';
import type { LiveExperiment, LiveReview } from './live-data.ts';
import { liveReviews } from './live-review.ts';

const MOST_STORED = 200;
/** A look that took a tenth of a second is followed by none for a second: only a small part of the time goes into it. */
const TIMES_ITS_COST = 10;

/** What a store has to show. */
export interface LiveStored {
  readonly experiments: readonly LiveExperiment[];
  readonly reviews: readonly LiveReview[];
}

/** Experiments and reviews of a store. A large store takes its time, and whoever writes to it comes first. */
export class LiveStore {
  readonly #store: Store;
  #last: { readonly stored: LiveStored; readonly until: number } | null = null;

  constructor(store: Store) {
    this.#store = store;
  }

  look(): LiveStored {
    const began = performance.now();
    if (this.#last !== null && began < this.#last.until) return this.#last.stored;
    const stored = { experiments: storedExperiments(this.#store), reviews: liveReviews(this.#store) };
    const ended = performance.now();
    this.#last = { stored, until: ended + TIMES_ITS_COST * (ended - began) };
    return stored;
  }
}

function storedExperiments(store: Store): LiveExperiment[] {
  const { rows } = store.runs.experiments({}, { page: 1, limit: MOST_STORED });
  return rows.map(({ name, items, startTime, endTime, datasetId }) => ({
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
}
