import type { Store } from '../../store/store.ts';
import type { LiveReview } from './live-data.ts';

/** Reviews as lists show them. What people answered is for their own screens (`assay review serve`). */
export function liveReviews(store: Store): LiveReview[] {
  return store.reviews.list().map(({ id, name, task }) => {
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
}
