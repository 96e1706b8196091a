import { closeSync, openSync, readSync, statSync } from 'node:fs';

import { UsageError } from './problems.ts';

/** Where a shell puts the pipe of `<(…)`. Elsewhere nobody may ever write to a pipe, and to open it would wait for that. */
const SHELL_PIPE = /^\/(?:dev\/(?:stdin|fd\/\d+)|proc\/(?:self|\d+)\/fd\/\d+)$/;
const CHUNK_BYTES = 1 << 16;
const MOST_BYTES = 1 << 24;

/**
 * A file that somebody wrote by hand, such as a recipe, as text: a plain file or the pipe of a shell, up to 16 MiB. A
 * device such as /dev/zero never ends.
 */
export function readWritten(path: string): string {
  const found = statSync(path);
  if (!found.isFile() && !(found.isFIFO() && SHELL_PIPE.test(path)))
    throw new UsageError(`${path} is not a plain file`, 'name a file; the pipe of a shell, <(…), works too');
  const descriptor = openSync(path, 'r');
  try {
    const chunks: Buffer[] = [];
    for (let size = 0; size <= MOST_BYTES;) {
      const chunk = Buffer.alloc(CHUNK_BYTES);
      const read = readSync(descriptor, chunk);
      if (read === 0) return Buffer.concat(chunks).toString('utf8');
      chunks.push(chunk.subarray(0, read));
      size += read;
    }
    throw new UsageError(`${path} is longer than 16 MiB`, 'give data in files of its own');
  } finally {
    closeSync(descriptor);
  }
}
