import { Worker } from 'node:worker_threads';

import { UsageError } from '../../data/problems.ts';
import type { Texts } from '../html/report-data.ts';

// The sources are run as they are, and compiled under the same name.
const ENTRY = new URL(import.meta.url.endsWith('.ts') ? './page-worker.ts' : './page-worker.js', import.meta.url);

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
export function pageApart(
  order: PageOrder,
  progress: (progress: PageProgress) => void,
): Promise<readonly Uint8Array[]> {
  return new Promise((resolve, reject) => {
    const pieces: Uint8Array[] = [];
    const execArgv = process.execArgv.filter((flag) => flag.startsWith('--conditions='));
    const worker = new Worker(ENTRY, { workerData: order, execArgv });
    worker.on('message', (news: PageNews) => {
      switch (news.kind) {
        case 'progress':
          progress(news);
          break;
        case 'piece':
          pieces.push(news.bytes);
          break;
        case 'made':
          resolve(pieces);
          break;
        case 'refused':
          reject(new UsageError(news.message));
          break;
      }
    });
    worker.once('error', (error: unknown) => reject(error instanceof Error ? error : new Error(String(error))));
    worker.once('exit', () => reject(new Error('the page came to no end')));
    // Whoever stops the server does not wait for it.
    worker.unref();
  });
}
