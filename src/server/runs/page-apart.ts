import { UsageError } from '../../data/problems.ts';
import { runInThread } from '../run-in-thread.ts';
import type { Texts } from '../../report/html/report-data.ts';

/** How far a page is. */
export interface PageProgress {
  readonly doing: 'comparing' | 'writing';
  readonly share: number;
}

/** What the thread says. */
export type PageNews =
  | ({ readonly kind: 'progress' } & PageProgress)
  | { readonly kind: 'piece'; readonly bytes: Uint8Array<ArrayBuffer> }
  | { readonly kind: 'made' }
  | { readonly kind: 'refused'; readonly message: string };

export interface PageOrder {
  /** The baseline first, where there are several. */
  readonly folders: readonly string[];
  /** Also runs that were not scored alike. */
  readonly force: boolean;
  readonly texts: Texts;
}

/**
 * A report made beside the server, in a thread that reads the run folders by itself: resampling takes large runs seconds, in
 * which nobody else would be answered. Runs that cannot be compared are a UsageError.
 */
export async function pageApart(
  order: PageOrder,
  progress: (progress: PageProgress) => void,
): Promise<readonly Uint8Array[]> {
  const pieces: Uint8Array[] = [];
  const last = await runInThread<PageNews>('page-worker', import.meta.url, order, (news) => {
    if (news.kind === 'progress') progress(news);
    if (news.kind === 'piece') pieces.push(news.bytes);
  });
  if (last?.kind === 'refused') throw new UsageError(last.message);
  if (last?.kind !== 'made') throw new Error('the page came to no end');
  return pieces;
}
