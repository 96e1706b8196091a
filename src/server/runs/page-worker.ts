import { parentPort, workerData } from 'node:worker_threads';

import { z } from 'zod';

import { InputError, UsageError } from '../../data/problems.ts';
import { compareRuns } from '../../compare/compare-runs.ts';
import { buildReport } from '../../report/html/build-report.ts';
import type { PageNews } from './page-apart.ts';

const TOLD_EVERY_MS = 200;

/** A thread of its own that makes one report, and ends. */
const { folders, force, texts } = z
  .object({ folders: z.array(z.string()), force: z.boolean(), texts: z.enum(['full', 'redacted', 'none']) })
  .parse(workerData);

const tell = (news: PageNews, moved: ArrayBuffer[] = []): void => parentPort?.postMessage(news, moved);

let last = 0;
const tellShare = (doing: 'comparing' | 'writing', share: number): void => {
  if (performance.now() - last < TOLD_EVERY_MS) return;
  last = performance.now();
  tell({ kind: 'progress', doing, share });
};

try {
  const breathe = (share: number): void => tellShare('comparing', share);
  const comparison = folders.length < 2 ? null : await compareRuns(folders, { slices: true, force, breathe });
  await buildReport(folders, {
    texts,
    comparison,
    progress: (done, total) => tellShare('writing', done / Math.max(1, total)),
    write(piece) {
      const bytes = new TextEncoder().encode(piece);
      tell({ kind: 'piece', bytes }, [bytes.buffer]);
    },
  });
  tell({ kind: 'made' });
} catch (error) {
  if (!(error instanceof UsageError || error instanceof InputError)) throw error;
  tell({ kind: 'refused', message: error.message });
}
