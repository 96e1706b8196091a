import { reviewLines, writeReviewLines } from '../../review/review-lines.ts';
import { loadSnapshot } from '../../review/snapshot.ts';
import { KeptAnswers } from '../kept-answers.ts';
import { runInThread } from '../run-in-thread.ts';
import { JSON_TYPE, type Route, route } from '../server-app.ts';
import type { ReviewServing } from './sign-in.ts';

const TYPES = { csv: 'text/csv; charset=utf-8', jsonl: 'application/x-ndjson; charset=utf-8' } as const;

/** How far things are, and the answers as files. */
export function ownerRoutes({ store, signIn }: ReviewServing): Route[] {
  const overviews = new KeptAnswers<string>();
  const overview = route('GET', '/api/review/overview', signIn('owner'), async (context, { review }) => {
    const { id, name } = review.record;
    return context.body(await overviews.get(id, () => overviewApart(store.folder, name, false)), 200, JSON_TYPE);
  });
  const exports = (['csv', 'jsonl'] as const).map((format) =>
    route('GET', `/api/review/export.${format}`, signIn('owner'), (context, { review }) => {
      const lines = reviewLines(loadSnapshot(store, review.record.name));
      return context.body(writeReviewLines(lines, format), 200, {
        'content-type': TYPES[format],
        'content-disposition': `attachment; filename="review.${format}"`,
      });
    }),
  );
  return [overview, ...exports];
}

/**
 * The overview of a review as JSON, worked out in a thread that reads the store by itself: agreement with its intervals
 * takes seconds for a large review, in which nobody could save. `blind` is for all but the owner.
 */
export async function overviewApart(folder: string, name: string, blind: boolean): Promise<string> {
  const overview = await runInThread<string>('overview-worker', import.meta.url, { folder, name, blind });
  if (overview === null) throw new Error('the overview came to no end');
  return overview;
}
