import { Worker } from 'node:worker_threads';

// The sources are run as they are, and compiled under the same name.
const ENTRY = new URL(
  import.meta.url.endsWith('.ts') ? './overview-worker.ts' : './overview-worker.js',
  import.meta.url,
);

/**
 * The overview of a review as JSON, worked out beside the server in a thread that reads the store by itself: agreement with
 * its intervals takes a large review seconds, in which nobody could save. `blind` is for all but the owner.
 */
export function overviewApart(folder: string, name: string, blind: boolean): Promise<string> {
  return new Promise((resolve, reject) => {
    const worker = new Worker(ENTRY, { workerData: { folder, name, blind }, execArgv: [] });
    worker.once('message', (text: unknown) => {
      if (typeof text === 'string') resolve(text);
    });
    worker.once('error', (error: unknown) => reject(error instanceof Error ? error : new Error(String(error))));
    worker.once('exit', () => reject(new Error('the overview came to no end')));
    // Whoever stops the server does not wait for it.
    worker.unref();
  });
}
