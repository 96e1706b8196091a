import { parentPort, workerData } from 'node:worker_threads';

import { z } from 'zod';

import { InputError, UsageError } from '../../data/problems.ts';
import { compareRuns } from '../../compare/compare-runs.ts';
import { buildReport } from '../../report/html/build-report.ts';
import type { PageNews } from './made-pages.ts';

const REPORTED_EVERY_MS = 200;

/** A thread that makes one report, and ends. */
const { folders, force, texts } = z
  .object({ folders: z.array(z.string()), force: z.boolean(), texts: z.enum(['full', 'redacted', 'none']) })
  .parse(workerData);

const post = (news: PageNews, moved: ArrayBuffer[] = []): void => parentPort?.postMessage(news, moved);

let last = 0;
const postShare = (doing: 'comparing' | 'writing', share: number): void => {
  if (performance.now() - last < REPORTED_EVERY_MS) return;
  last = performance.now();
  post({ kind: 'progress', doing, share });
};

try {
  const breathe = (share: number): void => postShare('comparing', share);
  const comparison = folders.length < 2 ? null : await compareRuns(folders, { slices: true, force, breathe });
  await buildReport(folders, {
    texts,
    comparison,
    progress: (done, total) => postShare('writing', done / Math.max(1, total)),
    write(piece) {
      const bytes = new TextEncoder().encode(piece);
      post({ kind: 'piece', bytes }, [bytes.buffer]);
    },
  });
  post({ kind: 'made' });
} catch (error) {
  if (!(error instanceof UsageError || error instanceof InputError)) throw error;
  post({ kind: 'refused', message: error.message });
}
