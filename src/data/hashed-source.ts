import { createHash } from 'node:crypto';

import type { Source } from './source.ts';

/** A source whose bytes are hashed on their way, as they are stored. */
export interface HashedSource {
  readonly source: Source;
  /** To be asked once the bytes have been read to their end. */
  readonly digest: () => { readonly sha256: string; readonly bytes: number };
}

/** For readers that do not say what they have read. Opened again, it counts anew. */
export function hashedSource(source: Source): HashedSource {
  let hash = createHash('sha256');
  let bytes = 0;
  return {
    source: {
      ...source,
      async *open() {
        hash = createHash('sha256');
        bytes = 0;
        for await (const chunk of await source.open()) {
          hash.update(chunk);
          bytes += chunk.length;
          yield chunk;
        }
      },
    },
    digest: () => ({ sha256: hash.copy().digest('hex'), bytes }),
  };
}
