import type { Worker } from 'node:worker_threads';

import type { ParquetBatch } from './parquet-reader.ts';
import { InputError } from './problems.ts';

/** The path of a file, or its bytes. */
export type ParquetContent = string | ArrayBuffer;

/** Posted by the thread that reads. */
export type ParquetNews =
  | { readonly kind: 'tick' }
  | { readonly kind: 'opened'; readonly described: string | undefined }
  | { readonly kind: 'batch'; readonly batch: ParquetBatch }
  | { readonly kind: 'end' }
  | { readonly kind: 'refused'; readonly message: string; readonly next: string | null };

export type ParquetRow = Readonly<Record<string, unknown>>;

const PATIENCE_MS = 15_000;
const LIMITS = { maxOldGenerationSizeMb: 512 };

/** A thread takes longer to start than a small file to read. */
let idle: Worker | null = null;

/**
 * Opens a Parquet file in a thread, which is ended if it makes no progress: the file may be made to keep its reader busy
 * for ever. What cannot be read is an InputError about `name`.
 */
export async function openParquetRows(name: string, content: ParquetContent, patienceMs = PATIENCE_MS) {
  const waiting = idle;
  idle = null;
  const { startThread } = await import('./thread.ts');
  const worker = waiting ?? startThread('parquet-worker', import.meta.url, null, LIMITS);
  let isDone = false;
  const ask = async (order: ParquetContent | null): Promise<ParquetNews> => {
    const news = await answerOf(worker, order, patienceMs);
    isDone = typeof news === 'string' || news.kind === 'end' || news.kind === 'refused';
    if (isDone && typeof news !== 'string' && idle === null) idle = worker;
    else if (isDone) await worker.terminate();
    if (typeof news !== 'string' && news.kind !== 'refused') return news;
    const { message, next } = typeof news === 'string' ? { message: parquetFault(news), next: null } : news;
    throw new InputError([{ file: name, line: null, message, ...(next === null ? {} : { next }) }]);
  };
  const opened = await ask(content);
  return {
    described: opened.kind === 'opened' ? opened.described : undefined,
    async *batches(): AsyncGenerator<readonly ParquetRow[]> {
      try {
        for (;;) {
          const news = await ask(null);
          if (news.kind !== 'batch') return;
          yield rowsOf(news.batch);
        }
      } finally {
        // A reader that stops early leaves the thread in the middle of a file.
        if (!isDone) await worker.terminate();
      }
    },
  };
}

/** The next news of a thread, or why none will come. */
async function answerOf(
  worker: Worker,
  order: ParquetContent | null,
  patienceMs: number,
): Promise<ParquetNews | string> {
  const { promise, resolve } = Promise.withResolvers<ParquetNews | string>();
  const onStuck = (): void => resolve(`no progress in ${patienceMs / 1000} s`);
  let timer = setTimeout(onStuck, patienceMs);
  const onMessage = (news: ParquetNews): void => {
    clearTimeout(timer);
    if (news.kind === 'tick') timer = setTimeout(onStuck, patienceMs);
    else resolve(news);
  };
  const onError = (error: Error): void => resolve(error.message);
  const onExit = (): void => resolve('its reader ended');
  worker.on('message', onMessage).on('error', onError).on('exit', onExit).unref();
  worker.postMessage(order, order instanceof ArrayBuffer ? [order] : []);
  const news = await promise;
  clearTimeout(timer);
  worker.off('message', onMessage).off('error', onError).off('exit', onExit);
  return news;
}

export function parquetFault(reason: string): string {
  return `the Parquet file cannot be read (${reason})`;
}

function rowsOf({ names, columns }: ParquetBatch): ParquetRow[] {
  return (columns[0] ?? []).map((_, row) =>
    Object.fromEntries(names.flatMap((name, at) => (name === '__proto__' ? [] : [[name, columns[at]?.[row]]]))),
  );
}
