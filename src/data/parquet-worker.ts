import { parentPort } from 'node:worker_threads';

import type { AsyncBuffer } from 'hyparquet';

import { openParquetFile } from './parquet-reader.ts';
import { type ParquetContent, type ParquetNews, parquetFault } from './parquet-rows.ts';
import { UsageError } from './problems.ts';
import { openPlain } from './read-file.ts';
import { errorCode } from './source.ts';

/** A thread that reads one Parquet file after another: a file to open, then a message for each batch that is wanted. */
const TICK_MS = 500;

const post = (news: ParquetNews): void => parentPort?.postMessage(news, []);

let last = 0;
const tick = (): void => {
  if (performance.now() - last < TICK_MS) return;
  last = performance.now();
  post({ kind: 'tick' });
};

let reading: AsyncGenerator<ParquetNews, ParquetNews> | null = null;
parentPort?.on('message', (content: ParquetContent | null) => {
  reading = content === null ? reading : newsOf(content);
  void reading?.next().then(({ value }) => post(value));
});

/** The file is closed before its last news is posted. */
async function* newsOf(content: ParquetContent): AsyncGenerator<ParquetNews, ParquetNews> {
  let close = (): Promise<void> => Promise.resolve();
  try {
    let file: AsyncBuffer;
    if (typeof content === 'string') {
      const { handle, size } = await openPlain(content);
      close = () => handle.close();
      file = {
        byteLength: size,
        async slice(start, end = size) {
          const { buffer, bytesRead } = await handle.read(new Uint8Array(end - start), 0, end - start, start);
          return buffer.buffer.slice(0, bytesRead);
        },
      };
    } else file = content;
    const table = await openParquetFile(file, tick);
    yield { kind: 'opened', described: table.described };
    for await (const batch of table.batches()) yield { kind: 'batch', batch };
    return { kind: 'end' };
  } catch (error) {
    if (error instanceof UsageError) return { kind: 'refused', message: error.message, next: error.next };
    // A number in the wrong place has the parser find something that it cannot use.
    const reason = error instanceof TypeError ? 'it is damaged' : errorCode(error);
    return { kind: 'refused', message: parquetFault(reason), next: null };
  } finally {
    await close();
  }
}
