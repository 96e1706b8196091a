import { reviewLines } from '../../review/review-lines.ts';
import { loadSnapshot, type ReviewSnapshot } from '../../review/snapshot.ts';
import { writeReviewLines } from '../../review/review-line.ts';
import { KeptAnswers } from '../kept-answers.ts';
import { overviewApart } from './overview-apart.ts';
import { type Serving, type Signed, type SignedApp, signedAs } from './signed.ts';

const TYPES = { csv: 'text/csv; charset=utf-8', jsonl: 'application/x-ndjson; charset=utf-8' } as const;

/** How far things are, and the answers to take away. */
export function serveOwners(app: SignedApp, { store }: Serving): void {
  const overviews = new KeptAnswers<string>();
  const snapshotFor = ({ review }: Signed): ReviewSnapshot => loadSnapshot(store, review.record.name);

  app.get('/api/review/overview', async (context) => {
    const { id, name } = signedAs(context, 'owner').review.record;
    const overview = await overviews.get(id, () => overviewApart(store.folder, name, false));
    return context.body(overview, 200, { 'content-type': 'application/json; charset=utf-8' });
  });

  for (const format of ['csv', 'jsonl'] as const) {
    app.get(`/api/review/export.${format}`, (context) => {
      const signed = signedAs(context, 'owner');
      const lines = reviewLines(snapshotFor(signed));
      return context.body(writeReviewLines(lines, format), 200, {
        'content-type': TYPES[format],
        'content-disposition': `attachment; filename="review.${format}"`,
      });
    });
  }
}
